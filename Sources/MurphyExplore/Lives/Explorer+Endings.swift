import MurphyContract
import MurphyEngine
import MurphyJSON
import MurphyModel

extension Explorer {
  typealias Lived = (performed: [CaseRunner.Performed], suspicions: [Suspicion])

  /// What was deleted is gone: it is not read, not changed, and can be deleted again without harm.
  func deleted(_ life: ResourceLife, _ before: [CaseRunner.Performed]) async throws(CaseRunner.Stop) -> Lived {
    var done = before
    var found: [Suspicion] = []
    if let reading = life.reading {
      done.append(try await runner.perform(reading, after: done))
      if let last = done.last, last.isSuccess {
        found.append(
          Suspicion(
            kind: .exploreNotDeleted, message: "\(id(reading)) answers \(last.status) after it succeeded",
            cause: "readable"))
      }
    }
    guard found.isEmpty, let delete = life.steps.last else { return (done, found) }
    if let change = life.change {
      done.append(try await runner.perform(change, after: done))
      if let last = done.last, last.isSuccess {
        found.append(
          Suspicion(
            kind: .exploreUseAfterDelete, message: "\(id(change)) answers \(last.status) for what was deleted",
            cause: "patch"))
      }
    }
    done.append(try await runner.perform(delete.withoutAnswers, after: done))
    return (done, found)
  }

  /// What was made stands in its list, once, wherever it begins.
  func listed(_ life: ResourceLife, _ before: [CaseRunner.Performed]) async throws(CaseRunner.Stop) -> Lived {
    var done = before
    guard let list = life.list, let made = done.last, life.isPromised,
      let shape = ContractRelations(setting.contract).collections.first(where: { $0.operation == list.operation }),
      let field = shape.id?.name, let sought = made.json.flatMap({ Self.item($0)[field] })
    else { return (done, []) }
    var call = list
    func set(_ name: String, _ value: JSONValue) {
      call.query.removeAll { $0.name == name }
      call.query.append(ExploreCall.Named(name: name, value: .literal(value)))
    }
    if let limit = shape.limit { set(limit.name, JSONValue(limit.maximum ?? 100)) }
    var seen = 0
    for page in 0..<30 {
      if let offset = shape.offset { set(offset.name, JSONValue(seen)) }
      if let number = shape.page { set(number.name, JSONValue((number.first ?? 1) + page)) }
      let answer = try await runner.perform(call, after: done)
      guard answer.isSuccess, let json = answer.json,
        let rows = JSONPointer(tokens: shape.items).resolve(in: json)?.array
      else { return (done, []) }
      done = before + [answer]
      if rows.contains(where: { $0[field] == sought }) { return (done, []) }
      seen += rows.count
      if let cursor = shape.cursor {
        guard let next = JSONPointer(tokens: cursor.path).resolve(in: json), next != .null, next != "", !rows.isEmpty
        else { break }
        if let more = shape.hasMore, JSONPointer(tokens: more).resolve(in: json) == false { break }
        set(cursor.name, next)
        continue
      }
      let total = shape.total.flatMap { JSONPointer(tokens: $0).resolve(in: json)?.int }
      if rows.isEmpty || total.map({ seen >= $0 }) == true { break }
      // Without a way to the next page, this is all.
      if shape.offset == nil, shape.page == nil {
        if shape.limit != nil, total == nil { return (done, []) }
        break
      }
      if page == 29 { return (done, []) }
    }
    return (
      done,
      [
        Suspicion(
          kind: .exploreNotListed,
          message: "\(id(list)) does not show what it made (\(field) \(Self.short(sought)))",
          cause: "not listed", details: ["\(seen) items were read to the end of the list."]
        ).unless(made.review)
      ]
    )
  }
}
