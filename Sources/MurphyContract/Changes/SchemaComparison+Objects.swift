import MurphySchema

extension SchemaComparison {
  mutating func compareObjects() {
    let before = Dictionary(old.properties.map { ($0.name, $0.schemas) }, uniquingKeysWith: +)
    for (name, schemas) in new.properties {
      if let known = before[name] { compare(name, known, schemas) } else { addition(name, schemas) }
    }
    let after = Set(new.properties.map(\.name))
    for (name, schemas) in old.properties where !after.contains(name) { removal(name, schemas) }
    // Names that are required without a schema of their own.
    let named = after.union(before.keys)
    for name in new.required.subtracting(old.required).subtracting(named).sorted() { requirement(name) }
    for name in old.required.subtracting(new.required).subtracting(named).sorted() { option(name) }
    compareAdditional(
      "additionalProperties", "additional-properties", soft: "a client may reject fields that it does not know")
    compareAdditional("unevaluatedProperties", "unevaluated-properties", soft: nil)
    comparePatterns()
    for (keyword, facet) in [("propertyNames", "property-names"), ("dependentSchemas", "dependent-schemas")]
    where comparePresence(keyword, facet) { undecided(facet, keyword) }
    if comparePresence("dependentRequired", "dependent-required") {
      let places = (old.first("dependentRequired"), new.first("dependentRequired"))
      add(
        "dependent-required-changed", .changes,
        "\(text(old.all("dependentRequired"))) → \(text(new.all("dependentRequired")))", places)
    }
  }

  mutating func undecided(_ facet: String, _ keyword: String) {
    let places = (old.all(keyword), new.all(keyword))
    add(
      "\(facet)-changed", .undecided, "\(text(places.0)) → \(text(places.1))", (places.0.first, places.1.first),
      soft: "the two versions of \(keyword) cannot be compared")
  }

  private func flag(_ keyword: String, _ schemas: [Located], _ navigator: SchemaNavigator) -> Bool {
    navigator.scope(of: schemas).parts.contains { $0.value[keyword]?.bool == true }
  }

  /// True if the property is not part of messages in this direction.
  private func isOmitted(_ schemas: [Located], _ navigator: SchemaNavigator) -> Bool {
    flag(side.isRequest ? "readOnly" : "writeOnly", schemas, navigator)
  }

  private mutating func compare(_ name: String, _ before: [Located], _ after: [Located]) {
    let isOmitted = isOmitted(after, navigators.new)
    let places = (before.first, after.first)
    for (keyword, facet) in [("readOnly", "read-only"), ("writeOnly", "write-only")] {
      let isSet = flag(keyword, after, navigators.new)
      guard isSet != flag(keyword, before, navigators.old) else { continue }
      var effect = SchemaSide.Effect.none
      if !side.isRequest, keyword == "writeOnly" { effect = isSet || new.required.contains(name) ? .undecided : .none }
      add(
        "property-became-\(isSet ? "" : "not-")\(facet)", effect, name, places, label: name,
        soft: isSet ? "responses should not contain write-only properties" : "old responses may not contain it")
    }
    if old.required.contains(name) != new.required.contains(name) {
      if new.required.contains(name) {
        requirement(name, places, isOmitted ? .none : .narrows)
      } else {
        option(name, places, isOmitted ? .none : .widens)
      }
    }
    follow(.property(name), before, after, isIgnored: isOmitted)
  }

  /// A name that became required concerns every client that sends the object, so it has no label.
  private mutating func requirement(
    _ name: String, _ places: (Located?, Located?) = (nil, nil), _ effect: SchemaSide.Effect = .narrows
  ) {
    add("property-became-required", effect, "\(name): optional → required", places)
  }

  private mutating func option(
    _ name: String, _ places: (Located?, Located?) = (nil, nil), _ effect: SchemaSide.Effect = .widens
  ) {
    add("property-became-optional", effect, "\(name): required → optional", places, label: name)
  }

  private mutating func addition(_ name: String, _ schemas: [Located]) {
    let isOmitted = isOmitted(schemas, navigators.new)
    guard side.isRequest, new.required.contains(name), !isOmitted else {
      return add("property-added", .none, "new property \(name)", (nil, schemas.first), label: name)
    }
    add("required-property-added", .narrows, "new required property \(name)", (nil, schemas.first))
  }

  private mutating func removal(_ name: String, _ schemas: [Located]) {
    let words = "\(name): \(SchemaView(schemas, navigators.old).typeText) → removed"
    let isOmitted = isOmitted(schemas, navigators.old)
    if isOmitted { return add("property-removed", .none, words, (schemas.first, nil), label: name) }
    guard side.isRequest else {
      let isRequired = old.required.contains(name)
      return add(
        isRequired ? "required-property-removed" : "property-removed", .widens, words, (schemas.first, nil),
        label: name, soft: isRequired ? nil : "it was optional, but clients may need it")
    }
    let isClosed = new.first("additionalProperties")?.value == .bool(false)
    add(
      "property-removed", .narrows, words, (schemas.first, nil), label: name,
      soft: isClosed ? nil : "the API may reject or ignore a property that it does not know")
  }

  /// `additionalProperties` and `unevaluatedProperties`: absent or true, false, or a schema.
  private mutating func compareAdditional(_ keyword: String, _ facet: String, soft: String?) {
    func rule(_ view: SchemaView) -> Located? {
      view.first(keyword).flatMap { $0.value == .bool(true) || $0.value.object?.isEmpty == true ? nil : $0 }
    }
    let rules = (rule(old), rule(new))
    switch rules {
    case (nil, nil): break
    case (nil, let after?):
      add("\(facet)-restricted", .narrows, "any → \(Self.words(after))", rules)
    case (let before?, nil):
      add("\(facet)-opened", .widens, "\(Self.words(before)) → any", rules, soft: soft)
    case (let before?, let after?):
      if before.value == .bool(false) || after.value == .bool(false) {
        guard before.value != after.value else { return }
        let effect: SchemaSide.Effect = after.value == .bool(false) ? .narrows : .widens
        add(
          "\(facet)-\(effect == .narrows ? "restricted" : "opened")", effect,
          "\(Self.words(before)) → \(Self.words(after))", rules, soft: effect == .widens ? soft : nil)
      } else {
        follow(.others, [before], [after])
      }
    }
  }

  private static func words(_ rule: Located) -> String { rule.value == .bool(false) ? "none" : "those of a schema" }

  private mutating func comparePatterns() {
    func entries(_ view: SchemaView) -> [(key: String, located: Located)] {
      view.all("patternProperties").flatMap(\.members)
    }
    let (before, after) = (entries(old), entries(new))
    for entry in after {
      if let known = before.first(where: { $0.key == entry.key }) {
        follow(.others, [known.located], [entry.located])
      } else {
        add("pattern-property-added", .narrows, "none → \(entry.key)", (nil, entry.located))
      }
    }
    for entry in before where !after.contains(where: { $0.key == entry.key }) {
      add("pattern-property-removed", .widens, "\(entry.key) → none", (entry.located, nil))
    }
  }
}
