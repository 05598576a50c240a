import MurphyCapacity
import MurphyModel

/// What a search for the capacity is asked for.
public struct CapacityOptions: Sendable {
  /// Target, seed, sessions, threads and credentials. Its load, users and duration are not used.
  public var run = RunOptions()
  /// The first load after the calibration: sessions per second, or users; nil for the scenario's highest.
  public var first: Double?
  /// Nothing above it is tried; nil for no end.
  public var most: Double?
  /// Searches users of a closed model in place of arrivals; nil for the scenario's own model.
  public var countsUsers: Bool?
  /// How close the bounds come to each other: 0.05 for 5 %.
  public var precision = 0.05
  /// The judged part of a window.
  public var window: Duration = .seconds(10)
  /// No window begins that could not end within this time.
  public var limit: Duration = .seconds(1800)
  /// The load that must hold for a PASS; nil for whichever is found.
  public var required: Double?

  /// All as it is by default.
  public init() {}
}
