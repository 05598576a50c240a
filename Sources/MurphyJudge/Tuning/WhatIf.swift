import MurphyModel

/// A policy as it is typed: `30/60s key=address`, `burst=20 4/s key=X-Device-ID algorithm=token-bucket`.
public struct WhatIf: Sendable, Hashable {
  public var policy: LimitPolicy

  /// The text cannot be read; says what was expected.
  package struct Mistake: Error, Sendable, Hashable, CustomStringConvertible {
    package var description: String
  }

  package init(_ text: String) throws(Mistake) {
    var amount: (count: Int, window: Double)?
    var key = LimitKey.sourceAddress
    var algorithm: LimitAlgorithm?
    var burst: Int?
    for word in text.split(separator: " ").map(String.init) {
      if let equals = word.firstIndex(of: "=") {
        let value = String(word[word.index(after: equals)...])
        switch word[..<equals] {
        case "key": key = Self.key(value)
        case "burst":
          guard let number = Int(value), (1...Self.mostAllowed).contains(number) else {
            throw Mistake(description: "what-if \"\(text)\": burst is \"\(value)\", expected a whole number above 0")
          }
          burst = number
        case "algorithm":
          guard let found = LimitAlgorithm(rawValue: value) else {
            let names = LimitAlgorithm.allCases.map(\.rawValue)
            let hint = nearestName(to: value, among: names).map { " Did you mean \"\($0)\"?" } ?? ""
            throw Mistake(
              description:
                "what-if \"\(text)\": unknown algorithm \"\(value)\", expected one of \(names.joined(separator: ", ")).\(hint)"
            )
          }
          algorithm = found
        default:
          throw Mistake(
            description: "what-if \"\(text)\": unknown word \"\(word)\", expected key=, algorithm= or burst=")
        }
      } else {
        amount = Self.amount(word)
        if amount == nil {
          throw Mistake(description: "what-if \"\(text)\": \"\(word)\" is no limit, expected one like 30/60s or 4/s")
        }
      }
    }
    guard let amount else {
      throw Mistake(description: "what-if \"\(text)\": no limit given, expected one like 30/60s")
    }
    if let burst, algorithm == nil || algorithm == .tokenBucket {
      policy = LimitPolicy(
        name: "what-if", operations: [], rate: Rate(perSecond: Double(amount.count) / amount.window), burst: burst,
        key: key)
    } else {
      policy = LimitPolicy(
        name: "what-if", operations: [], algorithm: algorithm ?? .fixed, allowance: amount.count,
        window: .saturating(seconds: amount.window), key: key)
    }
  }

  private static let mostAllowed = 1_000_000_000

  /// `30/60s`, `5/min`, `4/s`, `1000/h`
  private static func amount(_ word: String) -> (count: Int, window: Double)? {
    let parts = word.split(separator: "/", maxSplits: 1).map(String.init)
    guard parts.count == 2, let count = Int(parts[0]), (1...mostAllowed).contains(count) else { return nil }
    let units = [("ms", 0.001), ("min", 60.0), ("m", 60), ("s", 1), ("h", 3600), ("d", 86400)]
    guard let (unit, seconds) = units.first(where: { parts[1].hasSuffix($0.0) }) else { return nil }
    let number = parts[1].dropLast(unit.count)
    guard let times = number.isEmpty ? 1 : Double(number), times > 0, times * seconds <= 3_660 * 86_400 else {
      return nil
    }
    return (count, times * seconds)
  }

  private static func key(_ value: String) -> LimitKey {
    switch value {
    case "address", "ip": .sourceAddress
    case "token": .token
    case "global", "none": .global
    case "user", "device": .header("x-device-id")
    default: .header(value)
    }
  }
}
