/// A number for people: rounded to the significant digits, with its unit.
package struct Figure: Sendable, Hashable {
  /// The digits without the unit.
  package var number: String
  /// Empty for a plain count.
  package var unit: String

  package init(_ number: String, _ unit: String = "") {
    self.number = number
    self.unit = unit
  }

  /// `12.4 ms`, with a plain space, for terminals and plain text.
  package var text: String {
    unit.isEmpty ? number : unit == "%" || unit.hasPrefix("/") ? number + unit : number + " " + unit
  }
}

extension Figure {
  /// A latency to three significant digits: `412 µs`, `4.12 ms`, `41.2 ms`, `1.24 s`.
  package static func latency(_ time: Duration) -> Figure {
    let microseconds = time.inMicroseconds
    let magnitude = microseconds.magnitude
    if magnitude < 999.5 { return Figure(digits(microseconds), "µs") }
    if magnitude < 999_500 { return Figure(digits(microseconds / 1e3), "ms") }
    return Figure(digits(microseconds / 1e6), "s")
  }

  /// A latency that is known as an interval: `41.9 ms`, `38 ms .. 2.4 s`, `38 .. 41.9 ms`, `at least 5 s`.
  package static func interval(_ interval: LatencyInterval) -> String { words(interval) { latency($0).text } }

  /// The same in milliseconds without the unit, for the columns of a table.
  package static func milliseconds(_ interval: LatencyInterval) -> String { words(interval, milliseconds) }

  /// Ends within 5 % of one another are one figure, the upper end.
  private static func words(_ interval: LatencyInterval, _ text: (Duration) -> String) -> String {
    guard let high = interval.high else { return "at least \(text(interval.low))" }
    return high <= interval.low * 1.05 ? text(high) : range(text(interval.low), text(high))
  }

  /// A unit that both ends share is written once: `38 .. 41.9 ms`.
  static func range(_ low: String, _ high: String) -> String {
    let (left, right) = (low.split(separator: " "), high.split(separator: " "))
    return "\(left.count == 2 && left.last == right.last ? String(left[0]) : low) .. \(high)"
  }

  /// A latency in milliseconds without its unit, for the columns of a table.
  package static func milliseconds(_ time: Duration) -> String { digits(time.inMicroseconds / 1e3) }

  /// A count with thousands separators: `12,345`.
  package static func count(_ value: Int) -> Figure { Figure(grouped(value)) }

  /// Events per second.
  package static func rate(_ perSecond: Double) -> Figure { Figure(digits(perSecond), "/s") }

  /// A time since the start, or a duration: `4.2 s`, `1 min 30 s`.
  package static func time(_ time: Duration) -> Figure {
    let seconds = time.inSeconds
    guard seconds.magnitude >= 100 else { return Figure(decimals(seconds, seconds.magnitude < 10 ? 2 : 1), "s") }
    let whole = Int(saturating: min(max(seconds.rounded(), -1e9), 1e9))
    return whole % 60 == 0
      ? Figure(grouped(whole / 60), "min") : Figure("\(grouped(whole / 60)) min \(whole % 60)", "s")
  }

  /// A time since the start, precise enough to distinguish it from others within `span`: `12,031.2 ms`, `12.03 s`.
  package static func moment(_ time: Duration, within span: Duration) -> Figure {
    let (seconds, span) = (time.inSeconds, span.inSeconds)
    if span < 1 { return Figure(decimals(seconds * 1000, span < 0.01 ? 1 : 0), "ms") }
    return span < 100 ? Figure(decimals(seconds, span < 10 ? 2 : 1), "s") : .time(time)
  }

  /// A time of the run to the millisecond, with all its digits: `12.100 s`.
  ///
  /// - Parameter places: the number of decimals.
  package static func exact(_ time: Duration, places: Int = 3) -> Figure {
    let scale = (0..<places).reduce(1) { product, _ in product * 10 }
    let parts = Int(saturating: (time.inSeconds.magnitude * Double(scale)).rounded())
    let sign = time < .zero && parts > 0 ? "-" : ""
    return Figure("\(sign)\(parts / scale).\((parts % scale).padded(places))", "s")
  }

