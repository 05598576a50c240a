import MurphyModel

/// How much load there is, and when.
public enum LoadProfile: Sendable, Hashable {
  /// Sessions arrive whatever the server does.
  case open([ArrivalStage], arrivals: ArrivalPattern = .even)
  /// Users begin a session when their last one ends.
  case closed(ClosedLoad)

  /// From the first arrival's zero to the end of the last stage.
  public var duration: Duration {
    switch self {
    case .open(let stages, _): stages.reduce(.zero) { $0 + $1.duration }
    case .closed(let closed): closed.stages.reduce(.zero) { $0 + $1.duration }
    }
  }

  /// One line per stage, in the scenario's words.
  public var lines: [String] {
    switch self {
    case .open(let stages, _): stages.map(\.text)
    case .closed(let closed): closed.stages.map(\.text)
    }
  }
}

/// When arrivals fall within a stage.
public enum ArrivalPattern: String, Sendable, Hashable, CaseIterable {
  /// Arrival k falls where the integral of the rate reaches k.
  case even
  /// A Poisson process with that rate.
  case poisson
}
