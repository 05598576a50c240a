import MurphySchema

/// Finds undocumented fields of a response, through `$ref`, `allOf`, and the matching branches of `oneOf` and `anyOf`.
///
/// A field is documented if `properties` or `patternProperties` names it, or if `additionalProperties` is present and
/// not `false`. If no schema names any property of an object, all its fields are allowed. A part that the walk cannot
/// follow documents everything.
final class UndocumentedFields {
  struct Field: Sendable {
    let pointer: JSONPointer
    /// The schema that could have documented it.
    let schema: Located
  }

  private let library: SchemaLibrary
  private let variant: SchemaVariant
  private let navigator: SchemaNavigator
  private let allowed: [PointerPattern]

  init(_ library: SchemaLibrary, _ variant: SchemaVariant, allowed: [String]) {
    self.library = library
    self.variant = variant
    self.allowed = allowed.map(PointerPattern.init)
    navigator = SchemaNavigator(library.sources)
  }

  /// At most 100 fields of `value`, in its order.
  func find(_ schema: Located, _ value: JSONValue) -> [Field] {
    var found: [Field] = []
    visit(value, at: .root, [schema], &found)
    return found
  }

  private func visit(_ value: JSONValue, at pointer: JSONPointer, _ schemas: [Located], _ found: inout [Field]) {
    guard found.count < 100, let parts = active(schemas, value, depth: 0), !parts.isEmpty else { return }
    switch value {
    case .object(let object):
      let isDocumented = parts.contains { $0.value["properties"]?.object?.isEmpty == false }
      for member in object.members {
        let place = pointer.appending(member.key)
        if parts.contains(where: { navigator.documents(member.key, in: $0) }) {
          let inner = parts.flatMap { navigator.schemas(for: member.key, in: $0) }
          if !inner.isEmpty { visit(member.value, at: place, inner, &found) }
        } else if isDocumented, !allowed.contains(where: { $0.matches(place) }) {
          found.append(Field(pointer: place, schema: parts.first { $0.value["properties"] != nil } ?? parts[0]))
        }
      }
    case .array(let items):
      for (index, item) in items.enumerated() {
        let inner = parts.flatMap { navigator.schemas(at: index, in: $0) }
        if !inner.isEmpty { visit(item, at: pointer.appending(index), inner, &found) }
      }
    default: break
    }
  }

  /// The schemas that apply to `value`; nil if that cannot be determined.
  private func active(_ schemas: [Located], _ value: JSONValue, depth: Int) -> [Located]? {
    guard depth < 32 else { return nil }
    let scope = navigator.scope(of: schemas)
    if scope.isOpaque { return nil }
    var parts = scope.parts
    for choice in scope.choices {
      for branch in choice.branches where holds(branch, value) {
        guard let inner = active([branch], value, depth: depth + 1) else { return nil }
        parts += inner
      }
    }
    return parts
  }

  private func holds(_ branch: Located, _ value: JSONValue) -> Bool {
    guard let index = library.branches[branch.key], let entry = variant.branchEntries[index] else { return true }
    if case .invalid = variant.program.isValid(entry, value) { return false }
    return true
  }
}

/// JSON Pointers with `*` for any one token and `**` at the end for any descendants: `/data/*/debug`, `/meta/**`.
package struct PointerPattern: Sendable {
  private let tokens: [String]

  /// A text without a slash at the start is a pattern as well.
  package init(_ text: String) {
    let text = text.hasPrefix("/") ? text : "/" + text
    tokens = JSONPointer(text)?.tokens ?? [text]
  }

  /// True if the pattern covers the pointer as a whole.
  package func matches(_ pointer: JSONPointer) -> Bool {
    for (index, token) in tokens.enumerated() {
      if token == "**", index == tokens.count - 1 { return pointer.tokens.count > index }
      guard index < pointer.tokens.count, token == "*" || token == pointer.tokens[index] else { return false }
    }
    return pointer.tokens.count == tokens.count
  }
}
