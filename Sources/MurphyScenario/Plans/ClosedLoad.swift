import MurphyModel

/// A closed model: a number of users, each beginning a new session when the last one ended.
public struct ClosedLoad: Sendable, Hashable {
  /// One after the other.
  public var stages: [UserStage]
  /// Sessions of one user, at most; nil for as many as the time allows.
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

/// A stretch of a closed model in which the number of users changes linearly.
public struct UserStage: Sendable, Hashable {
  /// Users at its begin.
  public var from: Int
  /// Users at its end.
  public var to: Int
  /// How long it lasts.
  public var duration: Duration

  /// A stage between two numbers of users.
  public init(from: Int, to: Int, duration: Duration) {
    self.from = from
    self.to = to
    self.duration = duration
  }
}

extension ClosedLoad {
  /// The stretch of time in which a user is there, nanoseconds from the start.
  package struct Presence: Sendable, Hashable {
    package var begin: Int64
    /// No session begins from here on.
    package var end: Int64
  }

  /// When user number `user` (from 0) is there: a pure function.
  ///
  /// User u is there while the wanted number of users is above u: on a ramp from a to b over d, the number
  /// passes u + ½ at d · (u + ½ − a) / (b − a).
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
