import Foundation
import MurphyModel
import MurphySchema

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

  /// An expression that generates the longest run of possible digits: `^97[89][0-9]{10}$` is
  /// `978${int(1000000000, 9999999999)}`. Nil for patterns without one.
  static func expression(_ pattern: String, lengths: ClosedRange<Int>) -> String? {
    guard let compiled = try? ECMAPattern(pattern) else { return nil }
    let runs = pattern.matches(of: /(?:\[[^\]]*0-9[^\]]*\]|\\[dw])(?:\{(\d+)(,?)(\d*)\}|[+*])/).compactMap {
      run -> (range: Range<String.Index>, count: Int)? in
      let least = run.output.1.flatMap { Int($0) } ?? 1
      let isExact = run.output.2?.isEmpty == true
      let most = isExact ? least : run.output.3.flatMap { Int($0) } ?? 12
      let count = min(max(least, 10), most)
      return (4...15).contains(count) ? (run.range, count) : nil
    }
    for run in runs.sorted(by: { $0.count > $1.count }) {
      guard let before = PatternSample.text(String(pattern[..<run.range.lowerBound]), lengths: 0...1_000),
        let after = PatternSample.text(String(pattern[run.range.upperBound...]), lengths: 0...1_000)
      else { continue }
      let high = String(repeating: "9", count: run.count)
      let whole = before + high + after
      guard lengths.contains(whole.count), compiled.matches(whole) == .yes else { continue }
      let low = "1" + String(repeating: "0", count: run.count - 1)
      return escaped(before) + "${int(\(low), \(high))}" + escaped(after)
    }
    return nil
  }

  private static func escaped(_ text: String) -> String { text.replacingScalars("${", with: "$${") }
}
