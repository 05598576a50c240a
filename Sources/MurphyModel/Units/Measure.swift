/// A number with its unit.
public struct Measure: Sendable, Codable, Hashable {
  /// The units of `result.json`.
  package enum Unit: String, Sendable, Codable, CaseIterable {
    case microseconds = "us"
    /// A fraction of one.
    case share
    case perSecond = "per_second"
  }

  /// The number in the unit.
  public var value: Double
  /// The unit of the value.
  package var unit: Unit

  package init(_ value: Double, _ unit: Unit) {
    self.value = value
    self.unit = unit
  }

  /// `300 ms`, `0.1%`, `20/s`
  public var text: String {
    switch unit {
    case .microseconds: duration.text
    case .share: percentText(value)
    case .perSecond: Rate(perSecond: value).text
    }
  }

  /// As a scenario states it: `300ms`, `0.1%`, `20/s`.
  package var notation: String {
    switch unit {
    case .microseconds: duration.notation
    case .share: percentText(value)
    case .perSecond: Rate(perSecond: value).notation
    }
  }

  private var duration: Duration { .nanoseconds(Int64(saturating: value * 1000)) }
}

/// An interval that certainly contains a measured number.
public struct MeasuredRange: Sendable, Hashable {
  /// The lower end.
  public var low: Double
  /// The upper end; nil if missing responses could make it any higher.
  public var high: Double?
  /// The unit of both ends.
  package var unit: Measure.Unit

  package init(low: Double, high: Double?, unit: Measure.Unit) {
    self.low = low
    self.high = high
    self.unit = unit
  }

  package init(_ value: Double, _ unit: Measure.Unit) { self.init(low: value, high: value, unit: unit) }

  package init(_ interval: LatencyInterval) {
    self.init(low: interval.low.inMicroseconds, high: interval.high?.inMicroseconds, unit: .microseconds)
  }

  /// `41.9 ms`, `38 ms .. 2.4 s`, `38 .. 41.9 ms`, `at least 5 s`, `12% .. 30%`
  public var text: String {
    let low = Measure(low, unit).text
    guard let high = high.map({ Measure($0, unit).text }) else { return "at least \(low)" }
    return high == low ? low : Figure.range(low, high)
  }
}

extension MeasuredRange: Codable {
  private enum CodingKeys: String, CodingKey { case low, high, unit }

  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    low = try container.decode(Double.self, forKey: .low)
    high = try container.decodeIfPresent(Double.self, forKey: .high)
    unit = try container.decode(Measure.Unit.self, forKey: .unit)
  }

  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(low, forKey: .low)
    try container.encode(openEnd: high, forKey: .high)
    try container.encode(unit, forKey: .unit)
  }
}

extension KeyedEncodingContainer {
  /// An open upper end is written as `null`, so that it is not mistaken for a missing value.
  mutating func encode(openEnd high: Double?, forKey key: Key) throws {
    if let high { try encode(high, forKey: key) } else { try encodeNil(forKey: key) }
  }
}
