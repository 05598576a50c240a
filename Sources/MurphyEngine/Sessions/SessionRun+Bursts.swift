import MurphyModel
import MurphyScenario
import MurphyTransport

extension SessionRun {
  /// Turn k of n begins at k · over / n, whether or not the one before was answered.
  func execute(_ burst: BurstStep) async throws(SessionEnd) {
    let count = try evaluate(burst.count)
    let span = try evaluate(burst.over)
    let begin = due
    var turns: [BurstTurn] = []
    for index in 0..<count {
      let moment = begin + BurstStep.offset(of: index, count: count, over: span)
      do throws(SessionEnd) {
        try await wait(until: moment)
      } catch {
        for turn in turns { await turn.task?.value }
        throw error
      }
      let turn = BurstTurn(SessionRun(turn: index, of: self, due: moment), steps: burst.steps)
      turn.task = shard.loop.start(with: turn) { await $0.take() }
      turns.append(turn)
    }
    for turn in turns { await turn.task?.value }
    guard let last = turns.last else { return }
    // What the last turn saved is what later steps see.
    let (index, outer) = (scope.index, last.run.scope)
    scope = outer
    trail = last.run.trail
    scope.index = index
    due = turns.map(\.run.due).max() ?? due
    if let end = turns.compactMap(\.end).first { throw end }
  }
}

/// One turn of a burst, in a task of its own.
private final class BurstTurn {
  let run: SessionRun
  private let steps: [Step]
  private(set) var end: SessionEnd?
  var task: Task<Void, Never>?

  init(_ run: SessionRun, steps: [Step]) {
    self.run = run
    self.steps = steps
  }

  func take() async {
    do throws(SessionEnd) {
      try await run.execute(steps)
    } catch {
      end = error
    }
  }
}
