import MurphyJSON

/// Rewrites a document's schemas for one direction.
///
/// For responses a `writeOnly` property becomes `{"not": {}}`, for it must not come; in both directions the
/// properties of the other one are taken off `required` (OpenAPI 3.0 §4.7.24.2; 3.1 §9.4 of JSON Schema Validation
/// leaves the rule to the application, and 3.1 documents mean the same by it). Pointers stay valid but for the
/// indices within `required`. What does not change is shared with the original.
package struct DirectionView {
  let sources: DocumentSet
  let direction: SchemaDirection
  /// Schemas without any property of the other direction are the rule: then nothing is rewritten.
  private let foreignKeyword: String

  package init(_ sources: DocumentSet, _ direction: SchemaDirection) {
    self.sources = sources
    self.direction = direction
    foreignKeyword = direction.foreignKeyword
  }

  package func view(of document: Int) -> JSONValue {
    let value = sources.documents[document].value
    return rewritten(value, Context(document: document)) ?? value
  }

  /// Where a value stands.
  private struct Context {
    let document: Int
    /// The value maps names to schemas, so its keys are no keywords.
    var isNameMap = false
    /// Foreign properties of the schema around, which `required` in an `allOf` branch may name.
    var inherited: Set<String> = []
  }

  /// Nil when nothing changes.
  private func rewritten(_ value: JSONValue, _ context: Context) -> JSONValue? {
    switch value {
    case .array(let items):
      var changed: [JSONValue]?
      for (index, item) in items.enumerated() {
        guard let new = rewritten(item, context) else { continue }
        if changed == nil { changed = items }
        changed?[index] = new
      }
      return changed.map(JSONValue.array)
    case .object(let object):
      return (context.isNameMap ? names(object, context) : schema(object, context)).map(JSONValue.object)
    default:
      return nil
    }
  }

  private func names(_ object: JSONObject, _ context: Context) -> JSONObject? {
    var changed: JSONObject?
    for member in object.members {
      guard let new = rewritten(member.value, Context(document: context.document)) else { continue }
      if changed == nil { changed = object }
      changed?[member.key] = new
    }
    return changed
  }

  private func schema(_ object: JSONObject, _ context: Context) -> JSONObject? {
    var changed: JSONObject?
    var foreign = context.inherited
    if object.position(of: "properties") != nil || object.position(of: "allOf") != nil {
      collectForeign(.object(object), context.document, depth: 0, into: &foreign)
    }
    for member in object.members {
      guard let new = keyword(member.key, member.value, context, foreign) else { continue }
      if changed == nil { changed = object }
      changed?[member.key] = new
    }
    return changed
  }

  private func keyword(
    _ key: String, _ value: JSONValue, _ context: Context, _ foreign: Set<String>
  ) -> JSONValue? {
    switch key {
    case "example", "examples", "enum", "const", "default", "x-ratelimit": return nil
    case "required":
      guard !foreign.isEmpty, case .array(let names) = value else { return nil }
      let kept = names.filter { $0.string.map { !foreign.contains($0) } ?? true }
      return kept.count == names.count ? nil : .array(kept)
    case "properties": return properties(value, context)
    case "allOf", "oneOf", "anyOf", "then", "else", "if":
      return rewritten(value, Context(document: context.document, inherited: foreign))
    case "patternProperties", "$defs", "definitions", "schemas", "dependentSchemas":
      return rewritten(value, Context(document: context.document, isNameMap: true))
    default: return rewritten(value, Context(document: context.document))
    }
  }

  private func properties(_ value: JSONValue, _ context: Context) -> JSONValue? {
    let inner = rewritten(value, Context(document: context.document, isNameMap: true))
    guard direction == .response, case .object(var object) = inner ?? value else { return inner }
    var isChanged = inner != nil
    for member in object.members where isForeign(member.value, context.document, depth: 0) {
      object[member.key] = .object([foreignKeyword: .bool(true), "not": .object([:])])
      isChanged = true
    }
    return isChanged ? .object(object) : nil
  }

  /// The names of foreign properties in this schema and those it is made of.
  private func collectForeign(_ schema: JSONValue, _ document: Int, depth: Int, into names: inout Set<String>) {
    guard depth < 16 else { return }
    if let reference = schema["$ref"]?.string, let target = target(reference, document) {
      collectForeign(target.value, target.document, depth: depth + 1, into: &names)
    }
    for member in schema["properties"]?.object?.members ?? []
    where isForeign(member.value, document, depth: 0) { names.insert(member.key) }
    for branch in schema["allOf"]?.array ?? [] { collectForeign(branch, document, depth: depth + 1, into: &names) }
  }

  private func isForeign(_ property: JSONValue, _ document: Int, depth: Int) -> Bool {
    guard depth < 16, case .object = property else { return false }
    if property[foreignKeyword]?.bool == true { return true }
    if let reference = property["$ref"]?.string, let target = target(reference, document) {
      return isForeign(target.value, target.document, depth: depth + 1)
    }
    return property["allOf"]?.array?.contains { isForeign($0, document, depth: depth + 1) } ?? false
  }

  private func target(_ reference: String, _ document: Int) -> Located? {
    var sources = sources
    return try? sources.target(of: reference, from: sources.root(document))
  }
}
