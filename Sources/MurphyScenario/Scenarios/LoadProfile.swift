import MurphyModel

/// The amount of load over time.
public enum LoadProfile: Sendable, Hashable {
  /// Sessions arrive independently of the server.
  case open([ArrivalStage], arrivals: ArrivalPattern = .even)
  /// Users begin a session when their last one ends.
  case closed(ClosedLoad)

  /// From time zero of the load to the end of the last stage.
  public var duration: Duration {
    switch self {
    case .open(let stages, _): stages.reduce(.zero) { $0 + $1.duration }
    case .closed(let closed): closed.stages.reduce(.zero) { $0 + $1.duration }
    }
  }

  /// The stages with their start times.
  package var stages: [LoadStage] {
    var start = Duration.zero
    func place(_ unit: LoadStage.Unit, _ from: Double, _ to: Double, _ length: Duration) -> LoadStage {
      defer { start += length }
      return LoadStage(unit, from: from, to: to, start: start, end: start + length)
    }
    switch self {
    case .open(let stages, _):
      return stages.map { place(.sessionsPerSecond, $0.from.perSecond, $0.to.perSecond, $0.duration) }
    case .closed(let closed):
      return closed.stages.map { place(.users, Double($0.from), Double($0.to), $0.duration) }
    }
  }
}

/// The times of arrivals within a stage.
public enum ArrivalPattern: String, Sendable, Hashable, CaseIterable {
  /// Arrival k is due when the integral of the rate reaches k.
  case even
  /// A Poisson process with that rate.
  case poisson
}

extension LoadProfile {
  /// The maximum number of sessions in a plan. The times of a Poisson process are stored, eight bytes each.
  package static let mostArrivals = 100_000_000.0
  /// The maximum number of users of a load.
  package static let mostUsers = 1_000_000
  /// The maximum duration of a load.
  package static let longest: Duration = .seconds(366 * 86_400)

  /// The reason why the load exceeds the maximum of a run, as a sentence; nil if it does not.
  package var excess: String? {
    if duration > Self.longest {
      return "the load lasts \(duration.text), but a run can last at most one year; shorten the load"
    }
    switch self {
    case .open(let stages, _):
      let arrivals = stages.reduce(0) { $0 + $1.arrivals }
      guard !(arrivals <= Self.mostArrivals) else { return nil }
      return "the load starts more than \(Int(Self.mostArrivals)) sessions; lower the arrival rates or shorten the load"
    case .closed(let closed):
      return closed.mostUsers <= Self.mostUsers
        ? nil : "the load has more than \(Self.mostUsers) users; lower the number of users"
    }
  }

  /// `--load FACTOR`: the same stages with `factor` times the arrivals or users.
  package func scaled(by factor: Double) -> LoadProfile {
    func users(_ count: Int) -> Int { count == 0 ? 0 : max(Int(saturating: (Double(count) * factor).rounded()), 1) }
    return changing {
      ($0.from, $0.to) = (Rate(perSecond: $0.from.perSecond * factor), Rate(perSecond: $0.to.perSecond * factor))
    } users: {
      ($0.from, $0.to) = (users($0.from), users($0.to))
    }
  }

  private func changing(
    _ arrivals: (inout ArrivalStage) -> Void, users: (inout UserStage) -> Void
  ) -> LoadProfile {
    switch self {
    case .open(var stages, let pattern):
      for index in stages.indices { arrivals(&stages[index]) }
      return .open(stages, arrivals: pattern)
    case .closed(var closed):
      for index in closed.stages.indices { users(&closed.stages[index]) }
      return .closed(closed)
    }
  }

  /// `--iterations N`: the maximum number of sessions of each user. A load of arrivals has no users, and is unchanged.
  package func limited(to iterations: Int) -> LoadProfile {
    guard case .closed(var closed) = self else { return self }
    closed.iterations = min(iterations, closed.iterations ?? iterations)
    return .closed(closed)
  }

  /// `--duration D`: every stage is scaled by the same factor, so that all together last `total`.
  package func stretched(to total: Duration) -> LoadProfile {
    let now = duration.inSeconds
    guard now > 0 else { return self }
    let factor = total.inSeconds / now
    func stretch(_ length: inout Duration) { length = .saturating(seconds: length.inSeconds * factor) }
    return changing {
      stretch(&$0.duration)
    } users: {
      stretch(&$0.duration)
    }
  }
}

/// A part of an open model in which the rate changes linearly.
public struct ArrivalStage: Sendable, Hashable {
  /// The rate at its begin.
  public var from: Rate
  /// The rate at its end.
  public var to: Rate
  /// The length of the stage.
  public var duration: Duration
  /// Nil for a part of the usual load.
  package var disturbance: Disturbance.Kind?

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

  /// The integral of the rate: the number of arrivals in the stage.
  package var arrivals: Double { (from.perSecond + to.perSecond) / 2 * duration.inSeconds }
}

/// A closed model: a number of users, each of which begins a new session when the last one has ended.
public struct ClosedLoad: Sendable, Hashable {
  /// One after the other.
  public var stages: [UserStage]
  /// The maximum number of sessions of one user; nil for as many as the time allows.
  public var iterations: Int?
  /// From the end of a user's session to the beginning of the next.
  package var pause: DurationValue

  /// Stages of users without a pause between their sessions.
  public init(stages: [UserStage], iterations: Int? = nil) {
    self.init(stages: stages, iterations: iterations, pause: .zero)
  }

  package init(stages: [UserStage], iterations: Int?, pause: DurationValue) {
    self.stages = stages
    self.iterations = iterations
    self.pause = pause
  }

  /// The most users at any time.
  package var mostUsers: Int { stages.map { max($0.from, $0.to) }.max() ?? 0 }
}

/// A part of a closed model in which the number of users changes linearly.
public struct UserStage: Sendable, Hashable {
  /// Users at its begin.
  public var from: Int
  /// Users at its end.
  public var to: Int
  /// The length of the stage.
  public var duration: Duration
  /// Nil for a part of the usual load.
  package var disturbance: Disturbance.Kind?

  /// A stage between two numbers of users.
  public init(from: Int, to: Int, duration: Duration) {
    self.from = from
    self.to = to
    self.duration = duration
  }
}

extension ClosedLoad {
  /// The period in which a user is active, in nanoseconds from the start.
  package struct Presence: Sendable, Hashable {
    /// Nanoseconds from the start.
    package var begin: Int64
    /// No session begins from this time on.
    package var end: Int64
  }

  /// The periods in which user number `user` (from 0) is active: a pure function.
  ///
  /// User u is active while the target number of users is above u. On a ramp from a to b over d, the number passes u +
  /// ½ at d · (u + ½ − a) / (b − a).
  package func presences(of user: Int) -> [Presence] {
    let level = Double(user) + 0.5
    var presences: [Presence] = []
    var start: Int64 = 0
    func add(_ begin: Int64, _ end: Int64) {
      guard end > begin else { return }
      if let last = presences.last, last.end >= begin {
        presences[presences.count - 1].end = end
      } else {
        presences.append(Presence(begin: begin, end: end))
      }
    }
    for stage in stages {
      let (a, b) = (Double(stage.from), Double(stage.to))
      let length = stage.duration.nanoseconds
      let end = start + length
      switch (a > level, b > level) {
      case (true, true): add(start, end)
      case (false, true): add(start + Int64(saturating: Double(length) * (level - a) / (b - a)), end)
      case (true, false): add(start, start + Int64(saturating: Double(length) * (level - a) / (b - a)))
      case (false, false): break
      }
      start = end
    }
    return presences
  }
}
