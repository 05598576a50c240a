import MurphySchema

/// The keywords that apply to one value: those of a schema, of its references and of its `allOf`, as one schema.
struct SchemaView {
  private(set) var parts: [Located]
  /// `oneOf` and `anyOf`, without the alternative `null`.
  private(set) var choices: [SchemaChoice]
  /// True if a reference cannot be followed.
  private(set) var isOpaque: Bool
  /// The allowed types without `null`; nil for all. `number` includes `integer`.
  private(set) var types: Set<String>?
  private(set) var allowsNull = false
  /// The values of `enum` and `const`; nil without both.
  private(set) var values: [JSONValue]?
  let required: Set<String>
  let properties: [(name: String, schemas: [Located])]

  init(_ schemas: [Located], _ navigator: SchemaNavigator) {
    let scope = navigator.scope(of: schemas)
    parts = scope.parts
    choices = scope.choices.filter { $0.keyword != "if" }
    // A discriminator alone makes a scope opaque, but its subtypes are compared.
    isOpaque = scope.isOpaque && !scope.parts.contains { $0.value["discriminator"] != nil }
    var hasNullBranch = false
    // `oneOf: [{ type: null }, X]` is X or null. An alternative may be circular.
    for _ in 0..<16 {
      guard let index = choices.firstIndex(where: { $0.branches.contains(where: Self.isNull) }) else { break }
      let choice = choices.remove(at: index)
      let rest = choice.branches.filter { !Self.isNull($0) }
      hasNullBranch = true
      if rest.count == 1 {
        let inner = navigator.scope(of: rest[0])
        parts += inner.parts
        choices += inner.choices.filter { $0.keyword != "if" }
      } else if !rest.isEmpty {
        choices.append(SchemaChoice(keyword: choice.keyword, branches: rest))
      }
    }
    required = Set(parts.flatMap(\.required))
    properties = parts.properties
    readTypes(hasNullBranch)
    if schemas.contains(where: { navigator.target(of: $0).value == .bool(false) }) { (types, allowsNull) = ([], false) }
    for part in parts {
      guard let allowed = part.value["enum"]?.array ?? part.value["const"].map({ [$0] }) else { continue }
      values = values?.filter(allowed.contains) ?? allowed
    }
  }

  private mutating func readTypes(_ hasNullBranch: Bool) {
    var nulls: [Bool] = []
    for part in parts {
      guard let names = part.types else { continue }
      var named = Set(names)
      if named.contains("number") { named.insert("integer") }
      nulls.append(named.remove("null") != nil)
      types = types?.intersection(named) ?? named
    }
    let isNullable = hasNullBranch || parts.contains { $0.value["nullable"]?.bool == true }
    allowsNull = isNullable || nulls.allSatisfy(\.self)
  }

  private static func isNull(_ branch: Located) -> Bool { branch.types == ["null"] || branch.value["const"] == .null }

  /// The places of a keyword.
  func all(_ keyword: String) -> [Located] { parts.compactMap { $0[keyword] } }

  func first(_ keyword: String) -> Located? { parts.lazy.compactMap { $0[keyword] }.first }

  func flag(_ keyword: String) -> Bool { parts.contains { $0.value[keyword]?.bool == true } }

  /// The types of the values, if only values are allowed.
  var valueTypes: Set<String>? {
    values.map { Set($0.map { $0.int != nil ? "integer" : $0.typeName }).subtracting(["null"]) }
  }

  /// The types for readers.
  var typeText: String {
    guard var names = types else { return "any type" }
    if names.contains("number") { names.remove("integer") }
    return names.isEmpty ? "no value" : names.sorted().joined(separator: " or ")
  }
}
