/// Numbers with units in scenarios, contracts and options. Each parser explains an error in a sentence.
package enum Quantity {
  /// The reason why a text is not a quantity.
  package struct Mistake: Error, Sendable, Hashable {
    /// A sentence for people.
    package var message: String

    package init(message: String) { self.message = message }
  }

  /// Units of time in seconds.
  package static let timeUnits: [(name: String, seconds: Double)] = [
    ("ns", 1e-9), ("us", 1e-6), ("µs", 1e-6), ("μs", 1e-6), ("ms", 1e-3), ("s", 1), ("m", 60), ("min", 60),
    ("h", 3600), ("d", 86_400),
  ]

  /// Units of size in bytes; a bare number is bytes.
  package static let sizeUnits: [(name: String, bytes: Double)] = [
    ("", 1), ("B", 1), ("kB", 1e3), ("KB", 1e3), ("MB", 1e6), ("GB", 1e9), ("KiB", 1024), ("MiB", 1_048_576),
    ("GiB", 1_073_741_824),
  ]

  /// `300ms`, `1.5s`, `2m`, `1m30s`, to the nanosecond. Not negative. Reports write `1 min 30 s`, which is read too.
  package static func duration(_ text: String) -> Result<Duration, Mistake> { seconds(text).map(duration) }

  private static func duration(_ seconds: Double) -> Duration {
    .nanoseconds(Int64(saturating: (seconds * 1e9).rounded()))
  }

  /// The same as a number of seconds, which random values need.
  package static func seconds(_ text: String) -> Result<Double, Mistake> {
    var rest = Substring(text)
    var total = 0.0
    var parts = 0
    while !rest.isEmpty {
      if parts > 0, rest.first == " " { rest.removeFirst() }
      guard let number = takeNumber(&rest) else {
        return .failure(Mistake(message: "a duration is a number and a unit, such as 300ms, 1.5s or 2m"))
      }
      if rest.first == " " { rest.removeFirst() }
      let unit = takeWord(&rest)
      if unit.isEmpty, number == 0, parts == 0, rest.isEmpty { return .success(0) }
      guard let factor = timeUnits.first(where: { $0.name == unit })?.seconds else {
        return .failure(unitMistake(unit, text, "a duration's unit", ["s", "ms", "us", "m", "h"]))
      }
      total += number * factor
      parts += 1
    }
    guard parts > 0 else {
      return .failure(Mistake(message: "the duration is missing; write a number and a unit, such as 300ms, 1.5s or 2m"))
    }
    return .success(total)
  }

  /// A duration in the notation of external documents: as ``duration(_:)``, and `60` (seconds), `1 hour`, `minute`.
  package static func looseDuration(_ text: String) -> Result<Duration, Mistake> {
    let strict = duration(text)
    if case .success = strict { return strict }
    var rest = Substring(text)
    let number = takeNumber(&rest)
    let unit = rest.drop { $0 == " " }
    if let number, unit.isEmpty { return .success(duration(number)) }
    // `hour` alone is one hour; a single letter is an error.
    guard number != nil || unit.count > 1 else { return strict }
    guard let factor = timeUnits.first(where: { $0.name == longNames[String(unit), default: String(unit)] })?.seconds
    else { return strict }
    return .success(duration((number ?? 1) * factor))
  }

  /// `30/60s`, `5/min`, `1000/h`: the number of requests, and the window.
  package static func allowance(_ text: String) -> Result<(count: Int, window: Duration), Mistake> {
    let parts = text.split(separator: "/", maxSplits: 1).map(String.init)
    let expected = Mistake(message: "a quota is a number of requests per time, such as 30/60s or 4/s")
    guard parts.count == 2, let count = Int(parts[0]), (1...LimitPolicy.mostAllowed).contains(count) else {
      return .failure(expected)
    }
    let unit = timeUnits.first { $0.name == parts[1] }.map { duration($0.seconds) }
    guard let window = unit ?? (try? duration(parts[1]).get()), window > .zero, window <= LimitPolicy.longestWindow
    else { return .failure(expected) }
    return .success((count, window))
  }

  /// The limit in events per second.
  static let fastest = 1e9

  /// `20/s`, `600/m`, `1000/h`: events per second. Not negative.
  package static func rate(_ text: String) -> Result<Double, Mistake> {
    var rest = Substring(text)
    guard let number = takeNumber(&rest) else {
      return .failure(Mistake(message: "a rate is a number per unit of time, such as 20/s, 600/m or 1000/h"))
    }
    guard rest.first == "/" else {
      return .failure(
        Mistake(message: "a rate needs a unit of time, such as \(numberText(number))/s, \(numberText(number))/m"))
    }
    rest.removeFirst()
    let unit = String(rest)
    guard let seconds = timeUnits.first(where: { $0.name == unit })?.seconds else {
      return .failure(unitMistake(unit, text, "a rate's unit of time", ["s", "m", "h", "d"]))
    }
    guard number / seconds <= fastest else {
      return .failure(Mistake(message: "a rate is at most \(numberText(fastest)) per second"))
    }
    return .success(number / seconds)
  }

  /// `90%`, `0.1%`: a share from 0 to 1.
  package static func share(_ text: String) -> Result<Double, Mistake> {
    var rest = Substring(text)
    guard let number = takeNumber(&rest), rest == "%" else {
      return .failure(Mistake(message: "a share is a percentage, such as 0.1% or 90%"))
    }
    guard number <= 100 else { return .failure(Mistake(message: "a share is at most 100%")) }
    return .success(number / 100)
  }

  /// `8MB` is 8,000,000 and `8MiB` is 8,388,608 (IEC 80000-13).
  package static func size(_ text: String) -> Result<ByteCount, Mistake> {
    var rest = Substring(text)
    guard let number = takeNumber(&rest) else {
      return .failure(Mistake(message: "a size is a number and a unit, such as 64KB, 8MB or 8MiB"))
    }
    let unit = rest.drop { $0 == " " }
    guard let factor = sizeUnits.first(where: { $0.name == unit })?.bytes else {
      return .failure(unitMistake(String(unit), text, "a size's unit", ["B", "KB", "MB", "GB", "KiB", "MiB", "GiB"]))
    }
    let bytes = number * factor
    guard bytes < 1e15 else { return .failure(Mistake(message: "a size is below 1000 TB")) }
    return .success(ByteCount(Int(saturating: bytes.rounded())))
  }

  /// `2Mbit/s`: bits per second, greater than zero.
  package static func bandwidth(_ text: String) -> Result<Double, Mistake> {
    var rest = Substring(text)
    let expected = Mistake(message: "a bandwidth is a number of bits per second, such as 500kbit/s or 2Mbit/s")
    guard let number = takeNumber(&rest), rest.hasSuffix("/s") else { return .failure(expected) }
    let unit = String(rest.dropLast(2).drop { $0 == " " })
    let factors = ["kbit": 1e3, "Mbit": 1e6, "Gbit": 1e9]
    guard let factor = factors[unit] else {
      return .failure(unitMistake(unit, text, "a bandwidth's unit", ["kbit", "Mbit", "Gbit"]))
    }
    let bits = number * factor
    return bits > 0 && bits <= 1e12 ? .success(bits) : .failure(expected)
  }

  /// Without a decimal point for a whole number.
  package static func numberText(_ number: Double) -> String {
    number == number.rounded() && number.magnitude < 1e15 ? String(Int(saturating: number)) : String(number)
  }

  private static func unitMistake(_ unit: String, _ text: String, _ what: String, _ known: [String]) -> Mistake {
    if unit.isEmpty {
      return Mistake(message: "\(what) is missing; write \(text)\(known[0]) or \(text)\(known[1])")
    }
    let list = known.dropLast().joined(separator: ", ") + " or " + (known.last ?? "")
    let example = nearestUnit(unit, known).map { ". Did you mean \"\($0)\"?" } ?? ""
    return Mistake(message: "\(what) cannot be \"\(unit)\"; expected \(list)\(example)")
  }

  /// Common long names of units of time.
  private static let longNames = [
    "second": "s", "seconds": "s", "sec": "s", "secs": "s", "minute": "m", "minutes": "m", "mins": "m",
    "hour": "h", "hours": "h", "hr": "h", "day": "d", "days": "d", "millisecond": "ms", "milliseconds": "ms",
    "msec": "ms", "millis": "ms", "usec": "us", "microseconds": "us", "S": "s", "M": "m", "H": "h", "MS": "ms",
    "Ms": "ms",
  ]

  private static let longSizes = [
    "k": "KB", "K": "KB", "kb": "KB", "mb": "MB", "gb": "GB", "G": "GB", "mib": "MiB", "kib": "KiB", "b": "B",
  ]

  /// Common long names, and near names by edit distance.
  private static func nearestUnit(_ unit: String, _ known: [String]) -> String? {
    let long = longNames.merging(longSizes) { time, _ in time }
    return long[unit].flatMap { known.contains($0) ? $0 : nil } ?? nearestName(to: unit, among: known)
  }

  /// Reads a string that is only a number; nil for anything else.
  package static func number(_ text: String) -> Double? {
    var rest = Substring(text)
    guard let number = takeNumber(&rest), rest.isEmpty else { return nil }
    return number
  }

  /// Digits with at most one point; no sign, no exponent.
  package static func takeNumber(_ rest: inout Substring) -> Double? {
    let digits = rest.prefix { $0.isASCII && ($0.isNumber || $0 == ".") }
    guard !digits.isEmpty, digits.first != ".", digits.last != ".", digits.count < 20, let number = Double(digits)
    else { return nil }
    rest = rest.dropFirst(digits.count)
    return number
  }

  private static func takeWord(_ rest: inout Substring) -> String {
    let word = rest.prefix { $0.isLetter }
    rest = rest.dropFirst(word.count)
    return String(word)
  }
}

/// A size in bytes; `8MB` is 8,000,000 and `8MiB` is 8,388,608 (IEC 80000-13).
package struct ByteCount: Sendable, Hashable, Comparable, Codable {
  package var bytes: Int

  package init(_ bytes: Int) { self.bytes = bytes }

  package static func < (left: ByteCount, right: ByteCount) -> Bool { left.bytes < right.bytes }

  /// `315 B`, `8.06 KB`, `8 MB`
  package var text: String { Figure.bytes(bytes).text }
}

/// Events per second.
public struct Rate: Sendable, Hashable, Comparable, Codable {
  /// Events per second.
  public var perSecond: Double

  /// Creates a rate in events per second.
  public init(perSecond: Double) { self.perSecond = perSecond }

  public static func < (left: Rate, right: Rate) -> Bool { left.perSecond < right.perSecond }

  /// `20/s`, `1,250.5/s`
  public var text: String { Figure.decimals(perSecond, 2) + "/s" }

  /// The rate as scenarios and options take it: `1250.5/s`.
  package var notation: String { Quantity.numberText((perSecond * 100).rounded() / 100) + "/s" }
}
