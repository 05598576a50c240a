import MurphyModel

/// A stretch of an open model in which the rate changes linearly.
public struct ArrivalStage: Sendable, Hashable {
  public var from: Rate
  public var to: Rate
  public var duration: Duration

  public init(from: Rate, to: Rate, duration: Duration) {
    self.from = from
    self.to = to
    self.duration = duration
  }

  public static func hold(_ rate: Rate, for duration: Duration) -> ArrivalStage {
    ArrivalStage(from: rate, to: rate, duration: duration)
  }

  /// The integral of the rate: how many arrivals the stage brings.
  package var arrivals: Double { (from.perSecond + to.perSecond) / 2 * duration.inSeconds }
}
