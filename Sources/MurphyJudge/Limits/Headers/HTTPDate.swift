/// A date as HTTP writes it (RFC 9110 §5.6.7): IMF-fixdate, and the two obsolete forms that must be understood.
package enum HTTPDate {
  /// Seconds since the epoch, or nil for anything else.
  ///
  ///     Sun, 06 Nov 1994 08:49:37 GMT     IMF-fixdate
  ///     Sunday, 06-Nov-94 08:49:37 GMT    RFC 850
  ///     Sun Nov  6 08:49:37 1994          asctime
  package static func seconds(_ text: String) -> Double? {
    let words = text.split(whereSeparator: { $0 == " " || $0 == "-" || $0 == "," }).map(String.init)
    if words.count == 6, words[5] == "GMT", words[0].count == 3 || words[0].hasSuffix("day"), text.contains(",") {
      let yearText = words[3]
      guard var year = Int(yearText), yearText.count == 4 || yearText.count == 2 else { return nil }
      // RFC 9110: a two-digit year is within fifty years; 70…99 are taken as the last century's.
      if yearText.count == 2 { year += year < 70 ? 2000 : 1900 }
      return seconds(day: words[1], month: words[2], year: year, clock: words[4])
    }
    if words.count == 5, let year = Int(words[4]), words[4].count == 4 {
      return seconds(day: words[2], month: words[1], year: year, clock: words[3])
    }
    return nil
  }

  /// RFC 3339, as some APIs write a reset: `2026-11-21T02:10:00Z`, with or without fraction and offset.
  package static func seconds(iso text: String) -> Double? {
    let bytes = Array(text.utf8)
    guard bytes.count >= 19, bytes[4] == 0x2D, bytes[7] == 0x2D, bytes[10] == 0x54 || bytes[10] == 0x20 else {
      return nil
    }
    let date = text.prefix(10).split(separator: "-").map(String.init)
    guard date.count == 3, let year = Int(date[0]), let month = Int(date[1]), let day = Int(date[2]),
      (1...12).contains(month), (1...31).contains(day), let clock = clockSeconds(String(text.dropFirst(11).prefix(8)))
    else { return nil }
    var rest = text.dropFirst(19)
    var fraction = 0.0
    if rest.first == "." {
      let digits = rest.dropFirst().prefix(while: \.isNumber)
      fraction = Double("0." + digits) ?? 0
      rest = rest.dropFirst(1 + digits.count)
    }
    var offset = 0.0
    if let sign = rest.first, sign == "+" || sign == "-" {
      guard let clock = clockSeconds(rest.dropFirst() + ":00") else { return nil }
      offset = clock * (sign == "-" ? -1 : 1)
    } else if !rest.isEmpty, rest != "Z" {
      return nil
    }
    return Double(daysSinceEpoch(year, month, day) * 86400) + clock + fraction - offset
  }

  private static let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]

  private static func seconds(day: String, month: String, year: Int, clock: String) -> Double? {
    guard let day = Int(day), (1...31).contains(day), let index = months.firstIndex(of: month),
      let clock = clockSeconds(clock)
    else { return nil }
    return Double(daysSinceEpoch(year, index + 1, day) * 86400) + clock
  }

  private static func clockSeconds(_ text: some StringProtocol) -> Double? {
    let parts = text.split(separator: ":", omittingEmptySubsequences: false)
    guard parts.count == 3, parts.allSatisfy({ $0.utf8.count == 2 }), let hours = Int(parts[0]), hours < 24,
      let minutes = Int(parts[1]), minutes < 60, let seconds = Int(parts[2]), seconds < 61
    else { return nil }
    return Double(hours * 3600 + minutes * 60 + seconds)
  }

  /// Days from 1970-01-01 in the proleptic Gregorian calendar (Hinnant, "chrono-compatible low-level date algorithms").
  private static func daysSinceEpoch(_ year: Int, _ month: Int, _ day: Int) -> Int {
    let year = month <= 2 ? year - 1 : year
    let era = (year >= 0 ? year : year - 399) / 400
    let yearOfEra = year - era * 400
    let dayOfYear = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1
    let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
    return era * 146_097 + dayOfEra - 719_468
  }
}
