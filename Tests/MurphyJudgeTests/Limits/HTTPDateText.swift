import Foundation

/// Writes dates as servers do.
enum HTTPDateText {
  /// IMF-fixdate (RFC 9110 §5.6.7) of a moment in seconds since the epoch, cut to whole seconds.
  static func text(_ seconds: Double) -> String {
    let formatter = DateFormatter()
    formatter.locale = Locale(identifier: "en_US_POSIX")
    formatter.timeZone = TimeZone(identifier: "GMT")
    formatter.dateFormat = "EEE, dd MMM yyyy HH:mm:ss 'GMT'"
    return formatter.string(from: Date(timeIntervalSince1970: seconds.rounded(.down)))
  }
}
