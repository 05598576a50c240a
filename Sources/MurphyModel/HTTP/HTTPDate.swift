/// A date in the HTTP format (RFC 9110 §5.6.7): IMF-fixdate, and the two obsolete forms that recipients must accept.
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
      // RFC 9110: a two-digit year is within fifty years; 70…99 are read as the last century's.
      if yearText.count == 2 { year += year < 70 ? 2000 : 1900 }
      return seconds(day: words[1], month: words[2], year: year, clock: words[4])
    }
    if words.count == 5, let year = Int(words[4]), words[4].count == 4 {
      return seconds(day: words[2], month: words[1], year: year, clock: words[3])
    }
    return nil
  }

  /// RFC 3339, which some APIs use for a reset: `2026-11-21T02:10:00Z`, with or without fraction and offset.
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
      let digits = rest.dropFirst().prefix { $0.isASCII && $0.isNumber }
      guard !digits.isEmpty, let part = Double("0." + digits) else { return nil }
      fraction = part
      rest = rest.dropFirst(1 + digits.count)
    }
    var offset = 0.0
    if let sign = rest.first, sign == "+" || sign == "-" {
      guard let clock = clockSeconds(rest.dropFirst() + ":00") else { return nil }
      offset = clock * (sign == "-" ? -1 : 1)
    } else if !rest.isEmpty, rest != "Z" {
      return nil
    }
    return Double(CivilTime.days(year, month, day) * 86400) + clock + fraction - offset
  }

  private static func seconds(day: String, month: String, year: Int, clock: String) -> Double? {
    guard let day = Int(day), (1...31).contains(day), let index = CivilTime.months.firstIndex(of: month),
      let clock = clockSeconds(clock)
    else { return nil }
    return Double(CivilTime.days(year, index + 1, day) * 86400) + clock
  }

  private static func clockSeconds(_ text: some StringProtocol) -> Double? {
    let parts = text.split(separator: ":", omittingEmptySubsequences: false)
    guard parts.count == 3, parts.allSatisfy({ $0.utf8.count == 2 }), let hours = Int(parts[0]), hours < 24,
      let minutes = Int(parts[1]), minutes < 60, let seconds = Int(parts[2]), seconds < 61
    else { return nil }
    return Double(hours * 3600 + minutes * 60 + seconds)
  }

  /// A cookie's `Expires` by the lenient rules of RFC 6265 §5.1.1, in seconds since the epoch; nil without a valid
  /// date.
  package static func seconds(cookie text: String) -> Int64? {
    var time: [Int]?
    var day: Int?
    var month: Int?
    var year: Int?
    for token in text.split(whereSeparator: { !($0.isLetter || $0.isNumber || $0 == ":") }) {
      let parts = token.split(separator: ":").compactMap { Int($0) }
      if time == nil, parts.count == 3 {
        time = parts
      } else if day == nil, token.count <= 2, let number = Int(token) {
        day = number
      } else if month == nil, let index = CivilTime.months.firstIndex(of: token.prefix(3).capitalized) {
        month = index + 1
      } else if year == nil, let number = Int(token), token.count == 2 || token.count == 4 {
        year = number < 70 ? number + 2000 : number < 100 ? number + 1900 : number
      }
    }
    guard let time, let day, let month, let year, (1...31).contains(day), year >= 1601, time[0] < 24, time[1] < 60,
      time[2] < 61
    else { return nil }
    return Int64(CivilTime.days(year, month, day) * 86_400 + time[0] * 3600 + time[1] * 60 + time[2])
  }
}

extension Substring {
  /// `Nov` for `NOV` and `nov`.
  fileprivate var capitalized: String { prefix(1).uppercased() + dropFirst().lowercased() }
}

/// `Retry-After` (RFC 9110 §10.2.3): whole seconds from the receipt of the response, or a date.
package enum RetryAfter: Sendable, Hashable {
  case seconds(Int)
  /// Seconds since the epoch, on the server's clock.
  case date(Double)

  /// Nil if it is neither: `1.5`, `-1` and `60s` are syntax errors.
  package init?(_ text: String) {
    if (1...15).contains(text.utf8.count), text.utf8.allSatisfy({ (0x30...0x39).contains($0) }), let seconds = Int(text)
    {
      self = .seconds(seconds)
    } else if let date = HTTPDate.seconds(text) {
      self = .date(date)
    } else {
      return nil
    }
  }

  /// The wait that the headers of a response request, at least 0; a date counts from the response's own
  /// `Date`. Nil without a `Retry-After`, and for a `Retry-After` that is neither.
  ///
  /// - Parameter now: seconds since the epoch, for a response without a date.
  package static func wait(_ headers: [HeaderField], now: Int64) -> Duration? {
    switch headers.first(named: "retry-after").flatMap({ RetryAfter($0.value) }) {
    case .seconds(let seconds)?: return .saturating(seconds: Double(seconds))
    case .date(let moment)?:
      let date = headers.first(named: "date").flatMap { HTTPDate.seconds($0.value) }
      return .saturating(seconds: max(moment - (date ?? Double(now)), 0))
    case nil: return nil
    }
  }
}

/// A second of UTC as a calendar date and time of day.
package struct CivilTime {
  /// In the proleptic Gregorian calendar.
  package var year: Int
  /// From 1 to 12.
  package var month: Int
  /// The day of the month, from 1.
  package var day: Int
  /// Seconds since midnight UTC.
  package var second: Int
  /// 0 is Sunday.
  package var weekday: Int

  /// The names in the HTTP format (RFC 9110 §5.6.7).
  package static let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]

  /// Days from 1970-01-01 in the proleptic Gregorian calendar (Howard Hinnant, "chrono-Compatible Low-Level Date
  /// Algorithms", days_from_civil).
  package static func days(_ year: Int, _ month: Int, _ day: Int) -> Int {
    let year = month <= 2 ? year - 1 : year
    let era = (year >= 0 ? year : year - 399) / 400
    let yearOfEra = year - era * 400
    let dayOfYear = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1
    let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
    return era * 146_097 + dayOfEra - 719_468
  }

  /// Howard Hinnant, "chrono-Compatible Low-Level Date Algorithms", civil_from_days; proleptic Gregorian.
  package init(secondsSince1970 seconds: Int) {
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
  package var date: String { "\(year.padded(4))-\(month.padded(2))-\(day.padded(2))" }

  /// `01:54:22`
  package var time: String {
    "\((second / 3600).padded(2)):\((second / 60 % 60).padded(2)):\((second % 60).padded(2))"
  }

  /// `Sat, 21 Nov 2026 01:54:22 GMT`
  package var imfFixdate: String {
    let days = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"]
    return "\(days[weekday]), \(day.padded(2)) \(Self.months[month - 1]) \(year.padded(4)) \(time) GMT"
  }
}
