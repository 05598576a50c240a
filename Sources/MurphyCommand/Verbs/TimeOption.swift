import Murphy
import MurphyModel

/// Options that take a time: seconds, or a time with its unit.
enum TimeOption {
  static let day = 86_400.0

  /// - Parameters:
  ///   - text: `90`, `90s`, `10m`.
  ///   - option: `--max-seconds`.
  ///   - most: seconds.
  /// - Returns: seconds, above 0.
  /// - Throws: `GateError.usage` for what is not such a time.
  static func seconds(_ text: String, _ option: String, atMost most: Double = day) throws(GateError) -> Double {
    guard case .success(let seconds) = Quantity.looseDuration(text), seconds > 0, seconds <= most else {
      let longest = Duration.saturating(seconds: most).text
      throw .usage("\(option) takes a time such as 90s or 10m, at most \(longest), found \"\(text)\".")
    }
    return seconds
  }
}
