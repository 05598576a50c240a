import MurphySchema

extension SchemaComparison {
  mutating func compareValues() {
    let places = (old.first("enum") ?? old.first("const"), new.first("enum") ?? new.first("const"))
    let isConstant = old.first("enum") == nil && new.first("enum") == nil
    switch (old.values, new.values) {
    case (nil, nil): break
    case (nil, let after?):
      add(isConstant ? "const-added" : "enum-added", .narrows, "any value → \(list(after))", places)
    case (let before?, nil):
      add(
        isConstant ? "const-removed" : "enum-removed", .widens, "\(list(before)) → any value", places,
        soft: isConstant ? nil : Self.newValues)
    case (let before?, let after?):
      let (removed, added) = (before.filter { !after.contains($0) }, after.filter { !before.contains($0) })
      if isConstant, !removed.isEmpty {
        add("const-changed", .changes, "\(list(before)) → \(list(after))", places)
      } else {
        for value in removed { add("enum-value-removed", .narrows, "\(value.text) → removed", places, value: value) }
        for value in added { add("enum-value-added", .widens, "new value \(value.text)", places, soft: Self.newValues) }
      }
    }
    let extensible = (old.first("x-extensible-enum"), new.first("x-extensible-enum"))
    if let before = extensible.0?.value.array, let after = extensible.1?.value.array {
      for value in before where !after.contains(value) {
        add("extensible-enum-value-removed", .narrows, "\(value.text) → removed", extensible, value: value)
      }
    }
    let defaults = (old.first("default"), new.first("default"))
    // The comparison of parameters decides on those of parameters.
    if defaults.0?.value != defaults.1?.value, !side.isParameter || side.isNestedParameter {
      add(
        "default-changed", .none, "\(defaults.0?.value.text ?? "none") → \(defaults.1?.value.text ?? "none")", defaults)
    }
    if old.flag("deprecated") != new.flag("deprecated") {
      let places = (old.first("deprecated"), new.first("deprecated"))
      add(new.flag("deprecated") ? "field-deprecated" : "field-reactivated", .none, "deprecated", places)
    }
  }

  private static let newValues = "a client that handles each known value may fail on a new one"

  private func list(_ values: [JSONValue]) -> String { values.map(\.text).joined(separator: ", ").shortened(to: 80) }

  /// A limit of numbers, lengths or counts.
  private struct Bound {
    var keyword: String
    var facet: String
    var isUpper: Bool
    /// In OpenAPI 3.0 a boolean next to the limit, later a limit of its own.
    var exclusive: String?
    /// The limit if the keyword is absent.
    var implied: Double?
  }

  private static let bounds = [
    Bound(keyword: "maximum", facet: "maximum", isUpper: true, exclusive: "exclusiveMaximum"),
    Bound(keyword: "minimum", facet: "minimum", isUpper: false, exclusive: "exclusiveMinimum"),
    Bound(keyword: "maxLength", facet: "max-length", isUpper: true),
    Bound(keyword: "minLength", facet: "min-length", isUpper: false, implied: 0),
    Bound(keyword: "maxItems", facet: "max-items", isUpper: true),
    Bound(keyword: "minItems", facet: "min-items", isUpper: false, implied: 0),
    Bound(keyword: "maxProperties", facet: "max-properties", isUpper: true),
    Bound(keyword: "minProperties", facet: "min-properties", isUpper: false, implied: 0),
    Bound(keyword: "maxContains", facet: "max-contains", isUpper: true),
    Bound(keyword: "minContains", facet: "min-contains", isUpper: false, implied: 1),
  ]

  private typealias Limit = (value: Double, isExclusive: Bool, place: Located)

  /// The strictest limit of all parts.
  private func limit(_ bound: Bound, _ view: SchemaView) -> Limit? {
    var limits: [Limit] = []
    for part in view.parts {
      let exclusive = bound.exclusive.flatMap { part[$0] }
      if let place = part[bound.keyword], let value = place.value.double {
        limits.append((value, exclusive?.value.bool == true, place))
      }
      if let exclusive, let value = exclusive.value.double { limits.append((value, true, exclusive)) }
    }
    let strictest = limits.min { Self.isStricter($0, than: $1, bound.isUpper) }
    return strictest?.value == bound.implied ? nil : strictest
  }

