import MurphyModel

/// A closed model: a number of users, each beginning a new session when the last one ended.
public struct ClosedLoad: Sendable, Hashable {
  public var stages: [UserStage]
  /// Sessions of one user, at most; nil for as many as the time allows.
  public var iterations: Int?
  /// From the end of a user's session to the beginning of the next.
  package var pause: DurationValue

  public init(stages: [UserStage], iterations: Int? = nil) {
    self.init(stages: stages, iterations: iterations, pause: .zero)
  }

  package init(stages: [UserStage], iterations: Int?, pause: DurationValue) {
    self.stages = stages
    self.iterations = iterations
    self.pause = pause
  }

  /// The most users at any time.
  public var mostUsers: Int { stages.map { max($0.from, $0.to) }.max() ?? 0 }
}

/// A stretch of a closed model in which the number of users changes linearly.
public struct UserStage: Sendable, Hashable {
  public var from: Int
  public var to: Int
  public var duration: Duration

  public init(from: Int, to: Int, duration: Duration) {
    self.from = from
    self.to = to
    self.duration = duration
  }

  /// `50 users for 30s`, `0..50 users for 10s`
  public var text: String {
    (from == to ? "\(from)" : "\(from)..\(to)") + " users for \(duration.text)"
  }
}
