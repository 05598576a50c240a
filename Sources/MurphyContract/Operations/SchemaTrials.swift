import MurphySchema

/// Tests of a schema that change one aspect each of a conformant sample.
///
/// Used by one thread only.
package final class SchemaTrials {
  let navigator: SchemaNavigator
  var sample: ContractSample
  private var trials: [ValueTrial] = []

  /// The maximum depth and number of tested values, which are enough in practice.
  static let deepest = 5
  private static let most = 600
  private static let mostExamples = 10

  /// Trials for the schemas of `contract`.
  package init(_ contract: Contract) {
    navigator = SchemaNavigator(contract.sources)
    sample = ContractSample(contract)
  }

  /// Trials of a body's or a parameter's value, in the schema's order.
  ///
  /// - Parameter base: a value that conforms to the schema.
  package func trials(of schema: SchemaSite, base: JSONValue) -> [ValueTrial] {
    trials = []
    visit([schema.located], base, JSONPointer.root, depth: 0)
    return trials
  }

  /// Trials of a string that has no schema.
  package func trials(ofText base: String) -> [ValueTrial] {
    trials = []
    visit([], .string(base), JSONPointer.root, depth: 0)
    return trials
  }

  /// The value with all members that are allowed, at any depth below objects.
  package func full(_ schema: SchemaSite, base: JSONValue) -> JSONValue { full([schema.located], base, depth: 0) }

  private func full(_ schemas: [Located], _ base: JSONValue, depth: Int) -> JSONValue {
    guard depth < Self.deepest, case .object(var object) = base else { return base }
    for (name, schemas) in rules(of: schemas).parts.properties where !rules(of: schemas).isReadOnly {
      let value = object[name] ?? schemas.lazy.compactMap({ self.sample.value(of: $0) }).first
      object[name] = value.map { full(schemas, $0, depth: depth + 1) }
    }
    return .object(object)
  }

  func rules(of schemas: [Located]) -> SchemaRules { SchemaRules(parts: navigator.scope(of: schemas).parts) }

  private func add(
    _ pointer: JSONPointer, _ change: ValueTrial.Change, _ constraint: String, _ about: String,
    _ intent: ValueTrial.Intent
  ) {
    guard trials.count < Self.most else { return }
    trials.append(
      ValueTrial(pointer: pointer, change: change, constraint: constraint, about: about, intent: intent))
  }

  private func visit(_ schemas: [Located], _ base: JSONValue, _ pointer: JSONPointer, depth: Int) {
    guard depth <= Self.deepest, trials.count < Self.most else { return }
    let scope = navigator.scope(of: schemas)
    var parts = scope.parts
    for choice in scope.choices where choice.keyword != "if" {
      if let branch = choice.branches.first(where: { fits($0, base) }) { parts += navigator.scope(of: branch).parts }
      for branch in choice.branches {
        guard let value = sample.value(of: branch), value != base else { continue }
        add(pointer, .set(value), choice.keyword, "another branch of \(choice.keyword)", .kept)
      }
    }
    let rules = SchemaRules(parts: parts)
    guard !rules.isReadOnly else { return }
    types(rules, base, pointer)
    for value in rules["examples"]?.array?.prefix(Self.mostExamples) ?? [] where value != base {
      add(pointer, .set(value), "examples", "another example of the document", .kept)
    }
    if let values = rules.values { return choices(values, base, pointer) }
    switch base {
    case .string(let text):
      for trial in TextTrials(rules, base: text).all where trial.text != text {
        add(pointer, .set(.string(trial.text)), trial.constraint, trial.about, trial.intent)
      }
    case .number(let number):
      for trial in NumberTrials(rules, base: number.double).all where trial.value != base {
        add(pointer, .set(trial.value), trial.constraint, trial.about, trial.intent)
      }
    case .bool(let value): add(pointer, .set(.bool(!value)), "type", "the other boolean", .kept)
    case .array(let items): array(rules, items, pointer, depth)
    case .object(let object): self.object(rules, object, pointer, depth)
    case .null: break
    }
  }

  /// True if the value belongs to a branch of a choice, by types and required members.
  private func fits(_ branch: Located, _ value: JSONValue) -> Bool {
    let rules = rules(of: [branch])
    let isOfType =
      rules.types.isEmpty || rules.types.contains(value.typeName)
      || value.number?.isInteger == true && rules.types.contains("integer")
    return isOfType && rules.required.allSatisfy { value[$0] != nil }
  }

  private func types(_ rules: SchemaRules, _ base: JSONValue, _ pointer: JSONPointer) {
    guard !rules.types.isEmpty else { return }
    let others: [(String, JSONValue, String)] = [
      ("string", "murphy", "a string"), ("integer", 7, "a number"), ("boolean", true, "a boolean"),
      ("null", .null, "null"), ("array", [], "a list"), ("object", [:], "an object"),
    ]
    for (type, value, about) in others {
      let isAllowed = rules.types.contains(type) || type == "integer" && rules.types.contains("number")
      if isAllowed, type != "null" || base == .null { continue }
      let expected = rules.types.sorted().joined(separator: " or ")
      add(
        pointer, .set(value), type == "null" ? "null" : "type",
        isAllowed ? "null, which is allowed" : "\(about) in place of \(expected)",
        isAllowed ? .kept : .broken)
    }
  }

  private func choices(_ values: [JSONValue], _ base: JSONValue, _ pointer: JSONPointer) {
    for value in values.prefix(40) where value != base {
      add(pointer, .set(value), "enum", "another enum value, \(value.text)", .kept)
    }
    let other: JSONValue = values.contains { $0.string != nil } ? "no-such-value" : 987_654
    add(pointer, .set(other), "enum", "a value that is not in the enum", .broken)
    if let text = base.string, text.uppercased() != text, !values.contains(.string(text.uppercased())) {
      add(pointer, .set(.string(text.uppercased())), "enum", "an enum value in upper case", .broken)
    }
  }

  private func array(_ rules: SchemaRules, _ items: [JSONValue], _ pointer: JSONPointer, _ depth: Int) {
    guard let schema = rules.items, let item = items.first ?? sample.value(of: schema) else { return }
    func copies(_ count: Int) -> JSONValue { .array((0..<count).map { Self.varied(item, $0) }) }
    let least = rules["minItems"]?.int ?? 0
    if let most = rules["maxItems"]?.int, (0...200).contains(most) {
      add(pointer, .set(copies(most)), "maxItems", "as many items as maxItems \(most)", .kept)
      add(pointer, .set(copies(most + 1)), "maxItems", "one more item than maxItems \(most)", .broken)
    }
    if (1...200).contains(least) {
      add(pointer, .set(copies(least)), "minItems", "as few items as minItems \(least)", .kept)
      add(pointer, .set(copies(least - 1)), "minItems", "one item fewer than minItems \(least)", .broken)
    } else if least <= 0, !items.isEmpty {
      add(pointer, .set([]), "empty", "an empty list", .unsaid)
    }
    if rules["uniqueItems"] == .bool(true) {
      add(pointer, .set(.array([item, item])), "uniqueItems", "one item twice", .broken)
      add(pointer, .set(copies(2)), "uniqueItems", "two different items", .kept)
    }
    let filled: [JSONValue] = items.isEmpty ? [item] : items
    let before = trials.count
    visit([schema], filled[0], pointer.appending(0), depth: depth + 1)
    guard items.isEmpty else { return }
    // The sample has no item yet, so each trial adds the whole list.
    add(pointer, .set(.array(filled)), "items", "a list with an item", .kept)
    for index in trials.indices.dropFirst(before) {
      let place = Array(trials[index].pointer.tokens.dropFirst(pointer.tokens.count))
      guard case .set(let value) = trials[index].change, trials[index].pointer != pointer,
        let whole = JSONValue.array(filled).replacing(at: place[...], with: value)
      else { continue }
      (trials[index].pointer, trials[index].change) = (pointer, .set(whole))
    }
  }

  /// Another value of the same kind for each number.
  private static func varied(_ value: JSONValue, _ number: Int) -> JSONValue {
    guard number > 0 else { return value }
    switch value {
    case .string(let text): return .string(text + String(number))
    case .number(let base):
      return base.int.map { JSONValue($0.adding(number)) } ?? .number(JSONNumber(base.double + Double(number)))
    default: return value
    }
  }

  private func object(_ rules: SchemaRules, _ object: JSONObject, _ pointer: JSONPointer, _ depth: Int) {
    let required = rules.required
    let properties = rules.parts.properties.filter { !self.rules(of: $0.schemas).isReadOnly }
    var full = object
    for (name, schemas) in properties {
      let place = pointer.appending(name)
      if let value = object[name] {
        let isRequired = required.contains(name)
        add(place, .remove, isRequired ? "required" : "optional", "\(name) omitted", isRequired ? .broken : .kept)
        visit(schemas, value, place, depth: depth + 1)
      } else if let value = schemas.lazy.compactMap({ self.sample.value(of: $0) }).first {
        full[name] = value
        add(place, .set(value), "optional", "with \(name)", .kept)
        visit(schemas, value, place, depth: depth + 1)
      }
    }
    if full.count > object.count + 1 { add(pointer, .set(.object(full)), "optional", "with all properties", .kept) }
    let least = JSONObject(object.members.filter { required.contains($0.key) }.map { ($0.key, $0.value) })
    if least.count + 1 < object.count {
      add(pointer, .set(.object(least)), "optional", "with the required properties only", .kept)
    }
    add(
      pointer.appending("murphy_extra"), .set(true), "additionalProperties", "a property that no schema names",
      rules.isClosed ? .broken : .unsaid)
    if let schema = rules.additional, let value = sample.value(of: schema) {
      let place = pointer.appending("murphy_other")
      add(place, .set(value), "additionalProperties", "with another property", .kept)
      visit([schema], value, place, depth: depth + 1)
      add(pointer.appending("Łódź 😀"), .set(value), "additionalProperties", "a property name in other scripts", .unsaid)
    }
    if !required.isEmpty, depth == 0 { add(pointer, .set([:]), "required", "an object without properties", .broken) }
  }
}

