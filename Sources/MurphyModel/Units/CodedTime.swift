/// A time that a file holds as a number in a unit: a `Duration`, or nil where the file has no such key.
///
/// A number of at most nine decimals of a second is read and written unchanged.
@propertyWrapper
public struct CodedTime<Unit: CodedUnit, Value: CodedTimeValue>: Sendable, Hashable {
  /// The time.
  public var wrappedValue: Value

  /// Wraps a time.
  public init(wrappedValue: Value) { self.wrappedValue = wrappedValue }
}

/// A time that files hold in seconds.
public typealias InSeconds<Value: CodedTimeValue> = CodedTime<CodedSeconds, Value>
/// A time that files hold in milliseconds.
public typealias InMilliseconds<Value: CodedTimeValue> = CodedTime<CodedMilliseconds, Value>
/// A time that files hold in microseconds.
public typealias InMicroseconds<Value: CodedTimeValue> = CodedTime<CodedMicroseconds, Value>

/// A `Duration`, or an optional one.
public protocol CodedTimeValue: Sendable, Hashable {
  /// The value of a time.
  static func coded(_ time: Duration) -> Self
  /// The time; nil for none.
  var coded: Duration? { get }
}

extension Duration: CodedTimeValue {
  public static func coded(_ time: Duration) -> Duration { time }
  public var coded: Duration? { self }
}

extension Duration?: CodedTimeValue {
  public static func coded(_ time: Duration) -> Duration? { time }
  public var coded: Duration? { self }
}

/// The unit of a time in a file.
public protocol CodedUnit: Sendable {
  /// The unit in nanoseconds.
  static var nanoseconds: Double { get }
}

/// A second.
public enum CodedSeconds: CodedUnit { public static let nanoseconds = 1e9 }
/// A millisecond.
public enum CodedMilliseconds: CodedUnit { public static let nanoseconds = 1e6 }
/// A microsecond.
public enum CodedMicroseconds: CodedUnit { public static let nanoseconds = 1e3 }

extension CodedUnit {
  fileprivate static func time(_ number: Double) -> Duration {
    .nanoseconds(Int64(saturating: (number * nanoseconds).rounded()))
  }

  fileprivate static func number(_ time: Duration) -> Double { Double(time.nanoseconds) / nanoseconds }
}

extension CodedTime: Codable {
  public init(from decoder: any Decoder) throws {
    self.init(wrappedValue: .coded(Unit.time(try decoder.singleValueContainer().decode(Double.self))))
  }

  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(wrappedValue.coded.map(Unit.number))
  }
}

// The code that the compiler generates for an optional property calls these.
extension KeyedDecodingContainer {
  package func decode<Unit>(_: CodedTime<Unit, Duration?>.Type, forKey key: Key) throws -> CodedTime<Unit, Duration?> {
    CodedTime(wrappedValue: try decodeIfPresent(Double.self, forKey: key).map(Unit.time))
  }
}

extension KeyedEncodingContainer {
  package mutating func encode<Unit>(_ time: CodedTime<Unit, Duration?>, forKey key: Key) throws {
    try encodeIfPresent(time.wrappedValue.map(Unit.number), forKey: key)
  }
}
