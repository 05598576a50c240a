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
    done.append(try await runner.perform(delete.withoutReferences, after: done))
    return (done, found)
  }

  /// The created item is in its list exactly once, at any position.
  func listed(_ life: ResourceLifecycle, _ before: [CaseRunner.Performed]) async throws(CaseRunner.Stop) -> Lived {
    var done = before
    guard let list = life.list, let made = done.last, life.isPromised,
      let shape = setting.contract.relations().collections.first(where: { $0.operation == list.operation }),
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
      let response = try await runner.perform(call, after: done)
      guard response.isSuccess, let json = response.json,
        let rows = JSONPointer(tokens: shape.items).resolve(in: json)?.array
      else { return (done, []) }
      done = before + [response]
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
          cause: "not listed", details: ["Murphy read the list to its end: \(counted(seen, "item"))."]
        ).unless(made.review)
      ]
    )
  }
}

extension Explorer {
  /// The target of `Location` exists (RFC 9110 §10.2.2).
  func located(_ before: [CaseRunner.Performed]) async throws(CaseRunner.Stop) -> Lived {
    guard let made = before.last, let response = try? made.ending.get(), let location = response.header("location"),
      case .within(let target) = Redirect(location, from: made.request.target, at: runner.client.origin)
    else { return (before, []) }
    let documented = target.contains("?") ? nil : reading(documented: target)
    guard documented != nil || WriteRule.mayFollow(target, named: "") else { return (before, []) }
    let call = documented ?? reading(undocumented: target, by: made)
    let done = before + [try await runner.perform(call, after: before)]
    guard let last = done.last, last.status == 404 || last.status == 410 else { return (done, []) }
    let suspicion = Suspicion(
      kind: .exploreNotThere,
      message: "Location is \(location.shortened(to: 100)), but a GET of this URL returns \(last.status)",
      cause: "location")
    return (done, [suspicion])
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
    note.details.append("The created item has \(review). The API possibly returns the item only after a review.")
    return note
  }
}

extension Explorer {
  /// Repeats a case with new items. Only reproduced errors count, and they are reduced to the smallest request that
  /// shows them. The message and the evidence are those of that request.
  func look(into suspicion: Suspicion, _ one: ExploreCase) async throws(CaseRunner.Stop) {
    // A documented 501 is the API's answer for what it does not support.
    let responses = setting.contract.operations[one.call.operation].responses
    if suspicion.failure == .status(501), responses.contains(where: { $0.status == .exactly(501) }) { return }
    let claim = ExploreState.Claim(suspicion, one.call.operation)
    if !board.isClaimed(claim), let control = try await control(of: suspicion, one) {
      return try await look(into: control.suspicion, control.case)
    }
    var control: (suspicion: Suspicion, case: ExploreCase)?
    // If no credentials are needed, wrong ones or another scheme give no further evidence.
    let parts = suspicion.kind == .exploreAuthIgnored ? ["without", "with credentials"] : one.parts
    try await confirm(claim, parts: parts, at: suspicion.seen, patience: 1) {
      () async throws(CaseRunner.Stop) -> Shown? in
      if suspicion.kind == .exploreValidRefused, try await !isRefusedAlone(one) { return nil }
      if suspicion.failure == .late, try await !isServed(besides: one) { return nil }
      guard let again = try await shows(suspicion, one) else { return nil }
      if suspicion.failure == .dropped, try await shows(suspicion, one) == nil { return nil }
      let smallest = try await shrunk(one, suspicion, again)
      // One of several changes remains.
      if one.changes.count > 1 { control = try await self.control(of: smallest.shown.suspicion, smallest.case) }
      guard control == nil else { return (nil, "") }
      let last = smallest.shown.performed.last
      var shown = smallest.shown.suspicion.unless(other: last.flatMap { other(besides: smallest.case, in: $0) })
      if suspicion.failure == .dropped { shown.message += " (3 of 3 attempts)" }
      return (
        found(shown, smallest.case, smallest.shown.performed, original: one, name: one.name),
        suspicion.kind == .exploreServerError ? last?.alikeness ?? "" : ""
      )
    }
    if let control { try await look(into: control.suspicion, control.case) }
  }

