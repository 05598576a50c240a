import MurphyJSON
import MurphyModel
import MurphyScenario
import MurphyTransport

/// What a user has written without a network, in order. Lives on the user's loop.
final class UnsentWrites {
  struct Write {
    let request: PreparedRequest
    let call: Call
    let assumed: Assumptions?
  }

  private(set) var writes: [Write] = []
  /// A client that keeps more than this has lost its user.
  private static let most = 10_000

  func keep(_ write: Write) throws(SessionEnd) {
    guard writes.count < Self.most else {
      throw .failed("\(write.call.step.operation.id): more than \(Self.most) writes without a network")
    }
    writes.append(write)
  }
}

extension SessionRun {
  /// The steps without a network, then what they wrote, one after the other as the user's client would.
  nonisolated(nonsending) func execute(_ offline: OfflineStep) async throws(SessionEnd) {
    let back = due + (try evaluate(offline.duration))
    let unsent = UnsentWrites()
    self.unsent = unsent
    do throws(SessionEnd) {
      try await execute(offline.steps)
    } catch {
      self.unsent = nil
      throw error
    }
    self.unsent = nil
    due = max(due, back)
    try await wait(until: due)
    for write in unsent.writes {
      if shard.loop.isOverdue { try await giveWay() }
      try await perform(write.request, for: write.call, assuming: write.assumed)
    }
  }

  /// A call that cannot be sent: a write is kept, a read takes what the client has, whatever its age.
  nonisolated(nonsending) func execute(
    _ call: Call, _ request: PreparedRequest, without unsent: UnsentWrites
  ) async throws(SessionEnd) {
    guard !call.step.isWrite else {
      return try unsent.keep(UnsentWrites.Write(request: request, call: call, assumed: assume(call.step)))
    }
    if call.step.reuse != nil, let answer = kept?.latest(KeptAnswers.Key(request.http)) {
      shard.recorder.spare(request.operation)
      return try await take(answer, for: call)
    }
    scope.status = 0
    if script.readsAnswers { scope.answer = LastAnswer(status: 0) }
    for save in call.step.saves {
      scope[save.variable] = try save.fallback.map { template throws(SessionEnd) in try evaluate(template) }
    }
    guard let written = call.step.writtenForOffline else { return }
    if written.reaction == .end { throw .left("\(call.step.operation.id): offline") }
    try await execute(written.steps)
  }
}

/// What names stood for before a client showed what a call will have done.
struct Assumptions {
  var before: [(variable: Variable, value: JSONValue?)]
}

extension SessionRun {
  /// Shows the user what the call will have done; nil where it says nothing of that.
  func assume(_ step: CallStep) throws(SessionEnd) -> Assumptions? {
    guard !step.optimistic.isEmpty else { return nil }
    let before = step.optimistic.map { (variable: $0.variable, value: scope[$0.variable]) }
    try assign(step.optimistic)
    return Assumptions(before: before)
  }

  /// In reverse, for a name may be given twice.
  func takeBack(_ assumed: Assumptions) {
    for (variable, value) in assumed.before.reversed() { scope[variable] = value }
  }
}
