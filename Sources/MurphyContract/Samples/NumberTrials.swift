import MurphyModel
import MurphySchema

/// Numbers that test a schema's rules for a number.
struct NumberTrials {
  private let rules: SchemaRules
  private let isInteger: Bool
  private let step: Double
  private(set) var all: [(value: JSONValue, constraint: String, about: String, intent: ValueTrial.Intent)] = []

  init(_ rules: SchemaRules, base: Double) {
    self.rules = rules
    isInteger = !rules.types.contains("number")
    step = rules["multipleOf"]?.double.flatMap { $0 > 0 ? $0 : nil } ?? (isInteger ? 1 : 0.01)
    low()
    high()
    if rules["multipleOf"] != nil {
      add(base + step / 2, "multipleOf", "not a multiple of \(Self.number(step).text)", .broken)
      add(base + step, "multipleOf", "the next multiple of \(Self.number(step).text)", .kept)
    }
    if isInteger { add(base + 0.5, "type", "a number with a fraction", .broken) }
    odd()
  }

  /// Above 2^53 a bound and its neighbour are the same double, so no value is just outside the bound.
  private mutating func add(beyond bound: Double, by step: Double, _ constraint: String, _ about: String) {
    if bound + step != bound { add(bound + step, constraint, about, .broken) }
  }

  /// The rule that forbids a number far above or below all others, if there is one.
  private func rule(_ bound: (value: Double, isOutside: Bool)?, _ name: String) -> String {
    if let bound { return bound.isOutside ? "exclusive" + name.capitalizedFirst : name }
    return rules["format"] == nil ? "large" : "format"
  }

  private mutating func add(_ number: Double, _ constraint: String, _ about: String, _ intent: ValueTrial.Intent) {
    all.append((Self.number(number), constraint, about, intent))
  }

  private mutating func low() {
    guard let bound = rules.minimum else {
      add(-1, "negative", "a negative number", .unsaid)
      return
    }
    let text = Self.number(bound.value).text
    let name = bound.isOutside ? "exclusiveMinimum" : "minimum"
    add(bound.isOutside ? bound.value + step : bound.value, name, "the smallest that \(name) \(text) allows", .kept)
    if bound.isOutside {
      add(bound.value, name, "\(name) \(text) itself", .broken)
    } else {
      add(beyond: bound.value, by: -step, name, "just below \(name) \(text)")
    }
    if bound.value >= 0 { add(-1e9, name, "far below \(name) \(text)", .broken) }
  }

  private mutating func high() {
    guard let bound = rules.maximum else {
      add(2_147_483_648, rule(nil, "maximum"), "one more than 32 bits hold", .unsaid)
      return
    }
    let text = Self.number(bound.value).text
    let name = bound.isOutside ? "exclusiveMaximum" : "maximum"
    add(bound.isOutside ? bound.value - step : bound.value, name, "the largest that \(name) \(text) allows", .kept)
    if bound.isOutside {
      add(bound.value, name, "\(name) \(text) itself", .broken)
    } else {
      add(beyond: bound.value, by: step, name, "just above \(name) \(text)")
    }
    all.append((Self.raw("9223372036854775808"), name, "one more than 64 bits hold", .broken))
  }

  private mutating func odd() {
    add(0, "zero", "zero", .unsaid)
    let (least, most) = (rule(rules.minimum, "minimum"), rule(rules.maximum, "maximum"))
    all.append((Self.raw("9223372036854775807"), most, "the largest that 64 bits hold", .unsaid))
    all.append((Self.raw("9223372036854775808"), most, "one more than 64 bits hold", .unsaid))
    all.append((Self.raw("-9223372036854775809"), least, "one less than 64 bits hold", .unsaid))
    // An integer with an exponent is valid by JSON Schema, but not in a query, where it is text.
    let huge = isInteger ? "1" + String(repeating: "0", count: 400) : "1e400"
    all.append((Self.raw(huge), most, "more than a double holds", .unsaid))
    if !isInteger { all.append((Self.raw("0.1000000000000000055"), "digits", "many digits", .unsaid)) }
  }

  private static func raw(_ text: String) -> JSONValue { JSONNumber(text: text).map(JSONValue.number) ?? .null }

  /// Without rounding errors of binary fractions.
  static func number(_ value: Double) -> JSONValue {
    if value.magnitude >= 0x1p53, let whole = Int128(exactly: value) { return raw(String(whole)) }
    let rounded = (value * 1e6).rounded() / 1e6
    if let whole = Int(exactly: rounded) { return JSONValue(whole) }
    return .number(JSONNumber(rounded))
  }
}