  /// Times from requests to their responses, with as many decimals as distinguish all of them: `12.031 s .. 12.051 s`.
  package static func exact(_ intervals: [(start: Duration, end: Duration)]) -> [String] {
    let times = Set(intervals.flatMap { [$0.start, $0.end] })
    let places =
      (3..<6).first { places in Set(times.map { exact($0, places: places).number }).count == times.count } ?? 6
    return intervals.map { start, end in
      let ends = [start, end].map { exact($0, places: places).text }
      return ends[0] == ends[1] ? ends[0] : ends.joined(separator: " .. ")
    }
  }

  /// A ratio far from one: `×12.5`. Above 1,000, its size tells nothing more.
  package static func factor(_ ratio: Double) -> String {
    ratio > 1_000 ? "more than ×1,000" : "×" + decimals(ratio, 1)
  }

  /// A share from 0 to 1 in per cent, with at most `places` decimals.
  package static func percent(_ share: Double, _ places: Int = 1) -> Figure {
    percentage(share * 100, places)
  }

  /// From 0 to 100, with at most `places` decimals.
  package static func percentage(_ percent: Double, _ places: Int = 1) -> Figure {
    Figure(decimals(percent, places), "%")
  }

  /// `part` of `whole`: 0 and 100 only for none or all, so that one error in a million is never 0 %.
  package static func percent(_ part: Int, of whole: Int) -> Figure {
    guard whole > 0 else { return Figure("0", "%") }
    if part == 0 || part == whole { return Figure(part == 0 ? "0" : "100", "%") }
    let value = Double(part) * 100 / Double(whole)
    if value < 0.01 { return Figure("<0.01", "%") }
    if value > 99.99 { return Figure(">99.99", "%") }
    return Figure(decimals(value, value < 10 || value > 90 ? 2 : 1), "%")
  }

  /// Powers of 1000: `1.5 MB`.
  package static func bytes(_ bytes: Int) -> Figure {
    if bytes < 1000 { return Figure("\(bytes)", "B") }
    let units = ["KB", "MB", "GB", "TB"]
    var value = Double(bytes) / 1000
    var unit = 0
    while value >= 999.5, unit < units.count - 1 {
      value /= 1000
      unit += 1
    }
    return Figure(digits(value), units[unit])
  }

  /// Three significant digits, with thousands separators: `0.412`, `4.12`, `41.2`, `412`, `4,120`.
  package static func digits(_ value: Double) -> String {
    let magnitude = value.magnitude
    if magnitude == 0 { return "0" }
    if magnitude < 0.9995 { return decimals(value, 3) }
    if magnitude < 9.995 { return decimals(value, 2) }
    if magnitude < 99.95 { return decimals(value, 1) }
    return decimals(value, 0)
  }

  /// At most `places` decimals (three at the most), without trailing zeros.
  package static func decimals(_ value: Double, _ places: Int) -> String {
    guard value.isFinite, value.magnitude < 1e12 else { return value.isNaN ? "–" : value < 0 ? "−∞" : "∞" }
    let scale = [1, 10, 100, 1000][min(max(places, 0), 3)]
    let units = Int(saturating: (value.magnitude * Double(scale)).rounded())
    var fraction = String(units % scale + scale).dropFirst()
    while fraction.hasSuffix("0") { fraction.removeLast() }
    let whole = (value < 0 && units > 0 ? "-" : "") + grouped(units / scale)
    return fraction.isEmpty || scale == 1 ? whole : "\(whole).\(fraction)"
  }

  private static func grouped(_ value: Int) -> String {
    var text = ""
    let digits = String(value.magnitude)
    for (index, digit) in digits.enumerated() {
      if index > 0, (digits.count - index).isMultiple(of: 3) { text += "," }
      text.append(digit)
    }
    return value < 0 ? "-" + text : text
  }
}

extension BinaryInteger {
  /// With thousands separators: `12,345`.
  package var text: String { Figure.count(Int(clamping: self)).text }
}

/// `1 request`, `12 requests`, `2 policies`
package func counted(_ count: Int, _ singular: String, _ plural: String? = nil) -> String {
  let usual = singular.hasSuffix("cy") ? singular.dropLast() + "ies" : singular + "s"
  return "\(count.text) \(count == 1 ? singular : plural ?? usual)"
}

extension Collection {
  /// Groups elements by their keys, in the order of the first ones.
  package func grouped<Key: Hashable>(by key: (Element) -> Key) -> [(key: Key, elements: [Element])] {
    let groups = Dictionary(grouping: self, by: key)
    var seen: Set<Key> = []
    return map(key).filter { seen.insert($0).inserted }.map { ($0, groups[$0] ?? []) }
  }
}
