import MurphyModel

/// What a scenario declares of one invariant, besides its rule.
package struct StateTerms: Sendable {
  /// Whether nobody but this run changes its keys.
  package var isExclusive = false
  /// Nanoseconds within which an unanswered write takes effect, or never; ``Span/forever`` when nothing is declared.
  package var settle = Span.forever
  /// Nanoseconds within which a write that was answered with 202 takes effect.
  package var within: Int64 = 0
  /// By operation: nanoseconds by which its answers may be old.
  package var lags: [Int: Int64] = [:]
  /// Whether every actor that the run uses did nothing before it, as at a target that was started for the run.
  package var startsQuiet = false

  package init() {}
}

extension StateTerms {
  /// When a write can have taken effect; nil for one that was refused.
  func change(_ exchange: StateExchange, index: Int) -> Change? {
    let (from, until) = (exchange.sent, exchange.answered)
    return switch exchange.outcome {
    case .accepted: Change(Span(from, until), index: index)
    case .pending: Change(Span(from, until.later(by: within)), index: index)
    case .unknown: Change(Span(from, from.later(by: settle)), isOptional: true, index: index)
    case .refused: nil
    }
  }

  /// When a key was as an answer shows it.
  func view(_ exchange: StateExchange) -> Span {
    Span(exchange.sent.later(by: -(lags[Int(exchange.operation)] ?? 0)), exchange.answered)
  }

  /// Whether all answers show the state of their own time.
  var isFresh: Bool { lags.values.allSatisfy { $0 == 0 } }
}
