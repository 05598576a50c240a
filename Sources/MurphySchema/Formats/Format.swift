/// The formats that are checked. All operate on UTF-8 bytes; those with ASCII grammars do not allocate.
enum Format: UInt8, Sendable {
  case dateTime, date, time, duration
  case email, idnEmail, hostname, idnHostname, ipv4, ipv6
  case uri, uriReference, iri, iriReference, uriTemplate
  case uuid, jsonPointer, relativeJSONPointer, regex
  /// OpenAPI's formats: signed integers of 32 and 64 bits, and base64 (RFC 4648 §4).
  case int32, int64, byte

  /// By number: the name in schemas, and the description in messages.
  private static let table: [(name: String, title: String)] = [
    ("date-time", "a date-time (RFC 3339)"), ("date", "a date (RFC 3339)"), ("time", "a time (RFC 3339)"),
    ("duration", "a duration (RFC 3339)"), ("email", "an e-mail address (RFC 5321)"),
    ("idn-email", "an e-mail address (RFC 6531)"), ("hostname", "a host name (RFC 1123)"),
    ("idn-hostname", "an internationalised host name (RFC 5890)"), ("ipv4", "an IPv4 address"),
    ("ipv6", "an IPv6 address (RFC 4291)"), ("uri", "a URI (RFC 3986)"),
    ("uri-reference", "a URI reference (RFC 3986)"), ("iri", "an IRI (RFC 3987)"),
    ("iri-reference", "an IRI reference (RFC 3987)"), ("uri-template", "a URI template (RFC 6570)"),
    ("uuid", "a UUID (RFC 4122)"), ("json-pointer", "a JSON Pointer (RFC 6901)"),
    ("relative-json-pointer", "a relative JSON Pointer"), ("regex", "a regular expression (ECMA-262)"),
    ("int32", "an integer of 32 bits"), ("int64", "an integer of 64 bits"), ("byte", "base64 (RFC 4648)"),
  ]

  /// Nil for a format that has no rule in the dialect.
  init?(name: String, dialect: Dialect) {
    guard let number = Self.table.firstIndex(where: { $0.name == name }),
      number < Self.int32.rawValue || dialect.isOpenAPI
    else { return nil }
    self.init(rawValue: UInt8(number))
  }

  var appliesToNumbers: Bool { self == .int32 || self == .int64 }

  /// The description of a string of this format, for messages.
  var title: String { Self.table[Int(rawValue)].title }
}
