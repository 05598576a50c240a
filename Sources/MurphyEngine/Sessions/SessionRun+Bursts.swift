import MurphyHTTP
import MurphyModel
import MurphyScenario

extension SessionRun {
  /// Turn k of n begins at k · over / n, even if the previous turn has no response yet.
  nonisolated(nonsending) func execute(_ burst: BurstStep) async throws(SessionEnd) {
    let count = try evaluate(burst.count)
    let span = try evaluate(burst.over)
    let begin = due
    var turns = BurstTurns()
    for index in 0..<count {
      let moment = begin + BurstStep.offset(of: index, count: count, over: span)
      do throws(SessionEnd) {
        try await wait(until: moment)
        if loopRun.loop.isOverdue { try await yieldLoop() }
      } catch {
        await turns.finish()
        throw error
      }
      await turns.makeRoom()
      let turn = BurstTurn(SessionRun(turn: index, of: self, due: moment), steps: burst.steps)
      turn.task = loopRun.loop.start(with: turn) { await $0.run() }
      turns.append(turn)
    }
    await turns.finish()
    guard let last = turns.last else { return }
    // Later steps see the values that the last turn saved.
    let (index, outer) = (scope.index, last.run.scope)
    scope = outer
    history = last.run.history
    scope.index = index
    due = max(turns.due ?? due, begin)
    if let end = turns.end { throw end }
  }
}

/// The turns of a burst that still run, and the results of those that ended.
private struct BurstTurns {
  /// Each turn has a task and a user's state: a burst of a million turns must not hold all of them at the same time.
  private static let most = 10_000

  private var running: [BurstTurn] = []
  private(set) var last: BurstTurn?
  private(set) var due: Instant?
  /// The end of the earliest turn that ended the session.
  private(set) var end: SessionEnd?

  mutating func append(_ turn: BurstTurn) {
    running.append(turn)
    last = turn
  }

  /// Releases turns that ended; waits for the oldest when there are too many.
  nonisolated(nonsending) mutating func makeRoom() async {
    guard running.count >= Self.most else { return }
    await running[0].task?.value
    let ended = running.filter(\.isEnded)
    running.removeAll(where: \.isEnded)
    recordEnds(of: ended)
  }

  nonisolated(nonsending) mutating func finish() async {
    for turn in running { await turn.task?.value }
    recordEnds(of: running)
    running = []
  }

  private mutating func recordEnds(of ended: [BurstTurn]) {
    for turn in ended {
      due = max(due ?? turn.run.due, turn.run.due)
      end = end ?? turn.end
    }
  }
}

private final class BurstTurn {
  let run: SessionRun
  private let steps: [Step]
  private(set) var end: SessionEnd?
  private(set) var isEnded = false
  var task: Task<Void, Never>?

  init(_ run: SessionRun, steps: [Step]) {
    self.run = run
    self.steps = steps
  }

  nonisolated(nonsending) func run() async {
    defer { isEnded = true }
    do throws(SessionEnd) {
      try await run.execute(steps)
    } catch {
      end = error
    }
  }
}

extension SessionRun {
  /// Simulates a typing person: requests at the pauses, each of which may cancel the previous one.
  nonisolated(nonsending) func execute(_ step: TypeStep) async throws(SessionEnd) {
    place = step.call.step.number
    let text = try evaluate(step.text).interpolated
    let queries = try evaluating { () throws(EvaluationError) in
      try step.queries(typing: text, in: &scope, random: &random)
    }
    let begin = due
    var sent: [TypedQuery] = []
    var cut: SessionEnd?
    for (index, query) in queries.enumerated() {
      do throws(SessionEnd) {
        try await wait(until: begin + query.due)
        var ready = begin + query.due
        if step.newer == .waits, let last = sent.last, !last.isFinished {
          await last.task?.value
          ready = max(ready, .now)
        }
        if step.newer == .cancels { sent.last?.supersede() }
        scope.typed = query.typed
        let request = try await authorise(prepare(step.call))
        let typed = TypedQuery(request, call: step.call, run: self, due: begin + query.due)
        typed.ready = ready
        // The plan determines the times of the keys, not the responses: patience does not depend on the API.
        if step.newer == .cancels, index + 1 < queries.count { typed.patience = queries[index + 1].due - query.due }
        typed.task = loopRun.loop.start(with: typed) { await $0.send() }
        sent.append(typed)
      } catch {
        cut = error
        break
      }
    }
    for query in sent { await query.task?.value }
    due = sent.map(\.ended).max() ?? due
    if let end = cut ?? sent.compactMap(\.end).first { throw end }
  }
}

/// One request of a typing person, in a separate task.
private final class TypedQuery {
  private let request: PreparedRequest
  private let call: Call
  private let run: SessionRun
  private let due: Instant
  private weak var transfer: Transfer?
  private var isSuperseded = false
  /// The time at which the user could send it: later than due for a user who waits for the previous response.
  var ready: Instant
  /// Nanoseconds until the next query supersedes this one; nil when none does.
  var patience: Int64?
  private(set) var isFinished = false
  private(set) var end: SessionEnd?
  private(set) var ended: Instant
  var task: Task<Void, Never>?

  init(_ request: PreparedRequest, call: Call, run: SessionRun, due: Instant) {
    self.request = request
    self.call = call
    self.run = run
    self.due = due
    ready = due
    ended = due
  }

  /// A newer query makes this one obsolete: it is cancelled while in flight.
  func supersede() {
    isSuperseded = true
    transfer?.cancel()
  }

  nonisolated(nonsending) func send() async {
    defer { isFinished = true }
    do throws(SessionEnd) {
      let response = try await run.exchange(
        request, intended: due, ready: ready, patience: patience, started: hold
      ) { transfer, outcome throws(SessionEnd) in
        transfer.ending.isCancelled
          ? nil : try run.conclude(transfer, request, call, isRejected: outcome.isRejected, retries: .max)
      }
      transfer = nil
      if let response {
        ended = response.ended
        if response.reaction != .proceed { end = response.end }
      }
    } catch {
      transfer = nil
      end = error
    }
  }

  private func hold(_ transfer: Transfer) {
    self.transfer = transfer
    if isSuperseded { transfer.cancel() }
  }
}

extension Transfer.Ending {
  var isCancelled: Bool { if case .cancelled = self { true } else { false } }
}
