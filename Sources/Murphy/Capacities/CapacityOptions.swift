import MurphyCapacity
import MurphyModel

/// What a search for the capacity is asked for.
package struct CapacityOptions: Sendable {
  /// Target, seed, sessions, threads and credentials. Its load, users and duration are not used.
  package var run = RunOptions()
  /// The first load after the calibration: sessions per second, or users; nil for the scenario's highest.
  package var first: Double?
  /// Nothing above it is tried; nil for no end.
  package var most: Double?
  /// Searches users of a closed model in place of arrivals; nil for the scenario's own model.
  package var countsUsers: Bool?
  /// How close the bounds come to each other: 0.05 for 5 %.
  package var precision = 0.05
  /// The judged part of a window.
  package var window: Duration = .seconds(10)
  /// The longest time. No window begins that could not end within it.
  package var limit: Duration = .seconds(1800)
  /// The load that must hold for a PASS; nil for whichever is found.
  package var required: Double?

  package init() {}
}
