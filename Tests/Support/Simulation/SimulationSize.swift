import Foundation

/// How much of the simulations a test run does: `MURPHY_SIMULATIONS=full` for the published numbers, or a factor.
public enum SimulationSize {
  private static var factor: Double? {
    let value = ProcessInfo.processInfo.environment["MURPHY_SIMULATIONS"] ?? ""
    return value == "full" ? 1 : Double(value)
  }

  /// `full` simulations, or the part that this run does; at least `least`.
  /// - Parameter part: the share that a run does by default.
  public static func count(_ full: Int, least: Int = 10, part: Double = 0.05) -> Int {
    max(least, Int(Double(full) * (factor ?? part)))
  }
}
