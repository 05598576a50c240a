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
