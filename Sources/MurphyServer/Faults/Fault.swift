/// A misbehaviour that a reference server can simulate, named as in `--fault NAME`.
///
/// A fault is declared once, in a list of its system or of all systems (`common`). Its behaviour is an `Effect` on the
/// hooks of the correct server, which contains no code for faults.
package struct Fault: Sendable {
  /// The name in `--fault`.
  package let name: String
  /// The kind of check that it violates.
  package let family: FaultFamily
  /// The affected operation; nil for each operation with the hooks of its effect.
  package let operation: Operation?
  /// The share of those requests that it affects.
  package let frequency: Frequency
  /// The behaviour of the server, in one line.
  package let summary: String
  /// Its overrides in the correct server.
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

  /// How often a fault appears.
  package enum Frequency: Sendable, Equatable {
    /// Each request to which the effect applies.
    case always
    /// Exactly one of each group of this number of requests, at a place generated from the server's seed.
    case oneIn(UInt64)
  }
}

extension Fault {
  /// The faults that every system can simulate: those of shared code.
  package static let common =
    errorFaults + latencyFaults + transportFaults + limiterFaults + refusalFaults
}

/// The kind of check that a fault violates.
package enum FaultFamily: String, CaseIterable, Sendable {
  /// The response does not conform to the OpenAPI document.
  case contract
  /// The response is late.
  case latency
  /// The response is later than that of the release before, and within any budget.
  case regression
  /// The response is well formed and on time, and wrong.
  case state
  /// The response is inconsistent with the request, or with another response.
  case relation
  /// The response is incomplete.
  case transport
  /// The rate limiter does not behave as documented.
  case limits
}
