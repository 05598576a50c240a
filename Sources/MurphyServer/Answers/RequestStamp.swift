import HTTPTypes
import Hummingbird
import Synchronization

/// Gives each answer its `X-Request-ID`: a UUID of version 4 whose bits are drawn from a counter.
final class RequestStamp: Sendable {
  static let name = HTTPField.Name("X-Request-ID")!

  private let seed: UInt64
  private let count = Atomic<UInt64>(0)

  init(seed: UInt64) { self.seed = seed }

  func apply(to answer: inout Answer) { answer.headers[Self.name] = next() }

  private func next() -> String {
    var numbers = SeededNumbers(seed: seed &+ count.wrappingAdd(1, ordering: .relaxed).newValue &* 0x1_0001)
    let (high, low) = (numbers.next(), numbers.next())
    // Unsafe only in name: every answer is stamped, and this is one write per character without an array between.
    return String(unsafeUninitializedCapacity: 36) { text in
      for position in 0..<36 {
        // Hexadecimal digits before this place; the four hyphens do not count.
        let digit = position - [8, 13, 18, 23].count { $0 < position }
        switch position {
        case 8, 13, 18, 23: text[position] = UInt8(ascii: "-")
        case 14: text[position] = UInt8(ascii: "4")
        case 19: text[position] = Self.digits[Int(8 | (low & 3))]
        default: text[position] = Self.digits[Int(((digit < 16 ? high : low) >> (UInt64(digit % 16) * 4)) & 15)]
        }
      }
      return 36
    }
  }

  private static let digits = Array("0123456789abcdef".utf8)
}
