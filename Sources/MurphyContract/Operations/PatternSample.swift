import Foundation
import MurphyModel
import MurphySchema

/// A string that a pattern matches: the first of all alternatives, each repetition as short as possible.
package struct PatternSample {
  private var rest: Substring
  /// The number of repetitions above the lower bound of a part without an upper bound.
  private let extra: Int
  /// Chooses the letters of sets; nil takes the first of each.
  private var random: RandomSource?

  /// - Parameters:
  ///   - extra: the only number of repetitions above the lower bounds that is tried; nil tries several.
  ///   - random: chooses the letters of sets; nil takes the first of each.
  /// - Returns: nil for an unsupported pattern, such as one with a look-ahead.
  package static func text(
    _ pattern: String, lengths: ClosedRange<Int>, extra: Int? = nil, random: RandomSource? = nil
  ) -> String? {
    guard let compiled = try? ECMAPattern(pattern) else { return nil }
    // The repeated part is surrounded by a few more or fewer letters.
    let exact =
      lengths.lowerBound == lengths.upperBound ? (0...12).map { lengths.lowerBound - $0 }.filter { $0 > 3 } : []
    for extra in extra.map({ [$0] }) ?? ([0, 1, 2, 3, 5, 8, 13, 21, 34, 64] + exact) {
      var sample = PatternSample(rest: pattern[...], extra: extra, random: random)
      guard let text = sample.alternatives(), sample.rest.isEmpty else { return nil }
      if lengths.contains(text.count), compiled.matches(text) != .no { return text }
    }
    return nil
  }

  private init(rest: Substring, extra: Int, random: RandomSource?) {
    (self.rest, self.extra, self.random) = (rest, extra, random)
  }

  private mutating func alternatives() -> String? {
    guard let first = sequence() else { return nil }
    while rest.first == "|" {
      rest.removeFirst()
      guard sequence() != nil else { return nil }
    }
    return first
  }

  private mutating func sequence() -> String? {
    var text = ""
    while let next = rest.first, next != "|", next != ")" {
      let start = rest
      guard let first = atom() else { return nil }
      guard let count = repetitions() else { return nil }
      if random == nil {
        text += String(repeating: first, count: count)
      } else {
        let end = rest
        for number in 0..<count {
          rest = start
          text += number == 0 ? first : atom() ?? first
        }
        rest = end
      }
      guard text.count <= 4096 else { return nil }
    }
    return text
  }

  /// A match of one part of a sequence; empty for an anchor.
  private mutating func atom() -> String? {
    switch rest.removeFirst() {
    case "^", "$": return ""
    case ".": return "a"
    case "[": return set()
    case "(":
      if rest.hasPrefix("?:") {
        rest.removeFirst(2)
      } else if rest.hasPrefix("?<"), !rest.hasPrefix("?<="), !rest.hasPrefix("?<!"), let end = rest.firstIndex(of: ">")
      {
        rest = rest[rest.index(after: end)...]
      } else if rest.hasPrefix("?") {
        return nil
      }
      guard let text = alternatives(), rest.first == ")" else { return nil }
      rest.removeFirst()
      return text
    case "\\": return escape().map { $0 ?? "" }
    case let letter: return String(letter)
    }
  }

  /// A random letter of one of the ranges; nil without a random source or if no range is ASCII only.
  private mutating func drawn(from ranges: [ClosedRange<Character>]) -> String? {
    guard var source = random else { return nil }
    defer { random = source }
    let bytes = ranges.flatMap { range -> [UInt8] in
      guard let low = range.lowerBound.asciiValue, let high = range.upperBound.asciiValue, low <= high else {
        return []
      }
      return Array(low...high)
    }
    return bytes.randomElement(using: &source).map { String(UnicodeScalar($0)) }
  }

  /// A match of an escape sequence; empty for a boundary.
  private mutating func escape() -> String?? {
    guard let letter = rest.popFirst() else { return nil }
    switch letter {
    case "d": return drawn(from: ["0"..."9"]) ?? "1"
    case "w": return drawn(from: ["a"..."z", "0"..."9"]) ?? "a"
    case "s": return " "
    case "D", "S": return "a"
    case "W": return "-"
    case "b": return .some(nil)
    case "n": return "\n"
    case "t": return "\t"
    case "p":
      guard rest.first == "{", let end = rest.firstIndex(of: "}") else { return nil }
      let name = rest[rest.index(after: rest.startIndex)..<end]
      rest = rest[rest.index(after: end)...]
      return name.hasPrefix("Lu") ? "A" : name.hasPrefix("L") ? "a" : name.hasPrefix("N") ? "1" : nil
    case "B", "k", "x", "u", "c", "P", "0"..."9": return nil
    default: return String(letter)
    }
  }

  /// `[a-z]`: its first letter.
  private mutating func set() -> String? {
    let isNegated = rest.first == "^"
    if isNegated { rest.removeFirst() }
    var ranges: [ClosedRange<Character>] = []
    while let letter = rest.popFirst() {
      if letter == "]" {
        guard isNegated else { return drawn(from: ranges) ?? ranges.first.map { String($0.lowerBound) } }
        return ["a", "1", "A", "-", "_", " "].first { one in !ranges.contains { $0.contains(Character(one)) } }
      }
      var low = letter
      if letter == "\\" {
        let source = random
        random = nil
        guard let meant = escape(), let text = meant, let one = text.first else { return nil }
        random = source
        low = one
        // A class inside a set represents more letters than its first one.
        if one == "1" { ranges.append("0"..."9") }
        if one == "a" { ranges.append("a"..."z") }
      }
      if rest.first == "-", rest.dropFirst().first != "]" {
        rest.removeFirst()
        guard let high = rest.popFirst(), high != "\\", low <= high else { return nil }
        ranges.append(low...high)
      } else {
        ranges.append(low...low)
      }
    }
    return nil
  }

  /// The number of repetitions of the part before.
  private mutating func repetitions() -> Int? {
    var count = 1
    switch rest.first {
    case "*": count = extra
    case "+": count = 1 + extra
    case "?": count = 0
    case "{":
      guard let end = rest.firstIndex(of: "}") else { return nil }
      let bounds = rest[rest.index(after: rest.startIndex)..<end].split(
        separator: ",", omittingEmptySubsequences: false)
      guard let low = bounds.first.flatMap({ Int($0) }), low <= 1000 else { return nil }
      let high = bounds.count == 1 ? low : Int(bounds[1]) ?? low + extra
      count = min(low + extra, max(high, low))
      rest = rest[end...]
    default: return 1
    }
    rest.removeFirst()
    if rest.first == "?" { rest.removeFirst() }
    return count
  }
}

