import MurphyJSON

/// Numbers that try what a schema says of a number.
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
    add(bound.isOutside ? bound.value + step : bound.value, name, "the least that \(name) \(text) allows", .kept)
    add(bound.isOutside ? bound.value : bound.value - step, name, "just below \(name) \(text)", .broken)
    if bound.value >= 0 { add(-1e9, name, "far below \(name) \(text)", .broken) }
  }

  private mutating func high() {
    guard let bound = rules.maximum else {
      add(2_147_483_648, "large", "one more than 32 bits hold", .unsaid)
      return
    }
    let text = Self.number(bound.value).text
    let name = bound.isOutside ? "exclusiveMaximum" : "maximum"
    add(bound.isOutside ? bound.value - step : bound.value, name, "the most that \(name) \(text) allows", .kept)
    add(bound.isOutside ? bound.value : bound.value + step, name, "just above \(name) \(text)", .broken)
    all.append((Self.raw("9223372036854775808"), name, "one more than 64 bits hold", .broken))
  }

  private mutating func odd() {
    add(0, "zero", "zero", .unsaid)
    all.append((Self.raw("9223372036854775807"), "large", "the most that 64 bits hold", .unsaid))
    all.append((Self.raw("9223372036854775808"), "large", "one more than 64 bits hold", .unsaid))
    all.append((Self.raw("-9223372036854775809"), "large", "one less than 64 bits hold", .unsaid))
    all.append((Self.raw("1e400"), "large", "more than a double holds", .unsaid))
    if !isInteger { all.append((Self.raw("0.1000000000000000055"), "digits", "many digits", .unsaid)) }
  }

  private static func raw(_ text: String) -> JSONValue { JSONNumber(text: text).map(JSONValue.number) ?? .null }

  /// Without the noise of binary fractions.
  static func number(_ value: Double) -> JSONValue {
    let rounded = (value * 1e6).rounded() / 1e6
    if let whole = Int(exactly: rounded) { return JSONValue(whole) }
    return .number(JSONNumber(rounded))
  }
}
