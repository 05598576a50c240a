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
  package var stages: [LoadStage] {
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

extension LoadProfile {
  /// Sessions that a plan holds; the moments of a Poisson process are kept, eight bytes each.
  package static let mostArrivals = 100_000_000.0
  package static let mostUsers = 1_000_000
  package static let longest: Duration = .seconds(366 * 86_400)

  /// Why the load is larger than a run can be, in a sentence; nil for one that is not.
  package var excess: String? {
    if duration > Self.longest { return "the load lasts \(duration.text); a run lasts at most a year" }
    switch self {
    case .open(let stages, _):
      let arrivals = stages.reduce(0) { $0 + $1.arrivals }
      guard !(arrivals <= Self.mostArrivals) else { return nil }
      return "the load brings more than \(Int(Self.mostArrivals)) sessions; lower its rates or shorten it"
    case .closed(let closed):
      return closed.mostUsers <= Self.mostUsers ? nil : "the load has more than \(Self.mostUsers) users"
    }
  }
}

extension LoadProfile {
  /// `--load FACTOR`: the same stages with `factor` times the arrivals or users.
  package func scaled(by factor: Double) -> LoadProfile {
    switch self {
    case .open(let stages, let arrivals):
      .open(
        stages.map {
          ArrivalStage(
            from: Rate(perSecond: $0.from.perSecond * factor), to: Rate(perSecond: $0.to.perSecond * factor),
            duration: $0.duration)
        }, arrivals: arrivals)
    case .closed(var closed):
      {
        func users(_ count: Int) -> Int { count == 0 ? 0 : max(Int(saturating: (Double(count) * factor).rounded()), 1) }
        closed.stages = closed.stages.map {
          UserStage(from: users($0.from), to: users($0.to), duration: $0.duration)
        }
        return .closed(closed)
      }()
    }
  }

  /// `--iterations N`: no user begins more sessions than that. A load of arrivals has no users, and stays as it is.
  package func limited(to iterations: Int) -> LoadProfile {
    guard case .closed(var closed) = self else { return self }
    closed.iterations = min(iterations, closed.iterations ?? iterations)
    return .closed(closed)
  }

  /// `--duration D`: every stage stretched or shortened alike, so that all together last `total`.
  package func stretched(to total: Duration) -> LoadProfile {
    let now = duration.inSeconds
    guard now > 0 else { return self }
    let factor = total.inSeconds / now
    switch self {
    case .open(let stages, let arrivals):
      return .open(
        stages.map {
          ArrivalStage(from: $0.from, to: $0.to, duration: .saturating(seconds: $0.duration.inSeconds * factor))
        }, arrivals: arrivals)
    case .closed(var closed):
      closed.stages = closed.stages.map {
        UserStage(from: $0.from, to: $0.to, duration: .saturating(seconds: $0.duration.inSeconds * factor))
      }
      return .closed(closed)
    }
  }
}

/// A stretch of an open model in which the rate changes linearly.
public struct ArrivalStage: Sendable, Hashable {
  /// The rate at its begin.
  public var from: Rate
  /// The rate at its end.
  public var to: Rate
  /// How long it lasts.
  public var duration: Duration

  /// A stage between two rates.
  public init(from: Rate, to: Rate, duration: Duration) {
    self.from = from
    self.to = to
    self.duration = duration
  }

  /// A stage of one rate.
  public static func hold(_ rate: Rate, for duration: Duration) -> ArrivalStage {
    ArrivalStage(from: rate, to: rate, duration: duration)
  }

  /// The integral of the rate: how many arrivals the stage brings.
  package var arrivals: Double { (from.perSecond + to.perSecond) / 2 * duration.inSeconds }
}
