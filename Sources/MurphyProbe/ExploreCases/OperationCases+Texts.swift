import MurphyContract
import MurphySchema

/// Values of parameters that have a meaning in the text of a request, or in a query of a database.
extension OperationCases {
  /// Strings that some languages read as numbers, and that are not numbers.
  private static let wrongNotations = [("0x1", "a hexadecimal number"), ("1abc", "a digit and letters")]

  /// Other notations of numbers. A contract does not define if a request may contain them.
  private static let otherNotations = [
    ("1e2", "a number with an exponent"), ("1.0", "a whole number with a fraction"),
    ("+1", "a number with a plus sign"),
    ("01", "a number with a leading zero"), (" 1", "a number after a space"), ("1_0", "a number with an underscore"),
    ("\u{FF11}", "a full-width digit"),
  ]

  /// Strings for a parameter without a schema.
  func texts(_ parameter: Contract.Parameter, _ place: String, _ base: JSONValue) -> [ExploreCase] {
    guard let text = base.scalarText else { return [] }
    return trials.trials(ofText: text).compactMap { trial in
      guard case .set(let value) = trial.change, parameter.canCarry(value) else { return nil }
      return made(.anything, .positive, place, trial.constraint, trial.about, value: value) {
        $0.set(parameter, .literal(value))
      }
    }
  }

  func notations(_ parameter: Contract.Parameter, _ place: String) -> [ExploreCase] {
    func made(_ text: String, _ about: String, _ expectation: ExploreCase.Expectation) -> ExploreCase {
      let value = JSONValue.string(text)
      return self.made(expectation, .negative, place, "type", about, value: value) {
        $0.set(parameter, .literal(value))
      }
    }
    let wrong = Self.wrongNotations.filter { text, _ in
      !check.mistakes(
        operation: call.operation, parameter: parameter.name, in: parameter.location, .string(text)
      ).isEmpty
    }
    guard parameter.location == .query || parameter.location == .path else {
      return wrong.map { made($0.0, $0.1, .refused) }
    }
    return wrong.map { made($0.0, $0.1, .refused) } + Self.otherNotations.map { made($0.0, $0.1, .anything) }
  }

  /// Searches for a wildcard of SQL's `LIKE`, each after a search that finds nothing.
  func wildcards(_ parameter: Contract.Parameter, _ place: String) -> [ExploreCase] {
    guard parameter.location == .query, operation.method == "GET", let schema = parameter.schema,
      Self.isFreeText(schema.located.value), Self.isSearch(parameter.name) || Self.isFilter(parameter.name)
    else { return [] }
    let least = max(schema.located.value["minLength"]?.int ?? 1, 1)
    func isValid(_ text: String) -> Bool {
      check.mistakes(operation: call.operation, parameter: parameter.name, in: .query, .string(text)).isEmpty
    }
    let unknown = String(repeating: "zqxjkv", count: least / 6 + 1)
    guard least <= 10, isValid(unknown) else { return [] }
    return ["%", "_"].compactMap { character in
      let text = String(repeating: character, count: least)
      guard isValid(text) else { return nil }
      var first = call
      first.set(parameter, .literal(.string(unknown)))
      return made(.anything, .positive, place, "wildcard", "a wildcard of SQL", value: .string(text)) {
        $0.set(parameter, .literal(.string(text)))
      }.compared(with: first, by: .wildcard(text))
    }
  }

  private static func isFilter(_ name: String) -> Bool {
    ["name", "title", "filter", "contains", "like", "prefix"].contains(name.lowercased())
  }
}

extension ExploreCase {
  /// The case with a rule, and with another request before its last one.
  func compared(with first: ExploreCall, by rule: ExchangeRule) -> ExploreCase {
    var copy = self
    copy.steps.insert(first, at: steps.count - 1)
    copy.rule = rule
    return copy
  }
}
