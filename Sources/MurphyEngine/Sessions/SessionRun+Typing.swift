import MurphyHTTP
import MurphyModel
import MurphyScenario

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
      let answer = try await run.exchange(
        request, intended: due, ready: ready, patience: patience, started: hold
      ) { transfer throws(SessionEnd) in
        transfer.ending.isCancelled ? nil : try run.conclude(transfer, request, call, retries: .max)
      }
      transfer = nil
      if let answer {
        ended = answer.ended
        if answer.reaction != .proceed { end = answer.end }
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
