/// A second of UTC by calendar and clock.
struct CivilTime {
  var year: Int
  var month: Int
  var day: Int
  var second: Int
  /// 0 is Sunday.
  var weekday: Int

  /// Howard Hinnant, "chrono-Compatible Low-Level Date Algorithms", civil_from_days; proleptic Gregorian.
  init(secondsSince1970 seconds: Int) {
    let days = Int(saturating: (Double(seconds) / 86_400).rounded(.down))
    second = seconds - days * 86_400
    weekday = ((days + 4) % 7 + 7) % 7
    let shifted = days + 719_468
    let era = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
    let dayOfEra = shifted - era * 146_097
    let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let marchMonth = (5 * dayOfYear + 2) / 153
    day = dayOfYear - (153 * marchMonth + 2) / 5 + 1
    month = marchMonth < 10 ? marchMonth + 3 : marchMonth - 9
    year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
  }

  /// `2026-11-21`
  var date: String { "\(Self.padded(year, 4))-\(Self.padded(month, 2))-\(Self.padded(day, 2))" }

  /// `01:54:22`
  var time: String {
    "\(Self.padded(second / 3600, 2)):\(Self.padded(second / 60 % 60, 2)):\(Self.padded(second % 60, 2))"
  }

  /// `Sat, 21 Nov 2026 01:54:22 GMT`
  var imfFixdate: String {
    let days = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"]
    let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
    return "\(days[weekday]), \(Self.padded(day, 2)) \(months[month - 1]) \(Self.padded(year, 4)) \(time) GMT"
  }

  static func padded(_ number: Int, _ width: Int) -> String {
    let text = String(number)
    return String(repeating: "0", count: max(width - text.count, 0)) + text
  }
}
