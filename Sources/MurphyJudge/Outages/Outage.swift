import MurphyModel

/// A stretch in which the target answered nothing although requests were sent.
public struct Outage: Sendable, Hashable {
  /// Seconds since the run's start: the last answer before it, or the first request that got none.
  public var from: Double
  /// The first answer after it, or the last request that got none.
  public var until: Double
  /// Whether the target answered again.
  public var isOver: Bool
  /// The requests that it cost, by the moment of their send.
  public var losses: [LostRequest]

  public init(from: Double, until: Double, isOver: Bool, losses: [LostRequest]) {
    self.from = from
    self.until = until
    self.isOver = isOver
    self.losses = losses
  }

  /// `from 11.9 s to 14.2 s`, `from 11.9 s on (until 15 s)`
  package var text: String {
    isOver
      ? "from \(Self.seconds(from)) to \(Self.seconds(until))"
      : "from \(Self.seconds(from)) on (until \(Self.seconds(until)))"
  }

  static func seconds(_ seconds: Double) -> String {
    let tenths = (seconds * 10).rounded() / 10
    return (tenths == tenths.rounded() ? "\(Int(tenths))" : "\(tenths)") + " s"
  }
}
