import MurphySchema

extension SchemaComparison {
  mutating func compareItems() {
    func items(_ view: SchemaView) -> [Located] { view.all("items").filter { $0.value.object?.isEmpty != true } }
    let items = (items(old), items(new))
    if !items.0.isEmpty, !items.1.isEmpty {
      follow(.item(nil), items.0, items.1)
    } else if !items.0.isEmpty || !items.1.isEmpty {
      add(
        items.0.isEmpty ? "items-added" : "items-removed", items.0.isEmpty ? .narrows : .widens,
        items.0.isEmpty ? "any items → items of a schema" : "items of a schema → any items",
        (items.0.first, items.1.first))
    }
    let prefixes = (old.first("prefixItems"), new.first("prefixItems"))
    let (before, after) = (prefixes.0?.items ?? [], prefixes.1?.items ?? [])
    for index in 0..<min(before.count, after.count) { follow(.item(index), [before[index]], [after[index]]) }
    let depends = "it depends on `items` which values the other positions may have"
    if after.count > before.count {
      add(
        "prefix-items-added", side.isRequest ? .undecided : .widens, "\(before.count) → \(after.count)", prefixes,
        soft: side.isRequest ? depends : nil)
    } else if after.count < before.count {
      add(
        "prefix-items-removed", side.isRequest ? .narrows : .undecided, "\(before.count) → \(after.count)", prefixes,
        soft: side.isRequest ? nil : depends)
    }
    for (keyword, facet) in [("contains", "contains"), ("unevaluatedItems", "unevaluated-items")]
    where comparePresence(keyword, facet) { undecided(facet, keyword) }
  }

  mutating func compareChoices() {
    for keyword in ["oneOf", "anyOf"] {
      let choices = (old.choices.filter { $0.keyword == keyword }, new.choices.filter { $0.keyword == keyword })
      let facet = keyword == "oneOf" ? "one-of" : "any-of"
      if choices.0.count > 1 || choices.1.count > 1 {
        let places = (choices.0.first?.branches.first, choices.1.first?.branches.first)
        guard choices.0.flatMap(\.branches).map(\.value) != choices.1.flatMap(\.branches).map(\.value) else {
          for (before, after) in zip(choices.0.flatMap(\.branches), choices.1.flatMap(\.branches)) {
            follow(.branch(Self.name(after)), [before], [after])
          }
          continue
        }
        add("\(facet)-changed", .undecided, keyword, places, soft: "several \(keyword) apply to the value")
      } else {
        compare(facet, choices.0.first?.branches ?? [], choices.1.first?.branches ?? [])
      }
    }
    compareDiscriminators()
  }

  private mutating func compare(_ facet: String, _ before: [Located], _ after: [Located]) {
    if before.isEmpty, after.isEmpty { return }
    if before.isEmpty {
      // The old schema may be one of the new alternatives.
      let isWrapped = after.contains { branch in old.parts.contains { isSame($0, branch) } }
      let effect: SchemaSide.Effect = isWrapped ? (facet == "one-of" ? .changes : .widens) : .narrows
      return add(
        isWrapped ? "wrapped-in-\(facet)" : "\(facet)-added", effect, "none → \(names(after))", (nil, after[0]))
    }
    if after.isEmpty {
      let isUnwrapped = before.contains { branch in new.parts.contains { isSame(branch, $0) } }
      return add("\(facet)-removed", isUnwrapped ? .narrows : .widens, "\(names(before)) → none", (before[0], nil))
    }
    var left = before
    var added: [Located] = []
    var pairs: [(Located, Located)] = []
    for branch in after {
      if let index = left.firstIndex(where: { isSame($0, branch) }) {
        pairs.append((left.remove(at: index), branch))
      } else {
        added.append(branch)
      }
    }
    // Alternatives without a name that have the same type are versions of one another.
    for branch in added {
      let types = SchemaView([branch], navigators.new).types
      guard branch.value["$ref"] == nil, let types,
        let index = left.firstIndex(where: {
          $0.value["$ref"] == nil && SchemaView([$0], navigators.old).types == types
        })
      else { continue }
      pairs.append((left.remove(at: index), branch))
      added.removeAll { $0.key == branch.key }
    }
    for (before, after) in pairs { follow(.branch(Self.name(after)), [before], [after]) }
    for branch in added {
      add("\(facet)-alternative-added", .widens, "new alternative \(Self.name(branch))", (nil, branch))
    }
    for branch in left {
      add("\(facet)-alternative-removed", .narrows, "\(Self.name(branch)) → removed", (branch, nil))
    }
  }

