/// A stretch in which the target answered nothing, and after which it answered what had waited.
public struct Stall: Sendable, Hashable {
  /// Seconds since the run's start: the last sign of life before it.
  public var from: Double
  /// The first answer after it.
  public var until: Double
  /// Requests that were under way at its end and were answered afterwards.
  public var answered: Int
  /// Requests that were under way at its end and failed afterwards.
  public var failed: Int

  public init(from: Double, until: Double, answered: Int, failed: Int) {
    self.from = from
    self.until = until
    self.answered = answered
    self.failed = failed
  }
}
