import Foundation

/// Whole numbers as one short text: each as a zigzag varint (LEB128, as Protocol Buffers write `sint64`), all of them in
/// base64 (RFC 4648 §4).
///
/// A column of a log in the file of a shard is one: two million numbers are read in a tenth of a second. No mask of
/// secrets touches it, since numbers hold none.
package struct PackedNumbers: Sendable, Hashable {
  package var numbers: [Int64]

  package init(_ numbers: [Int64]) { self.numbers = numbers }

  /// A column of any whole numbers; those that do not fit wrap, and come back by `values(as:)`.
  package init(column: some Sequence<some FixedWidthInteger>) {
    numbers = column.map { Int64(truncatingIfNeeded: $0) }
  }

  package func values<Value: FixedWidthInteger>(as type: Value.Type) -> [Value] {
    numbers.map { Value(truncatingIfNeeded: $0) }
  }

  /// A number of the column; what does not fit wraps.
  subscript<Value: FixedWidthInteger>(row: Int) -> Value { Value(truncatingIfNeeded: numbers[row]) }

  /// Each number's distance from the one before it: small where they ascend, as moments do.
  package var deltas: PackedNumbers {
    var last: Int64 = 0
    return PackedNumbers(
      numbers.map { number in
        defer { last = number }
        return number &- last
      })
  }

  /// The numbers of which these are the distances.
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
        in: container, debugDescription: "packed numbers are varints in base64; found something else")
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

  /// Nil where the last number is cut off, or one has more than 64 bits.
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
  /// Histograms are written with their exact sum and ends, so that what is read again is what was written. `result.json`
  /// has no use for that.
  package static let isExact = CodingUserInfoKey(rawValue: "isExact")!
}