/// Scenario expressions for strings that differ for each user, if a schema allows any string.
package enum NewTexts {
  /// The sample with its free strings replaced by such expressions; enums, dates and similar strings stay.
  package static func replacing(
    _ sample: JSONValue, of schema: SchemaSite, _ contract: Contract, at isWanted: (TextPlaces.Place) -> Bool
  ) -> JSONValue {
    var texts = TextPlaces(contract)
    var new = sample
    for place in texts.places(of: schema, in: sample) where isWanted(place) {
      guard let text = expression(place) else { continue }
      new = new.replacing(at: place.pointer.tokens[...], with: .string(text)) ?? new
    }
    return new
  }

  private static func expression(_ place: TextPlaces.Place) -> String? {
    if let pattern = place.pattern {
      let lengths = place.least...max(place.least, place.most)
      return word(pattern, lengths: lengths) ?? expression(pattern, lengths: lengths)
    }
    switch place.format {
    case "uuid": return "${uuid()}"
    case "email": return "${email()}"
    case nil: return place.most >= 15 && place.least <= 15 ? "murphy-${string(8)}" : nil
    default: return nil
    }
  }

  /// A new word, if the pattern allows any.
  static func word(_ pattern: String, lengths: ClosedRange<Int>) -> String? {
    guard lengths.contains(15), let compiled = try? ECMAPattern(pattern),
      ["murphy-abcdefgh", "murphy-01234567", "murphy-a1z9b2y8"].allSatisfy({ compiled.matches($0) == .yes })
    else { return nil }
    return "murphy-${string(8)}"
  }

  /// A string with the longest run of possible digits generated: `^97[89][0-9]{10}$` is `978${digits(10)}`. `digits()`
  /// returns a string, so a whole `${…}` stays one. Nil for patterns without a run of `fewest` digits.
  static func expression(_ pattern: String, lengths: ClosedRange<Int>, fewest: Int = 4) -> String? {
    guard let compiled = try? ECMAPattern(pattern) else { return nil }
    let runs = pattern.matches(of: /(?:\[[^\]]*0-9[^\]]*\]|\\[dw])(?:\{(\d+)(,?)(\d*)\}|[+*])/).compactMap {
      run -> (range: Range<String.Index>, count: Int)? in
      let least = run.output.1.flatMap { Int($0) } ?? 1
      let isExact = run.output.2?.isEmpty == true
      let most = isExact ? least : run.output.3.flatMap { Int($0) } ?? 12
      let count = min(max(least, 10), most)
      return (fewest...15).contains(count) ? (run.range, count) : nil
    }
    for run in runs.sorted(by: { $0.count > $1.count }) {
      guard let before = PatternSample.text(String(pattern[..<run.range.lowerBound]), lengths: 0...1_000),
        let after = PatternSample.text(String(pattern[run.range.upperBound...]), lengths: 0...1_000)
      else { continue }
      let isFree = ["0", "1", "9"].allSatisfy { digit in
        let whole = before + String(repeating: digit, count: run.count) + after
        return lengths.contains(whole.count) && compiled.matches(whole) == .yes
      }
      if isFree { return escaped(before) + "${digits(\(run.count))}" + escaped(after) }
    }
    return nil
  }

  private static func escaped(_ text: String) -> String { text.replacingScalars("${", with: "$${") }

  /// The whole numbers of a member from which a new one can be generated; nil if its schema allows too few.
  package static func integers(of member: String, in schema: SchemaSite, _ contract: Contract) -> ClosedRange<Int>? {
    let navigator = SchemaNavigator(contract.sources)
    let schemas = navigator.scope(of: schema.located).parts.flatMap { navigator.schemas(for: member, in: $0) }
    let rules = SchemaRules(parts: navigator.scope(of: schemas).parts)
    guard rules.values == nil, rules["multipleOf"] == nil else { return nil }
    func bound(_ keyword: String) -> Int? {
      rules[keyword]?.double.flatMap { $0.magnitude < 1e15 ? Int($0) : nil }
    }
    // An exclusive bound is a flag before 3.1: one more or one less satisfies both forms.
    let least = max((bound("minimum") ?? .min / 2) + 1, (bound("exclusiveMinimum") ?? .min / 2) + 1)
    let most = min((bound("maximum") ?? .max / 2) - 1, (bound("exclusiveMaximum") ?? .max / 2) - 1)
    let high = min(most, 2_000_000_000)
    let low = max(least, 1, min(100_000_000, high - 1_000_000))
    return high - low >= 100_000 ? low...high : nil
  }
}