  /// The result of a repetition, with a key that is equal for equal responses. Nil if another finding reports it.
  typealias Shown = (ExploreState.Found?, response: String)

  /// Only reproduced results count.
  ///
  /// - Parameters:
  ///   - parts: causes, each of which alone would explain it.
  ///   - moment: the time at which it was seen.
  ///   - again: repeats it; nil if it shows nothing.
  func confirm(
    _ claim: ExploreState.Claim, parts: [String] = [], at moment: Duration? = nil, patience: Double,
    _ again: () async throws(CaseRunner.Stop) -> Shown?
  ) async throws(CaseRunner.Stop) {
    // Another user must not check the same suspicion.
    guard board.claim(claim, parts: parts, at: moment) else { return }
    runner.patience = patience
    defer { runner.patience = 0 }
    do throws(CaseRunner.Stop) {
      guard let (found, response) = try await again() else { return board.drop(claim) }
      if let found { board.confirm(claim, found, response: response) }
    } catch {
      board.drop(claim, isRepeated: false)
      throw error
    }
  }

  /// True if the base of the case still succeeds, and unused identifiers make no difference.
  private func isRefusedAlone(_ one: ExploreCase) async throws(CaseRunner.Stop) -> Bool {
    if let base = board.base(of: one.call.operation) {
      guard try await runner.run(base, isFresh: true).last?.isSuccess == true else { return false }
    }
    let renamed = one.withNewIdentifiers
    guard renamed != one else { return true }
    return try await runner.run(renamed.steps, isFresh: true).last?.isSuccess != true
  }

  /// The requests of a repetition, and what the last response shows.
  private typealias Repetition = (performed: [CaseRunner.Performed], suspicion: Suspicion)

  /// The case's requests, if they show the same result again.
  private func shows(
    _ suspicion: Suspicion, _ one: ExploreCase, isFresh: Bool = true
  ) async throws(CaseRunner.Stop) -> Repetition? {
    let performed = try await runner.run(one.steps, isFresh: isFresh)
    guard let last = performed.last else { return nil }
    let all = Suspicion.all(one, last, after: performed.dropLast())
    return all.first(where: suspicion.isSame).map { (performed, $0) }
  }

  /// Removes the parts of a request that the failure does not need.
  private func shrunk(
    _ one: ExploreCase, _ suspicion: Suspicion, _ shown: Repetition
  ) async throws(CaseRunner.Stop) -> (case: ExploreCase, shown: Repetition) {
    var best = (case: one, shown: shown)
    // Smaller requests are not worth the quota.
    guard Shrinking.helps(suspicion.kind), !board.isLimited(one.call.operation),
      shown.performed.last?.failure == nil
    else { return best }
    let index = one.call.operation
    let shrinking = Shrinking(one, base: board.base(of: index) ?? board.trialBase(of: index), setting.contract)
    var attempts = 0
    var isSmaller = true
    while isSmaller {
      isSmaller = false
      for smaller in shrinking.steps(of: best.case) where attempts < Shrinking.most {
        attempts += 1
        do throws(CaseRunner.Stop) {
          guard let shown = try await shows(suspicion, smaller, isFresh: false) else { continue }
          best = (smaller, shown)
          isSmaller = true
          break
        } catch {
          if case .unprepared = error { continue }
          if case .unwritable = error { continue }
          return best
        }
      }
    }
    return best
  }
}

extension CaseRunner.Performed {
  /// Status and body without numbers and identifiers.
  fileprivate var alikeness: String {
    guard let response = try? ending.get() else { return "" }
    let text = String(decoding: response.body.prefix(400), as: UTF8.self)
    return "\(response.status) " + text.replacing(/[0-9a-fA-F-]{6,}|\d+/, with: "#")
  }
}
