/// Dates as cookies and `Retry-After` carry them.
package enum CookieDate {
  private static let months = [
    "jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec",
  ]

  /// Seconds since 1970 by the forgiving rules of RFC 6265 §5.1.1, which read IMF-fixdate too; nil for no date.
  package static func seconds(_ text: String) -> Int64? {
    var time: [Int64]?
    var day: Int64?
    var month: Int64?
    var year: Int64?
    for token in text.split(whereSeparator: { !($0.isLetter || $0.isNumber || $0 == ":") }) {
      let parts = token.split(separator: ":").compactMap { Int64($0) }
      if time == nil, parts.count == 3 {
        time = parts
      } else if day == nil, token.count <= 2, let number = Int64(token) {
        day = number
      } else if month == nil, let index = months.firstIndex(of: token.prefix(3).lowercased()) {
        month = Int64(index) + 1
      } else if year == nil, let number = Int64(token), token.count == 2 || token.count == 4 {
        year = number < 70 ? number + 2000 : number < 100 ? number + 1900 : number
      }
    }
    guard let time, let day, let month, let year, (1...31).contains(day), year >= 1601, time[0] < 24, time[1] < 60,
      time[2] < 61
    else { return nil }
    return days(year, month, day) * 86_400 + time[0] * 3600 + time[1] * 60 + time[2]
  }

  /// Days since 1970-01-01 in the Gregorian calendar (Hinnant, "chrono-Compatible Low-Level Date Algorithms").
  private static func days(_ year: Int64, _ month: Int64, _ day: Int64) -> Int64 {
    let shifted = month <= 2 ? year - 1 : year
    let era = (shifted >= 0 ? shifted : shifted - 399) / 400
    let yearOfEra = shifted - era * 400
    let dayOfYear = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1
    return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
  }
}
