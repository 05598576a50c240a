import Foundation

/// Whole numbers as one short string: each as a zigzag varint (LEB128, as `sint64` of Protocol Buffers), all of them in
/// base64 (RFC 4648 §4).
///
/// It holds one column of a log in the file of a shard: two million numbers are read in a tenth of a second. The mask
/// of secrets does not change it, because numbers hold none.
package struct PackedNumbers: Sendable, Hashable {
  /// The numbers of the column, row by row.
  package var numbers: [Int64]

  package init(_ numbers: [Int64]) { self.numbers = numbers }

  /// A column of any whole numbers; numbers that do not fit wrap, and `values(as:)` restores them.
  package init(column: some Sequence<some FixedWidthInteger>) {
    numbers = column.map { Int64(truncatingIfNeeded: $0) }
  }

  /// Keeps the low bits of a number that does not fit in the type.
  package func values<Value: FixedWidthInteger>(as type: Value.Type) -> [Value] {
    numbers.map { Value(truncatingIfNeeded: $0) }
  }

  /// A number of the column; a number that does not fit wraps.
  subscript<Value: FixedWidthInteger>(row: Int) -> Value { Value(truncatingIfNeeded: numbers[row]) }

  /// The distance of each number from the previous one: small for ascending numbers such as times.
  package var deltas: PackedNumbers {
    var last: Int64 = 0
    return PackedNumbers(
      numbers.map { number in
        defer { last = number }
        return number &- last
      })
  }

  /// The numbers whose distances these are.
  package var sums: PackedNumbers {
    var sum: Int64 = 0
    return PackedNumbers(
      numbers.map { number in
        sum &+= number
        return sum
      })
  }
}

extension PackedNumbers: Codable {
  package init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    let text = try container.decode(String.self)
    guard let bytes = Data(base64Encoded: text), let numbers = Self.numbers(in: bytes) else {
      throw DecodingError.dataCorruptedError(
        in: container, debugDescription: "expected varints in base64")
    }
    self.numbers = numbers
  }

  package func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(bytes.base64EncodedString())
  }

  private var bytes: Data {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(numbers.count * 2)
    for number in numbers {
      var rest = UInt64(bitPattern: (number &<< 1) ^ (number >> 63))
      while rest >= 0x80 {
        bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
        rest >>= 7
      }
      bytes.append(UInt8(rest))
    }
    return Data(bytes)
  }

  /// Nil if the last number is cut off, or one has more than 64 bits.
  private static func numbers(in bytes: Data) -> [Int64]? {
    var numbers: [Int64] = []
    numbers.reserveCapacity(bytes.count / 2)
    var value: UInt64 = 0
    var shift: UInt64 = 0
    for byte in bytes {
      guard shift < 64 else { return nil }
      value |= UInt64(byte & 0x7F) &<< shift
      if byte & 0x80 != 0 {
        shift += 7
      } else {
        numbers.append(Int64(bitPattern: value >> 1) ^ -Int64(bitPattern: value & 1))
        (value, shift) = (0, 0)
      }
    }
    return shift == 0 ? numbers : nil
  }
}

extension CodingUserInfoKey {
  /// True to write histograms with their exact sum and ends, so that reading restores the same values. `result.json`
  /// does not need that.
  package static let isExact = CodingUserInfoKey(rawValue: "isExact")!
}

/// A table with inconsistent columns: the file was changed or cut.
package struct ColumnError: Error, Sendable, CustomStringConvertible {
  /// The inconsistency, in words.
  package var description: String

  package init(_ description: String) { self.description = description }

  /// - Throws: an error if the columns differ in length.
  package static func check(_ columns: [PackedNumbers]) throws(ColumnError) {
    let lengths = Set(columns.map(\.numbers.count))
    guard lengths.count > 1 else { return }
    let found = lengths.sorted().map(String.init).joined(separator: ", ")
    throw ColumnError("all columns must have the same number of rows, found \(found)")
  }

  /// - Throws: an error if a time is further from the load's beginning than the longest possible run, in nanoseconds.
  package static func check(moments: some Sequence<Int64>) throws(ColumnError) {
    for moment in moments where moment.magnitude > longest && moment != .max {
      throw ColumnError("the time of an entry is \(moment) ns, outside the longest possible run")
    }
  }

  /// Two years.
  private static let longest: UInt64 = 63_000_000_000_000_000

  /// - Throws: an error if a number of the column is not a row of a table of `count` rows.
  package static func check(rows: some Sequence<UInt32>, in table: String, of count: Int) throws(ColumnError) {
    for number in rows where Int(number) >= count {
      throw ColumnError("an entry refers to row \(number) of the table of \(table), but this table has \(count) rows")
    }
  }

  /// - Throws: an error if a number of the column is neither -1 nor a row of a table of `count` rows.
  package static func check(_ numbers: some Sequence<Int32>, in table: String, of count: Int) throws(ColumnError) {
    for number in numbers where number < -1 || Int(number) >= count {
      throw ColumnError("an entry refers to row \(number) of the table of \(table), but this table has \(count) rows")
    }
  }
}

/// Counts by string that are coded as a list of pairs. The strings are values, so that a mask of secrets covers them,
/// and no style of keys changes them.
@propertyWrapper
package struct Paired: Sendable, Hashable {
  /// The counts by string.
  package var wrappedValue: [String: Int]

  package init(wrappedValue: [String: Int]) { self.wrappedValue = wrappedValue }
}

extension Paired: Codable {
  private struct Pair: Codable {
    var text: String
    var count: Int
  }

  /// The counts of equal strings are added.
  package init(from decoder: any Decoder) throws {
    wrappedValue = [:]
    for pair in try [Pair](from: decoder) { wrappedValue[pair.text, default: 0] += pair.count }
  }

  /// Sorted by string.
  package func encode(to encoder: any Encoder) throws {
    try wrappedValue.sorted { $0.key < $1.key }.map { Pair(text: $0.key, count: $0.value) }.encode(to: encoder)
  }
}