/// The keywords of all schemas that apply to one position.
struct SchemaRules {
  let parts: [Located]

  /// The first value of a keyword.
  subscript(keyword: String) -> JSONValue? { parts.lazy.compactMap { $0[keyword]?.value }.first }

  /// The types that all schemas together allow; empty if none states any.
  var types: Set<String> {
    var types: Set<String>?
    for part in parts {
      guard var own = part.types.map(Set.init) else { continue }
      if part["nullable"]?.value == .bool(true) { own.insert("null") }
      types = types.map { $0.intersection(own) } ?? own
    }
    return types ?? []
  }

  /// The values of `enum` or `const`; nil without them.
  var values: [JSONValue]? {
    if let value = self["const"] { return [value] }
    return self["enum"]?.array
  }

  var isReadOnly: Bool { parts.contains { $0["readOnly"]?.value == .bool(true) } }

  var required: Set<String> { Set(parts.flatMap(\.required)) }

  var items: Located? { parts.lazy.compactMap { $0["items"] }.first { $0.value.array == nil } }

  /// The schema of members that no other schema names; nil if there is none.
  var additional: Located? { parts.lazy.compactMap { $0["additionalProperties"] }.first { $0.value.object != nil } }

  /// True if members that no schema names are rejected.
  var isClosed: Bool {
    parts.contains {
      $0["additionalProperties"]?.value == .bool(false) || $0["unevaluatedProperties"]?.value == .bool(false)
    }
  }

  /// The bounds of a number; `isOutside` is true for an exclusive bound.
  ///
  /// Before 3.1 an exclusive bound is a flag next to the bound.
  var minimum: (value: Double, isOutside: Bool)? { bound("minimum", "exclusiveMinimum") }
  var maximum: (value: Double, isOutside: Bool)? { bound("maximum", "exclusiveMaximum") }

  private func bound(_ plain: String, _ exclusive: String) -> (value: Double, isOutside: Bool)? {
    if let value = self[exclusive]?.double { return (value, true) }
    return self[plain]?.double.map { ($0, self[exclusive] == .bool(true)) }
  }
}
