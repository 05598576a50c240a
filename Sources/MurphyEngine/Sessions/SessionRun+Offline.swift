import MurphyHTTP
import MurphyModel
import MurphyScenario
import MurphySchema

/// The writes of a user without a network, in order. Lives on the user's loop.
final class UnsentWrites {
  struct Write {
    let request: PreparedRequest
    let call: Call
    let assumed: Assumption?
  }

  private(set) var writes: [Write] = []
  /// A client that keeps more writes than this has lost its user.
  private static let most = 10_000

  func keep(_ write: Write) throws(SessionEnd) {
    guard writes.count < Self.most else {
      throw .failed("\(write.call.step.operation.id): more than \(Self.most) writes without a network")
    }
    writes.append(write)
  }
}

extension SessionRun {
  /// Executes the steps without a network, then sends their writes one after the other as the user's client would.
  nonisolated(nonsending) func execute(_ offline: OfflineStep) async throws(SessionEnd) {
    let back = due + (try evaluate(offline.duration))
    let unsent = UnsentWrites()
    self.unsent = unsent
    var end: SessionEnd?
    do throws(SessionEnd) {
      try await execute(offline.steps)
    } catch {
      end = error
    }
    self.unsent = nil
    // A user who leaves by the script has an app that sends the remaining writes. Any other end of a session ends the
    // app.
    if let end, end != .completed { throw end.leaving(unsent.writes.count) }
    due = max(due, back)
    try await wait(until: due)
    try await send(unsent.writes)
    if let end { throw end }
  }

  nonisolated(nonsending) private func send(_ writes: [UnsentWrites.Write]) async throws(SessionEnd) {
    for (number, write) in writes.enumerated() {
      if loopRun.loop.isOverdue { try await yieldLoop() }
      doing = write.call.step.operation.id
      let later = write.assumed == nil ? [] : writes[(number + 1)...].compactMap(\.assumed)
      do throws(SessionEnd) {
        try await perform(write.request, for: write.call, assuming: write.assumed, under: later)
      } catch {
        throw error.leaving(writes.count - number - 1)
      }
    }
  }

  /// A call that cannot be sent: a write is kept; a read uses the client's response, of any age.
  nonisolated(nonsending) func execute(
    _ call: Call, _ request: PreparedRequest, without unsent: UnsentWrites
  ) async throws(SessionEnd) {
    guard !call.step.isWrite else {
      trace("\(call.step.operation.id): offline: stored to be sent later")
      try unsent.keep(UnsentWrites.Write(request: request, call: call, assumed: assume(call.step)))
      return noteNoAnswer()
    }
    if call.step.reuse != nil, let answer = kept?.latest(KeptAnswers.Key(request.http)) {
      loopRun.recorder.skipCached(request.operation)
      trace("\(call.step.operation.id): offline: served from the client cache")
      return try await useKept(answer, for: call)
    }
    noteNoAnswer()
    trace("\(call.step.operation.id): offline: no response")
    // The user keeps its existing values.
    for save in call.step.saves {
      if let fallback = save.fallback { scope[save.variable] = try evaluate(fallback) }
    }
    guard let written = call.step.writtenForOffline else { return }
    if written.reaction == .end { throw .left("\(call.step.operation.id): offline") }
    try await execute(written.steps)
  }

  private func noteNoAnswer() {
    scope.status = 0
    if script.readsAnswers { scope.answer = LastAnswer(status: 0) }
  }
}

extension SessionEnd {
  /// The same end for a user with unsent writes. It excludes their number, so that equal ends are counted together.
  fileprivate func leaving(_ unsent: Int) -> SessionEnd {
    guard unsent > 0 else { return self }
    let words = "; offline writes were never sent"
    return switch self {
    case .failed(let reason): .failed(reason + words)
    case .left(let reason): .left(reason + words)
    case .completed, .cut: self
    }
  }
}

/// The values that a client shows for a call before its response.
final class Assumption {
  let assignments: [Assignment]
  /// The values of the names without it.
  fileprivate(set) var before: [(variable: Variable, value: JSONValue?)] = []

  init(_ assignments: [Assignment]) { self.assignments = assignments }
}

extension SessionRun {
  /// Shows the user the expected result of the call; nil where the call defines none.
  func assume(_ step: CallStep) throws(SessionEnd) -> Assumption? {
    guard !step.optimistic.isEmpty else { return nil }
    let assumption = Assumption(step.optimistic)
    try show(assumption)
    return assumption
  }

  /// Applies the values of unsent writes on top of the values from the responses so far.
  func assume(again assumptions: [Assumption]) throws(SessionEnd) {
    // The number of these evaluations depends on the API, and data must not.
    let stream = random
    for assumption in assumptions { try show(assumption) }
    random = stream
  }

  private func show(_ assumption: Assumption) throws(SessionEnd) {
    assumption.before = assumption.assignments.map { (variable: $0.variable, value: scope[$0.variable]) }
    try assign(assumption.assignments)
  }

  /// Restores the values of the names by the responses so far, without those of unsent writes.
  func settle(_ assumption: Assumption, isAccepted: Bool, under later: [Assumption]) {
    // In reverse, because a name may be set more than once.
    for assumption in later.reversed() { takeBack(assumption) }
    if !isAccepted { takeBack(assumption) }
  }

  private func takeBack(_ assumption: Assumption) {
    for (variable, value) in assumption.before.reversed() { scope[variable] = value }
  }
}
