import Foundation

/// Dates as RFC 3339 writes them, in UTC.
enum Timestamp {
  /// `2024-01-15T10:30:00Z`
  static func text(secondsSince1970 seconds: Int) -> String {
    var civil = tm()
    var time = time_t(seconds)
    gmtime_r(&time, &civil)
    return String(
      format: "%04d-%02d-%02dT%02d:%02d:%02dZ", Int(civil.tm_year) + 1900, Int(civil.tm_mon) + 1, Int(civil.tm_mday),
      Int(civil.tm_hour), Int(civil.tm_min), Int(civil.tm_sec))
  }

  /// `2024-01-15`, today.
  static func today() -> String { String(text(secondsSince1970: Int(Date().timeIntervalSince1970)).prefix(10)) }
}
