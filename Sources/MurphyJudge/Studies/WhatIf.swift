import MurphyModel

/// A policy as a user types it: `30/60s key=address`, `burst=20 4/s key=X-Device-ID algorithm=token-bucket`.
package struct WhatIf: Sendable, Hashable {
  /// The policy to evaluate.
  package var policy: LimitPolicy
  /// True if the text contains `key=`.
  package var namesKey = false

  /// The text cannot be parsed; contains the expected form.
  package struct Mistake: Error, Sendable, Hashable, CustomStringConvertible {
    /// The mistake, for people.
    package var description: String
  }

  /// Throws a mistake that names the word it could not read.
  package init(_ text: String) throws(Mistake) {
    var amount: (count: Int, window: Duration)?
    var key = LimitKey.sourceAddress
    var algorithm: LimitAlgorithm?
    var burst: Int?
    for word in text.split(separator: " ").map(String.init) {
      if let equals = word.firstIndex(of: "=") {
        let value = String(word[word.index(after: equals)...])
        switch word[..<equals] {
        case "key": (key, namesKey) = (try Self.key(value, of: text), true)
        case "burst":
          guard let number = Int(value), (1...LimitPolicy.mostAllowed).contains(number) else {
            throw Mistake(description: "what-if \"\(text)\": burst is \"\(value)\", expected a whole number above 0")
          }
          burst = number
        case "algorithm":
          guard let found = LimitAlgorithm(rawValue: value) else {
            let names = LimitAlgorithm.allCases.map(\.rawValue)
            let hint = didYouMean(value, among: names)
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
        amount = try? Quantity.allowance(word).get()
        if amount == nil {
          throw Mistake(description: "what-if \"\(text)\": \"\(word)\" is not a limit, expected one like 30/60s or 4/s")
        }
      }
    }
    guard let amount else {
      throw Mistake(description: "what-if \"\(text)\": no limit given, expected one like 30/60s")
    }
    if let burst, algorithm == nil || algorithm == .tokenBucket {
      policy = LimitPolicy(
        name: "what-if", operations: [], rate: Rate(perSecond: Double(amount.count) / amount.window.inSeconds),
        burst: burst,
        key: key)
    } else {
      policy = LimitPolicy(
        name: "what-if", operations: [], algorithm: algorithm ?? .fixed, allowance: amount.count,
        window: amount.window, key: key)
    }
  }

  /// A key as in contracts and scenarios; `user`, as in the table of policies, is the client's header.
  private static func key(_ value: String, of text: String) throws(Mistake) -> LimitKey {
    if ["user", "device"].contains(value) { return .header("x-device-id") }
    do throws(LimitKey.Mistake) {
      return try LimitKey(names: [value])
    } catch {
      throw Mistake(description: "what-if \"\(text)\": \(error.message)")
    }
  }
}
