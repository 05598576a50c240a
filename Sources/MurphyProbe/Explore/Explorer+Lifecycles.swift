import MurphyContract
import MurphyEngine
import MurphyModel
import MurphySchema

extension Explorer {
  /// Runs a part of an item's lifecycle; a suspicion is checked with another item.
  func live(_ life: ResourceLifecycle) async throws(CaseRunner.Stop) {
    let first = try await run(life)
    let seen = first.performed.last?.sent
    let one = life.case(first.performed)
    board.tried(one, undecided: undecided(one, first.performed, life))
    for (suspicion, call) in suspicions(first, life) + first.suspicions.map({ ($0, one.call) })
    where !setting.off.contains(suspicion.kind) {
      try await confirmSuspicion(suspicion, life, call, at: suspicion.seen ?? seen)
    }
  }

  /// The reason why the responses of a lifecycle decide nothing; nil if they decide it.
  private func undecided(
    _ one: ExploreCase, _ performed: [CaseRunner.Performed], _ life: ResourceLifecycle
  ) -> Undecided? {
    guard let act = performed.indices.contains(life.steps.count - 1) ? performed[life.steps.count - 1] : performed.last
    else { return .unanswered }
    if performed.contains(where: \.isExisting), life.part != .twice { return .existing }
    if let why = performed.lazy.compactMap({ Undecided(one, $0, self.setting.contract) }).first { return why }
    if performed.contains(where: \.isMissing), performed.contains(where: { $0.review != nil }) { return .waiting }
    return act.isSuccess || life.part == .read ? nil : .failed
  }

  /// The suspicions from the responses of a lifecycle, starting with the request that it tests.
  private func suspicions(_ lived: Lived, _ life: ResourceLifecycle) -> [(Suspicion, ExploreCall)] {
    var plain = ExploreCase.plain(lived.performed.map(\.call))
    (plain.about, plain.category) = (life.about, .state)
    return lived.performed.dropFirst(life.steps.count - 1).flatMap { performed in
      Suspicion.all(plain, performed).map { ($0, performed.call) }
    }
  }

  /// A boundary value of the contract is read as it was written.
  func readBack(_ one: ExploreCase, _ steps: [CaseRunner.Performed]) async throws(CaseRunner.Stop) {
    guard let reading = board.reading(of: one.call.operation), !setting.off.contains(.exploreNotKept) else { return }
    func differences(_ steps: [CaseRunner.Performed]) async throws(CaseRunner.Stop) -> (
      found: [Suspicion], all: [CaseRunner.Performed]
    ) {
      guard let write = steps.last, write.isSuccess, !write.isExisting else { return ([], steps) }
      let read = try await runner.perform(reading, after: steps)
      return (compared(write, read), steps + [read])
    }
    for suspicion in try await differences(steps).found {
      let claim = ExploreState.Claim(suspicion, one.call.operation)
      try await confirm(claim, at: steps.last?.sent, patience: 0) { () async throws(CaseRunner.Stop) -> Shown? in
        // If a plain value is not kept either, the tested value is not the cause.
        for tested in [one.plainer, one].compactMap(\.self) {
          let again = try await differences(try await runner.run(tested.steps, isFresh: true))
          guard let shown = again.found.first(where: suspicion.isSame) else { continue }
          return (found(shown, tested, again.all, original: tested, name: one.name), "")
        }
        return nil
      }
    }
  }

  /// It counts only if a second item shows it as well.
  private func confirmSuspicion(
    _ suspicion: Suspicion, _ life: ResourceLifecycle, _ call: ExploreCall, at moment: Duration?
  ) async throws(CaseRunner.Stop) {
    let claim = ExploreState.Claim(suspicion, call.operation)
    try await confirm(claim, at: moment, patience: 1) { () async throws(CaseRunner.Stop) -> Shown? in
      let again = try await run(life)
      let shown = again.suspicions + suspicions(again, life).map(\.0)
      // The values of this item, whose requests are the evidence.
      guard let suspicion = shown.first(where: suspicion.isSame) else { return nil }
      var one = life.case(again.performed)
      one.call = call
      return (found(suspicion, one, again.performed, original: one, name: life.name), "")
    }
  }

  private func run(_ life: ResourceLifecycle) async throws(CaseRunner.Stop) -> Lived {
    let target = life.steps.count - 1
    var done: [CaseRunner.Performed] = []
    for call in life.steps.dropLast() {
      done.append(try await runner.perform(call, after: done))
      guard done.last?.isSuccess == true else { throw .unprepared(nil) }
    }
    // A response with an item that existed before is not a creation: nothing follows from the sent values.
    if life.part != .twice, done.contains(where: \.isExisting) { return (done, []) }
    var before: JSONValue?
    if life.part == .changed, let reading = life.reading {
      done.append(try await runner.perform(reading, after: done))
      before = done.last?.json
    }
    done.append(try await runner.perform(life.steps[target], after: done))
    let act = done[done.count - 1]
    if life.part == .read, [404, 410].contains(act.status) { return try await unread(life, done) }
    guard act.isSuccess, !act.isExisting || life.part == .twice else { return (done, []) }
    switch life.part {
    case .read: return (done, read(life, done))
    case .replaced, .changed:
      guard let reading = life.reading else { return (done, []) }
      done.append(try await runner.perform(reading, after: done))
      return (done, kept(life, act, done[done.count - 1], before: before))
    case .deleted: return try await deleted(life, done)
    case .listed: return try await listed(life, done)
    case .located: return try await located(done)
    case .twice:
      done.append(try await runner.perform(life.steps[target].repeating(act), after: done))
      return (done, [])
    }
  }