  /// True for schemas with the same name or text.
  private func isSame(_ before: Located, _ after: Located) -> Bool {
    let names = (before.value["$ref"]?.string, after.value["$ref"]?.string)
    if names.0 != nil, names.1 != nil { return Self.name(before) == Self.name(after) }
    let (old, new) = (navigators.old.target(of: before), navigators.new.target(of: after))
    return old.value == new.value || old.pointer.tokens.count <= 3 && old.pointer == new.pointer
      || old.value["title"] != nil && old.value["title"] == new.value["title"]
  }

  private func names(_ branches: [Located]) -> String {
    branches.map(Self.name).joined(separator: ", ").shortened(to: 80)
  }

  private static func name(_ branch: Located) -> String {
    let reference = branch.value["$ref"]?.string?.split(separator: "/").last.map(String.init)
    return reference ?? branch.value["title"]?.string ?? branch.types?.joined(separator: " or ")
      ?? branch.pointer.tokens.last ?? ""
  }

  /// The components that name the schema in their `allOf`, if it has a discriminator.
  mutating func compareSubtypes(
    _ before: [(name: String, schema: Located)], _ after: [(name: String, schema: Located)]
  ) {
    for (name, schema) in after {
      if let known = before.first(where: { $0.name == name }) {
        follow(.branch(name), [known.schema], [schema])
      } else {
        add(
          "subtype-added", .widens, "new subtype \(name)", (nil, schema), soft: "a client may not know the new subtype")
      }
    }
    for (name, schema) in before where !after.contains(where: { $0.name == name }) {
      add("subtype-removed", .narrows, "\(name) → removed", (schema, nil))
    }
  }

  private mutating func compareDiscriminators() {
    let places = (old.first("discriminator"), new.first("discriminator"))
    guard places.0?.value != places.1?.value else { return }
    let soft = "clients may use the discriminator to choose a type"
    let names = (places.0?.value["propertyName"]?.string, places.1?.value["propertyName"]?.string)
    if names.0 != names.1 {
      add(
        "discriminator-changed", names.0 == nil ? .none : .undecided, "\(names.0 ?? "none") → \(names.1 ?? "none")",
        places, soft: soft)
    }
    let mappings = (places.0?.value["mapping"]?.object, places.1?.value["mapping"]?.object)
    for entry in mappings.0?.members ?? [] where mappings.1?[entry.key] != entry.value {
      let target = mappings.1?[entry.key]?.string
      // A response that has the value less often concerns no client.
      let isHarmless = target == nil && !side.isRequest
      add(
        "discriminator-mapping-changed", isHarmless ? .none : .undecided,
        "\(entry.key): \(entry.value.string ?? "") → \(target ?? "removed")", places, soft: soft)
    }
    for key in mappings.1?.keys ?? [] where mappings.0?[key] == nil {
      add(
        "discriminator-mapping-added", side.isRequest || mappings.0 == nil ? .none : .undecided, "new value \(key)",
        places, soft: soft)
    }
  }

  /// Conditions, `not`, and keywords that murphy does not know.
  mutating func compareRest() {
    for keyword in ["if", "then", "else", "not"] where comparePresence(keyword, keyword) { undecided(keyword, keyword) }
    let unknown = Set((old.parts + new.parts).flatMap { $0.value.object?.keys ?? [] }).subtracting(Self.known)
    for keyword in unknown.sorted()
    where !keyword.hasPrefix("x-") && old.all(keyword).map(\.value) != new.all(keyword).map(\.value) {
      undecided("keyword", keyword)
    }
    if old.isOpaque || new.isOpaque, old.parts.map(\.value) != new.parts.map(\.value) || old.isOpaque != new.isOpaque {
      add("reference-changed", .undecided, "the schema", soft: "a reference cannot be followed")
    }
  }

  /// The keywords that are compared above, and those that only describe.
  private static let known: Set<String> = [
    "type", "nullable", "format", "enum", "const", "x-extensible-enum", "default", "maximum", "minimum",
    "exclusiveMaximum", "exclusiveMinimum", "maxLength", "minLength", "maxItems", "minItems", "maxProperties",
    "minProperties", "maxContains", "minContains", "multipleOf", "uniqueItems", "pattern", "contentMediaType",
    "contentEncoding", "contentSchema", "properties", "required", "additionalProperties", "unevaluatedProperties",
    "patternProperties", "propertyNames", "dependentRequired", "dependentSchemas", "items", "prefixItems", "contains",
    "unevaluatedItems", "oneOf", "anyOf", "allOf", "discriminator", "if", "then", "else", "not", "$ref", "readOnly",
    "writeOnly", "deprecated", "title", "description", "example", "examples", "externalDocs", "$comment", "$defs",
    "definitions", "$id", "$schema", "$anchor", "$dynamicRef", "$dynamicAnchor", "$recursiveRef", "$recursiveAnchor",
  ]
}