  private static func isStricter(_ one: Limit, than other: Limit, _ isUpper: Bool) -> Bool {
    if one.value == other.value { return one.isExclusive && !other.isExclusive }
    return isUpper ? one.value < other.value : one.value > other.value
  }

  mutating func compareBounds() {
    for bound in Self.bounds {
      let limits = (limit(bound, old), limit(bound, new))
      let places = (limits.0?.place, limits.1?.place)
      func text(_ limit: Limit?) -> String {
        guard let limit else { return "none" }
        let sign = (bound.isUpper ? "<" : ">") + (limit.isExclusive ? "" : "=")
        return "\(sign) \(limit.place.value.text)"
      }
      let words = "\(text(limits.0)) → \(text(limits.1))"
      switch limits {
      case (nil, nil): break
      case (nil, _):
        // A length of at least 0 is the same as none, so this raises a limit that exists.
        add("\(bound.facet)-set", .narrows, words, places, soft: bound.keyword == "minLength" ? nil : Self.newLimit)
      case (_, nil): add("\(bound.facet)-removed", .widens, words, places)
      case (let before?, let after?):
        if Self.isStricter(after, than: before, bound.isUpper) {
          add("\(bound.facet)-tightened", .narrows, words, places)
        } else if Self.isStricter(before, than: after, bound.isUpper) {
          add("\(bound.facet)-loosened", .widens, words, places)
        }
      }
    }
    compareMultiples()
    if old.flag("uniqueItems") != new.flag("uniqueItems") {
      let places = (old.first("uniqueItems"), new.first("uniqueItems"))
      let isSet = new.flag("uniqueItems")
      add("unique-items-changed", isSet ? .narrows : .widens, "\(!isSet) → \(isSet)", places)
    }
  }

  private static let newLimit = "the API may have had this limit before; clients that exceed it fail"

  private mutating func compareMultiples() {
    guard comparePresence("multipleOf", "multiple-of"), let before = old.first("multipleOf"),
      let after = new.first("multipleOf"), let from = before.value.double, let to = after.value.double, from > 0, to > 0
    else { return }
    let words = "\(before.value.text) → \(after.value.text)"
    func isMultiple(_ one: Double, of other: Double) -> Bool { (one / other).rounded() == one / other }
    let effect: SchemaSide.Effect = isMultiple(to, of: from) ? .narrows : isMultiple(from, of: to) ? .widens : .changes
    add("multiple-of-changed", effect, words, (before, after))
  }

  mutating func compareTexts() {
    let patterns = (patterns(old), patterns(new))
    let words = "\(text(patterns.0)) → \(text(patterns.1))"
    let places = (patterns.0.first, patterns.1.first)
    let undecided = "it cannot be decided which values the new pattern excludes"
    switch (patterns.0.isEmpty, patterns.1.isEmpty) {
    case (true, true): break
    case (true, false): add("pattern-added", .narrows, "none → \(text(patterns.1))", places)
    case (false, true):
      add("pattern-removed", .widens, "\(text(patterns.0)) → none", places, soft: "values may have another form")
    case (false, false):
      if patterns.0.map(\.value) != patterns.1.map(\.value) {
        add("pattern-changed", .undecided, words, places, soft: undecided)
      }
    }
    for (keyword, facet) in [("contentMediaType", "content-media-type"), ("contentEncoding", "content-encoding")] {
      let places = (old.first(keyword), new.first(keyword))
      guard places.0?.value != places.1?.value else { continue }
      let words = "\(places.0?.value.string ?? "none") → \(places.1?.value.string ?? "none")"
      add("\(facet)-changed", .changes, words, places)
    }
    if comparePresence("contentSchema", "content-schema") {
      follow(.branch("contentSchema"), old.all("contentSchema"), new.all("contentSchema"))
    }
  }

  /// The patterns that exclude a value.
  private func patterns(_ view: SchemaView) -> [Located] {
    view.all("pattern").filter { ![".*", "^.*$", "", "^"].contains($0.value.string ?? "") }
  }
}
