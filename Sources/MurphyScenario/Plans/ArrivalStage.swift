import MurphyModel

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
