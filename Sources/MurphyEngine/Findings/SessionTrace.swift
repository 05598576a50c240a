import MurphyContract
import MurphyHTTP
import MurphyModel
import MurphyScenario
import MurphySchema
import Synchronization

/// Observes the sessions while they run: `murphy try`, `--http-debug`. Every string that it receives is masked.
package final class SessionTrace: Sendable {
  /// What the trace reports, in order.
  package enum Event: Sendable {
    /// - Parameter number: the number of the arrival, from 0.
    case began(session: String, number: Int)
    case exchanged(TracedExchange)
    /// A name, and the JSON that a step saved under it.
    case saved(name: String, value: String)
    /// An expectation of the step's `expect:` that failed.
    case missed(expected: String, found: String)
    /// The result of a step that sends nothing.
    case noted(String)
    /// - Parameters:
    ///   - reason: the reason of an end before the last step; nil for a session that completed.
    ///   - isWanted: true if the scenario permits this end.
    case ended(session: String, number: Int, reason: String?, isWanted: Bool)
  }

  private let left: Atomic<Int>
  private let show: @Sendable (Event) -> Void

  /// - Parameters:
  ///   - most: the maximum of exchanges that are shown.
  ///   - show: called from the threads that generate the load.
  package init(most: Int = .max, _ show: @escaping @Sendable (Event) -> Void) {
    left = Atomic(most)
    self.show = show
  }

  func takesExchange() -> Bool {
    guard left.load(ordering: .relaxed) > 0 else { return false }
    return left.subtract(1, ordering: .relaxed).oldValue > 0
  }

  var isOpen: Bool { left.load(ordering: .relaxed) > 0 }

  func tell(_ event: Event) { show(event) }
}

/// A request, its response, and the findings on it.
package struct TracedExchange: Sendable {
  package var session: String
  /// The step's number in its session, such as `3.else.1`; empty for a session written in Swift.
  package var step: String
  /// The operationId.
  package var operation: String
  package var exchange: Exchange
  package var phases: ServicePhases?
  /// The reason why no response was received; nil if one was received.
  package var failure: String?
  /// The violations of the contract by the response; each sentence is a finding. Nil where nothing could be checked.
  package var violations: [String]?
  /// The reason why the response could not be checked; nil if it was.
  package var unchecked: String?
}

extension SessionRun {
  func trace(_ transfer: Transfer, _ request: PreparedRequest) {
    guard let trace = loopRun.openTrace, trace.takesExchange() else { return }
    collectSecrets(transfer, request)
    let evidence = loopRun.evidence(transfer, request, evidenceHistory)
    guard let exchange = evidence.exchange else { return }
    var traced = TracedExchange(
      session: script.name, step: place, operation: loopRun.context.contract.operations[request.operation].id,
      exchange: exchange)
    switch transfer.ending {
    case .failed(let error): traced.failure = error.detail
    case .answered:
      traced.phases = transfer.phases
      switch loopRun.judgement {
      case .conformant?: traced.violations = []
      case .violating(let violations)?: traced.violations = violations.map { shownText($0.message) }
      case .unchecked(let reason)?, .opaque(let reason)?: traced.unchecked = reason
      case nil: break
      }
    case .cancelled: traced.failure = "cancelled: a newer query was sent"
    case .abandoned, .inFlight: traced.failure = "the run ended before its response"
    }
    trace.tell(.exchanged(traced))
  }

  func trace(saved variable: Variable, _ value: JSONValue) {
    loopRun.openTrace?.tell(.saved(name: variable.name, value: shownText(value.text)))
  }

  func trace(_ miss: Miss) {
    loopRun.openTrace?.tell(.missed(expected: miss.expected, found: shownText(miss.found)))
  }

  func trace(_ note: @autoclosure () -> String) {
    loopRun.openTrace?.tell(.noted(note()))
  }

  /// The text without the secrets of the session.
  private func shownText(_ text: String) -> String {
    loopRun.context.mask.adding(evidenceHistory.secrets).masked(text)
  }
}

extension LoopRun {
  /// The observer, while its maximum of exchanges is not reached.
  var openTrace: SessionTrace? {
    guard isTraced, let trace = context.options.trace, trace.isOpen else { return nil }
    return trace
  }

  func trace(end: SessionEnd?, of arrival: Arrival) {
    guard let trace = openTrace else { return }
    let name = context.scenario.sessions[arrival.session].name
    let (reason, isWanted): (String?, Bool) =
      switch end {
      case nil, .completed: (nil, true)
      case .failed(let reason): (reason, false)
      case .left(let reason): (reason, true)
      case .cut: (context.cutting.isRequested ? "the run was stopped" : "its time was over", false)
      }
    trace.tell(.ended(session: name, number: arrival.index, reason: reason, isWanted: isWanted))
  }
}
