/// The formats that are checked. All work on UTF-8 bytes; those of ASCII grammars do not allocate.
enum Format: UInt8, Sendable {
  case dateTime, date, time, duration
  case email, idnEmail, hostname, idnHostname, ipv4, ipv6
  case uri, uriReference, iri, iriReference, uriTemplate
  case uuid, jsonPointer, relativeJSONPointer, regex
  /// OpenAPI's: a signed integer of 32 or 64 bits, and base64 (RFC 4648 §4).
  case int32, int64, byte

  /// Nil for a format that says nothing here.
  init?(name: String, dialect: Dialect) {
    switch name {
    case "date-time": self = .dateTime
    case "date": self = .date
    case "time": self = .time
    case "duration": self = .duration
    case "email": self = .email
    case "idn-email": self = .idnEmail
    case "hostname": self = .hostname
    case "idn-hostname": self = .idnHostname
    case "ipv4": self = .ipv4
    case "ipv6": self = .ipv6
    case "uri": self = .uri
    case "uri-reference": self = .uriReference
    case "iri": self = .iri
    case "iri-reference": self = .iriReference
    case "uri-template": self = .uriTemplate
    case "uuid": self = .uuid
    case "json-pointer": self = .jsonPointer
    case "relative-json-pointer": self = .relativeJSONPointer
    case "regex": self = .regex
    case "int32" where dialect.isOpenAPI: self = .int32
    case "int64" where dialect.isOpenAPI: self = .int64
    case "byte" where dialect.isOpenAPI: self = .byte
    default: return nil
    }
  }

  var appliesToNumbers: Bool { self == .int32 || self == .int64 }

  /// What a text of this format is called, for messages.
  var title: String {
    switch self {
    case .dateTime: "a date-time (RFC 3339)"
    case .date: "a date (RFC 3339)"
    case .time: "a time (RFC 3339)"
    case .duration: "a duration (RFC 3339)"
    case .email: "an e-mail address (RFC 5321)"
    case .idnEmail: "an e-mail address (RFC 6531)"
    case .hostname: "a host name (RFC 1123)"
    case .idnHostname: "an internationalised host name (RFC 5890)"
    case .ipv4: "an IPv4 address"
    case .ipv6: "an IPv6 address (RFC 4291)"
    case .uri: "a URI (RFC 3986)"
    case .uriReference: "a URI reference (RFC 3986)"
    case .iri: "an IRI (RFC 3987)"
    case .iriReference: "an IRI reference (RFC 3987)"
    case .uriTemplate: "a URI template (RFC 6570)"
    case .uuid: "a UUID (RFC 4122)"
    case .jsonPointer: "a JSON Pointer (RFC 6901)"
    case .relativeJSONPointer: "a relative JSON Pointer"
    case .regex: "a regular expression (ECMA-262)"
    case .int32: "an integer of 32 bits"
    case .int64: "an integer of 64 bits"
    case .byte: "base64 (RFC 4648)"
    }
  }
}
