/// A misbehaviour that a reference server can be told to show, named as in `--fault NAME`.
///
/// A fault is declared once, in a list of its system or of all systems (`common`); what it does is an `Effect` on the hooks of the honest server,
/// which knows nothing of faults.
package struct Fault: Sendable {
  /// The name that `--fault` takes.
  package let name: String
  /// Which promise it breaks.
  package let family: FaultFamily
  /// The operation that shows it; nil for each that comes to the hooks of its effect.
  package let operation: Operation?
  /// How many of those requests show it.
  package let frequency: Frequency
  /// What the server does, in one line.
  package let summary: String
  /// What it overrides in the honest server.
  package let effect: Effect

  package init(
    _ name: String, _ family: FaultFamily, on operation: Operation? = nil, frequency: Frequency = .always,
    _ summary: String, _ effect: Effect
  ) {
    self.name = name
    self.family = family
    self.operation = operation
    self.frequency = frequency
    self.summary = summary
    self.effect = effect
  }

  package enum Frequency: Sendable, Equatable {
    /// Each request, as far as the effect goes.
    case always
    /// Exactly one in each so many requests, at a place drawn from the server's seed.
    case oneIn(UInt64)
  }
}

extension Fault {
  /// The faults that every system can show: those of what all servers share.
  package static let common =
    errorFaults + latencyFaults + transportFaults + limiterFaults + refusalFaults
}

/// Which promise a fault breaks.
package enum FaultFamily: String, CaseIterable, Sendable {
  /// The answer is not what the OpenAPI document says.
  case contract
  /// The answer comes late.
  case latency
  /// The answer comes later than the release before would have sent it, and in time for any budget.
  case regression
  /// The answer is well formed and on time, and wrong.
  case state
  /// The answer does not fit what was asked for, or another answer.
  case relation
  /// The answer does not arrive whole.
  case transport
  /// The rate limiter does not do what it promises.
  case limits
}