  /// The item that was just created cannot be read. After a 202 it may appear later; behind a cache it may take a
  /// second.
  private func unread(_ life: ResourceLifecycle, _ done: [CaseRunner.Performed]) async throws(CaseRunner.Stop) -> Lived
  {
    guard let made = done.dropLast().last(where: \.makesItem), made.status != 202 else { return (done, []) }
    do { try await runner.client.think(.seconds(1)) } catch { throw .over }
    let again = try await runner.perform(life.steps[life.steps.count - 1], after: Array(done.dropLast()))
    guard [404, 410].contains(again.status) else { return (done, []) }
    let suspicion = Suspicion(
      kind: .exploreNotKept,
      message: "\(id(again.call)) returned \(again.status) for an item that \(id(made.call)) has just created",
      cause: "not there")
    return (Array(done.dropLast()) + [again], [suspicion.unless(made.review)])
  }

  /// The item is read with the values that it was created with.
  private func read(_ life: ResourceLifecycle, _ done: [CaseRunner.Performed]) -> [Suspicion] {
    guard let reading = done.last, let made = done.dropLast().last(where: \.makesItem) else { return [] }
    return compared(made, reading)
  }

  private func kept(
    _ life: ResourceLifecycle, _ act: CaseRunner.Performed, _ reading: CaseRunner.Performed, before: JSONValue?
  ) -> [Suspicion] {
    guard reading.isSuccess, let after = reading.json else {
      return [
        Suspicion(
          kind: .exploreNotKept, message: "\(id(reading.call)) returned \(reading.status) after the write succeeded",
          cause: "unreadable")
      ]
    }
    var found = compared(act, reading)
    guard let before, case .object(let sent)? = act.body, case .object(let old) = Self.item(before),
      case .object(let new) = Self.item(after),
      let writable = life.steps.last(where: { $0.body != nil && $0 != act.call })?.body
    else { return found }
    let lost = old.members.filter { sent[$0.key] == nil && writable[$0.key] != nil && new[$0.key] != $0.value }
    if let first = lost.first {
      let names = lost.map(\.key).joined(separator: ", ")
      found.append(
        Suspicion(
          kind: .exploreNotKept,
          message:
            "fields that are not in the body have changed: \(names); \(first.key) was \(Self.short(first.value)) before "
            + "and is \(new[first.key].map(Self.short) ?? "missing") after the write",
          cause: "other members"))
    }
    return found
  }

  private func compared(_ write: CaseRunner.Performed, _ reading: CaseRunner.Performed) -> [Suspicion] {
    guard let sent = write.body, let read = reading.json, reading.isSuccess else { return [] }
    let secrets = setting.contract.secretMembers(operation: write.call.operation)
    // A parameter of the same name has another value, which counts.
    let names = secrets.union(write.call.query.map(\.name))
    return KeptValues.differences(sent: sent, read: Self.item(read)).filter { !names.contains($0.name) }.prefix(3).map {
      difference in
      // A server that creates an item may choose its id.
      let isChosen = write.request.method == "POST" && ["id", "_id", "uuid"].contains(difference.name.lowercased())
      return Suspicion(
        kind: .exploreNotKept, severity: isChosen ? .note : nil,
        message: "\(difference.name) was written as \(Self.short(difference.sent)), but \(id(reading.call)) returns "
          + Self.short(difference.read),
        cause: "written \(difference.name)")
    }
  }

  /// The item itself, if a response wraps it.
  static func item(_ value: JSONValue) -> JSONValue {
    guard case .object(let object) = value, object.count <= 3 else { return value }
    for name in ["data", "result", "item"] {
      if case .object? = object[name], let inner = object[name] { return inner }
    }
    return value
  }

  static func short(_ value: JSONValue) -> String {
    let text = value.text
    return text.count > 50 ? text.shortened(to: 40) : text
  }
}

extension ExploreCase {
  /// The case with a plain text in place of the tested one; nil for other values.
  fileprivate var plainer: ExploreCase? {
    guard place.hasPrefix("body /"), changes.isEmpty, value?.string != nil, value?.string != Self.plainText,
      let pointer = JSONPointer(String(place.dropFirst(5))),
      let body = call.body?.replacing(at: pointer.tokens[...], with: .string(Self.plainText))
    else { return nil }
    var copy = self
    copy.call.change(body: body, at: pointer)
    (copy.value, copy.about) = (.string(Self.plainText), "a plain text")
    return copy
  }

  private static let plainText = "murphy"
}

extension ResourceLifecycle {
  var about: String {
    switch part {
    case .read: "the item that was just created"
    case .replaced, .changed: "the item that was just \(part.rawValue)"
    case .deleted: "the deleted item"
    case .listed: "the list of the created item"
    case .located: "the target of Location"
    case .twice: "the same request twice"
    }
  }

  func `case`(_ performed: [CaseRunner.Performed]) -> ExploreCase {
    ExploreCase(
      steps: steps, expectation: .anything, category: .state, place: "life", constraint: part.rawValue, about: about,
      value: nil)
  }
}

extension ExploreCall {
  /// The same call again, with exactly the same body.
  fileprivate func repeating(_ performed: CaseRunner.Performed) -> ExploreCall {
    var call = self
    guard let body = performed.body else { return call }
    (call.body, call.fresh, call.references) = (body, [:], [:])
    return call
  }
}
