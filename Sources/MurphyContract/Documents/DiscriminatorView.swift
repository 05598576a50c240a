import MurphyModel
import MurphySchema

/// Rewrites `oneOf` and `anyOf` with a `discriminator`, so that its value alone chooses the branch.
///
/// ```
/// { oneOf: [{ $ref: Cat }, …], discriminator: { propertyName: kind, mapping: { cat: Cat } } }
/// becomes
/// { oneOf: [{ allOf: [{ $ref: Cat }], properties: { kind: { enum: [cat] } }, required: [kind] }, …], … }
/// ```
/// A branch matches the names that the mapping gives it. Without any, it matches its component's name (OpenAPI 3.1
/// §4.8.25). The branch of `defaultMapping` matches values that select no other branch (3.2 §4.25). A branch that is
/// not a reference has no name and is not changed. Pointers to other schemas stay valid. Unchanged parts are shared
/// with the original.
struct DiscriminatorView {
  static func view(of value: JSONValue) -> JSONValue { rewritten(value) ?? value }

  /// Nil when nothing changes.
  private static func rewritten(_ value: JSONValue) -> JSONValue? {
    switch value {
    case .array(let items):
      var changed: [JSONValue]?
      for (index, item) in items.enumerated() {
        guard let new = rewritten(item) else { continue }
        if changed == nil { changed = items }
        changed?[index] = new
      }
      return changed.map(JSONValue.array)
    case .object(let object):
      var changed: JSONObject?
      for member in object.members where !isData(member.key) {
        guard let new = rewritten(member.value) else { continue }
        if changed == nil { changed = object }
        changed?[member.key] = new
      }
      return (discriminated(changed ?? object) ?? changed).map(JSONValue.object)
    default: return nil
    }
  }

  /// Values under these names are data. The exception is a property with such a name: then a branch inside it is not
  /// discriminated, and `oneOf` evaluates it correctly all the same.
  private static func isData(_ key: String) -> Bool {
    ["example", "examples", "enum", "const", "default"].contains(key)
  }

  private static func discriminated(_ object: JSONObject) -> JSONObject? {
    guard let discriminator = object["discriminator"], let property = discriminator["propertyName"]?.string else {
      return nil
    }
    var changed: JSONObject?
    for keyword in ["oneOf", "anyOf"] {
      guard let branches = object[keyword]?.array else { continue }
      let mapping = discriminator["mapping"]?.object
      let fallback = discriminator["defaultMapping"]?.string
      let rewritten = branches.map { branch in
        let isFallback = fallback != nil && branch["$ref"]?.string.map { isMeant($0, by: fallback ?? "") } == true
        return isFallback
          ? self.fallback(branch, property, others: branches.filter { $0 != branch }, mapping)
          : self.branch(branch, property, mapping)
      }
      changed = changed ?? object
      changed?[keyword] = .array(rewritten)
    }
    return changed
  }

  private static func branch(_ branch: JSONValue, _ property: String, _ mapping: JSONObject?) -> JSONValue {
    guard let reference = branch["$ref"]?.string else { return branch }
    let names = names(of: reference, mapping)
    let values: JSONValue = .object(["enum": .array(names.map(JSONValue.string))])
    return .object([
      "allOf": .array([branch]), "properties": .object(JSONObject([(property, values)])),
      "required": .array([.string(property)]),
    ])
  }

  /// The branch of `defaultMapping`: applies when no other branch matches or the property is missing (OpenAPI 3.2
  /// §4.25).
  private static func fallback(
    _ branch: JSONValue, _ property: String, others: [JSONValue], _ mapping: JSONObject?
  ) -> JSONValue {
    let taken = others.flatMap { other in other["$ref"]?.string.map { names(of: $0, mapping) } ?? [] }
    guard !taken.isEmpty else { return branch }
    let values: JSONValue = .object(["enum": .array(taken.map(JSONValue.string))])
    let another: JSONValue = .object([
      "properties": .object(JSONObject([(property, values)])), "required": .array([.string(property)]),
    ])
    return .object(["allOf": .array([branch]), "not": another])
  }

  private static func isMeant(_ reference: String, by name: String) -> Bool {
    reference == name || reference.split(separator: "/").last.map { PercentEncoding.decode($0) } == name
  }

  /// The discriminator's values that select the schema that `reference` refers to.
  static func names(of reference: String, _ mapping: JSONObject?) -> [String] {
    let component = reference.split(separator: "/").last.map { PercentEncoding.decode($0) } ?? reference
    let mapped = (mapping?.members ?? []).filter {
      $0.value.string == reference || $0.value.string == component
    }
    // The implicit name stays valid in addition to mapped names only if the mapping does not use it for another schema.
    let isTaken = mapping?.members.contains { $0.key == component } ?? false
    return mapped.map(\.key) + (isTaken || !mapped.isEmpty ? [] : [component])
  }
}
