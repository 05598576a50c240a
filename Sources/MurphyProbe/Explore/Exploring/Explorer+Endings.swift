import MurphyContract
import MurphyEngine
import MurphyModel
import MurphyScenario
import MurphySchema

extension Explorer {
  typealias Lived = (performed: [CaseRunner.Performed], suspicions: [Suspicion])

  /// A deleted item is gone: it cannot be read or changed, and a second deletion does no harm.
  func deleted(_ life: ResourceLifecycle, _ before: [CaseRunner.Performed]) async throws(CaseRunner.Stop) -> Lived {
    var done = before
    /// The suspicion if the call succeeds.
    func success(
      of call: ExploreCall?, _ kind: FindingKind, _ what: String, _ cause: String
    ) async throws(CaseRunner.Stop) -> [Suspicion] {
      guard let call else { return [] }
      let last = try await runner.perform(call, after: done)
      done.append(last)
      guard last.isSuccess else { return [] }
      return [Suspicion(kind: kind, message: "\(id(call)) returned \(last.status) \(what)", cause: cause)]
    }
    var found = try await success(of: life.reading, .exploreNotDeleted, "after the deletion succeeded", "readable")
    guard found.isEmpty, let delete = life.steps.last else { return (done, found) }
    found = try await success(of: life.change, .exploreUseAfterDelete, "for the deleted item", "patch")
    done.append(try await runner.perform(delete.withoutAnswers, after: done))
    return (done, found)
  }

  /// The created item is in its list exactly once, at any position.
  func listed(_ life: ResourceLifecycle, _ before: [CaseRunner.Performed]) async throws(CaseRunner.Stop) -> Lived {
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
      // Without paging, this is the whole list.
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
          message: "\(id(list)) does not list the created item (\(field) \(Self.short(sought)))",
          cause: "not listed", details: ["\(seen) items were read to the end of the list."]
        ).unless(made.review)
      ]
    )
  }
}

extension Explorer {
  /// The target of `Location` exists (RFC 9110 §10.2.2).
  func located(_ before: [CaseRunner.Performed]) async throws(CaseRunner.Stop) -> Lived {
    guard let made = before.last, let answer = try? made.ending.get(), let location = answer.header("location"),
      let call = reading(location, by: made)
    else { return (before, []) }
    let done = before + [try await runner.perform(call, after: before)]
    guard let last = done.last, last.status == 404 || last.status == 410 else { return (done, []) }
    let suspicion = Suspicion(
      kind: .exploreNotThere,
      message: "Location is \(String(location.prefix(100))), but a GET of it returns \(last.status)",
      cause: "location")
    return (done, [suspicion])
  }

  /// A call of the operation that the path belongs to; a plain GET if there is none. Nil for another server.
  private func reading(_ location: String, by made: CaseRunner.Performed) -> ExploreCall? {
    guard case .within(let target) = Redirect(location, from: made.request.target, at: runner.client.origin) else {
      return nil
    }
    let matcher = OperationMatcher(setting.contract)
    if !target.contains("?"), let match = matcher.match("GET", target), match.base.isEmpty {
      var call = ExploreCall(match.operation)
      for (name, value) in match.values { call.path[name] = .literal(.string(value)) }
      return call
    }
    var call = made.call
    (call.method, call.leavesOutBody, call.isOffContract, call.rawTarget) = ("GET", true, true, target)
    return call
  }
}

extension CaseRunner.Performed {
  /// True if the response to a read means that the item does not exist.
  var isMissing: Bool { status == 404 || status == 410 }

  /// `"status" "in_review"`, if the response says that the created item still needs an approval; nil otherwise.
  var review: String? {
    guard isSuccess, request.method == "POST", case .object(let item)? = json.map(Explorer.item) else { return nil }
    let member = item.members.first { member in
      guard Self.states.contains(where: member.key.lowercased().contains), let state = member.value.string else {
        return false
      }
      return state.lowercased().split { !$0.isLetter }.contains { Self.waiting.contains(String($0)) }
    }
    return member.map { "\"\($0.key)\" \($0.value.text)" }
  }

  private static let states = ["status", "state", "stage", "moderation", "approval"]
  private static let waiting: Set = [
    "review", "pending", "moderation", "approval", "draft", "unpublished", "unapproved", "queued",
  ]
}

extension Suspicion {
  /// The same as a note if the created item waits for review: then reads need not show it yet.
  func unless(_ review: String?) -> Suspicion {
    guard let review else { return self }
    var note = self
    note.severity = .note
    note.details.append("The created item has \(review): reads may not return it before the review ends.")
    return note
  }
}
