import MurphySchema

/// The properties of one value that relations need, from its schemas: its type, its values, its bounds.
struct ScalarShape {
  /// The types without null; empty if none is stated.
  var types: Set<String> = []
  /// As strings.
  var values: [String] = []
  var format: String?
  var standard: JSONValue?
  var minimum: Int?
  var maximum: Int?
  var pattern: String?
  /// A part cannot be followed, or differs between alternatives.
  var isOpen = false

  init(_ schema: Located, _ navigator: SchemaNavigator) {
    let scope = navigator.scope(of: schema)
    let only = Self.onlyBranch(scope, navigator)
    isOpen = scope.isOpaque || (!scope.choices.isEmpty && only == nil)
    for part in scope.parts + (only ?? []) {
      if let named = part.types {
        let concrete = Set(named).subtracting(["null"])
        types = types.isEmpty ? concrete : types.intersection(concrete)
      }
      if let list = part["enum"]?.value.array { values = list.filter { $0 != .null }.map(Self.text) }
      if let constant = part["const"]?.value, constant != .null { values = [Self.text(constant)] }
      pattern = part["pattern"]?.value.string ?? pattern
      format = part["format"]?.value.string ?? format
      standard = part["default"]?.value ?? standard
      minimum = part["minimum"]?.value.int ?? part["exclusiveMinimum"]?.value.int.map { $0.adding(1) } ?? minimum
      maximum = part["maximum"]?.value.int ?? part["exclusiveMaximum"]?.value.int.map { $0.subtracting(1) } ?? maximum
    }
  }

  /// The non-null branch of `oneOf: [{ … }, { type: "null" }]`; nil for any other choice.
  private static func onlyBranch(_ scope: SchemaScope, _ navigator: SchemaNavigator) -> [Located]? {
    guard scope.choices.count == 1, let choice = scope.choices.first, choice.keyword != "if" else { return nil }
    let others = choice.branches.filter { $0["type"]?.value.string != "null" }
    guard others.count == 1, choice.branches.count == 2 else { return nil }
    let inner = navigator.scope(of: others[0])
    return inner.isOpaque || !inner.choices.isEmpty ? nil : inner.parts
  }

  var isInteger: Bool { types == ["integer"] && !isOpen }
  var isScalar: Bool {
    !isOpen && types.count == 1 && !types.isDisjoint(with: ["integer", "number", "string", "boolean"])
  }
  var isUUID: Bool { types == ["string"] && format == "uuid" && !isOpen }
  var isEnumeration: Bool { types == ["string"] && !values.isEmpty && !isOpen }

  static func text(_ value: JSONValue) -> String { value.string ?? value.text }
}

/// The members of an object that are documented in every case.
struct ObjectShape {
  /// In the schema's order.
  let members: [(name: String, schemas: [Located])]
  let isOpen: Bool

  /// Nil if the schema does not describe an object.
  init?(_ schemas: [Located], _ navigator: SchemaNavigator) {
    let scope = navigator.scope(of: schemas)
    isOpen = scope.isOpaque || !scope.choices.isEmpty
    members = scope.parts.properties
    if members.isEmpty || scope.parts.contains(where: { $0.types?.contains("object") == false }) { return nil }
  }

  /// The only schema of a member; nil if there is none, or several.
  subscript(name: String) -> Located? {
    guard let member = members.first(where: { $0.name == name }), member.schemas.count == 1 else { return nil }
    return member.schemas[0]
  }
}
