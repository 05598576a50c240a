/// What a field of an object may hold.
indirect enum FieldRule {
  case any
  case string
  /// A text in the form of a URI reference.
  case uri
  /// A text in the form of an e-mail address.
  case email
  /// A list of media ranges, separated by commas.
  case mediaRanges
  case boolean
  case word([String])
  case object(ObjectKind)
  /// The object, or a Reference Object in its place.
  case referable(ObjectKind)
  case list(FieldRule)
  case map(FieldRule)
  /// A map whose keys name components: `^[a-zA-Z0-9._-]+$`.
  case componentMap(FieldRule)
  /// A map of media ranges.
  case content
  case schema
}

/// A field: its name, what it holds, and the versions that know it.
struct Field {
  let name: String
  let rule: FieldRule
  let since: OpenAPIVersion.Line
  let until: OpenAPIVersion.Line

  init(
    _ name: String, _ rule: FieldRule, since: OpenAPIVersion.Line = .v30, until: OpenAPIVersion.Line = .v32
  ) {
    self.name = name
    self.rule = rule
    self.since = since
    self.until = until
  }
}

/// What the specification says of one object.
struct ObjectRule {
  let fields: [Field]
  let required: [String]
  /// The rule of fields that are not fixed, by name; nil for names that do not belong here.
  let patterned: (String) -> FieldRule?
  /// `x-` fields are welcome.
  let isExtensible: Bool

  init(
    _ fields: [Field], required: [String] = [], isExtensible: Bool = true,
    patterned: @escaping (String) -> FieldRule? = { _ in nil }
  ) {
    self.fields = fields
    self.required = required
    self.isExtensible = isExtensible
    self.patterned = patterned
  }
}
