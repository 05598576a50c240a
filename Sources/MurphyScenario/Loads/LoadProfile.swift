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

  /// The stages with their places in time.
  public var stages: [LoadStage] {
    var start = Duration.zero
    func place(_ unit: LoadStage.Unit, _ from: Double, _ to: Double, _ length: Duration) -> LoadStage {
      defer { start += length }
      return LoadStage(unit, from: from, to: to, start: start.inSeconds, end: (start + length).inSeconds)
    }
    switch self {
    case .open(let stages, _):
      return stages.map { place(.sessionsPerSecond, $0.from.perSecond, $0.to.perSecond, $0.duration) }
    case .closed(let closed):
      return closed.stages.map { place(.users, Double($0.from), Double($0.to), $0.duration) }
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
