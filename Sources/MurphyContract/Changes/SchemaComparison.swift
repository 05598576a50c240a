import MurphySchema

/// The changes between two schemas of one value, without those of its parts: these are edges to other pairs.
struct SchemaComparison {
  /// The part of a value to which an edge leads.
  enum Step: Hashable {
    case property(String)
    /// Properties that the schema does not name.
    case others
    /// All items; with an index, one of `prefixItems`.
    case item(Int?)
    /// An alternative of `oneOf` or `anyOf`; the value itself.
    case branch(String)
  }

  let old: SchemaView
  let new: SchemaView
  let side: SchemaSide
  let navigators: (old: SchemaNavigator, new: SchemaNavigator)
  private(set) var changes: [SchemaChange] = []
  private(set) var edges: [(step: Step, old: [Located], new: [Located], side: SchemaSide)] = []

  init(
    _ old: [Located], _ new: [Located], _ side: SchemaSide, _ navigators: (old: SchemaNavigator, new: SchemaNavigator)
  ) {
    (self.old, self.new) = (SchemaView(old, navigators.old), SchemaView(new, navigators.new))
    (self.side, self.navigators) = (side, navigators)
    compareTypes()
    compareValues()
    compareBounds()
    compareTexts()
    compareObjects()
    compareItems()
    compareChoices()
    compareRest()
    for index in changes.indices {
      changes[index].old = changes[index].old ?? self.old.parts.first ?? old.first
      changes[index].new = changes[index].new ?? self.new.parts.first ?? new.first
    }
  }

  /// - Parameter soft: the reason why a breaking change is only possibly breaking.
  mutating func add(
    _ facet: String, _ effect: SchemaSide.Effect, _ text: String, _ places: (old: Located?, new: Located?) = (nil, nil),
    label: String? = nil, value: JSONValue? = nil, soft: String? = nil
  ) {
    var severity = side.severity(effect)
    if severity == .breaking, soft != nil { severity = .possiblyBreaking }
    changes.append(
      SchemaChange(
        severity: severity, rule: "\(side.isRequest ? "request" : "response")-\(facet)", text: text,
        reason: severity == .possiblyBreaking ? soft ?? "the change cannot be decided" : nil, old: places.old,
        new: places.new, label: label, value: value))
  }

  mutating func follow(_ step: Step, _ old: [Located], _ new: [Located], isIgnored: Bool = false) {
    var side = side
    if case .property = step { side.isNestedParameter = side.isParameter }
    side.isIgnored = side.isIgnored || isIgnored
    edges.append((step, old, new, side))
  }

  /// A keyword that is absent, equal or different: adding it narrows, removing it widens.
  ///
  /// - Returns: true if both have it, and they differ.
  @discardableResult mutating func comparePresence(
    _ keyword: String, _ facet: String, addition: String? = nil, removal: String? = nil
  ) -> Bool {
    let (before, after) = (old.all(keyword), new.all(keyword))
    let places = (before.first, after.first)
    switch (before.isEmpty, after.isEmpty) {
    case (true, true): return false
    case (true, false): add("\(facet)-added", .narrows, "none → \(text(after))", places, soft: addition)
    case (false, true): add("\(facet)-removed", .widens, "\(text(before)) → none", places, soft: removal)
    case (false, false): return before.map(\.value) != after.map(\.value)
    }
    return false
  }

  func text(_ places: [Located]) -> String {
    places.map { ($0.value.string ?? $0.value.text).shortened(to: 60) }.joined(separator: " and ")
  }

  private mutating func compareTypes() {
    let places = (old.first("type"), new.first("type"))
    if old.types != nil, new.types != nil, old.allowsNull != new.allowsNull {
      let places = (old.first("nullable") ?? places.0, new.first("nullable") ?? places.1)
      if new.allowsNull {
        add("became-nullable", .widens, "\(old.typeText) → \(new.typeText) or null", places)
      } else {
        add("became-not-nullable", .narrows, "\(old.typeText) or null → \(new.typeText)", places)
      }
    }
    let effect = typeEffect
    if effect != .none {
      let isSoft = side.isNestedParameter && effect == .changes
      add(
        "type-changed", effect, "\(old.typeText) → \(new.typeText)", places,
        soft: isSoft ? "the style of the parameter decides how a property is written" : nil)
    }
    guard effect == .none || side.severity(effect) == .compatible else { return }
    let formats = (old.first("format"), new.first("format"))
    let (before, after) = (formats.0?.value.string, formats.1?.value.string)
    guard before != after else { return }
    add("format-changed", formatEffect(before, after), "\(before ?? "none") → \(after ?? "none")", formats)
  }

  private var typeEffect: SchemaSide.Effect {
    guard old.types != new.types else { return .none }
    guard let before = old.types else {
      return old.valueTypes?.isSubset(of: new.types ?? []) == true ? .none : .narrows
    }
    guard let after = new.types else { return new.valueTypes?.isSubset(of: before) == true ? .none : .widens }
    if before.isSubset(of: after) { return .widens }
    if after.isSubset(of: before) { return .narrows }
    // On the wire, every value is a string.
    if side.isText, !side.isNestedParameter, after == ["string"] { return .widens }
    if side.isText, !side.isNestedParameter, before == ["string"] { return .narrows }
    return .changes
  }

  /// The formats of which each contains the next.
  private static let chains = [
    ["bigint", "int64", "int32"], ["double", "float"], ["date-time", "date"], ["date-time", "time"],
  ]

  private func formatEffect(_ before: String?, _ after: String?) -> SchemaSide.Effect {
    guard let before else { return .narrows }
    guard let after else { return .widens }
    for chain in Self.chains {
      guard let from = chain.firstIndex(of: before), let to = chain.firstIndex(of: after) else { continue }
      return to < from ? .widens : .narrows
    }
    return .changes
  }
}
