import Foundation
import MurphyModel

/// Which header fields a proxy hands on.
enum ProxyFields {
  /// Fields of one connection (RFC 9110 §7.6.1), and the length, which the sender of a body writes itself.
  private static let hopByHop: Set<String> = [
    "connection", "keep-alive", "proxy-connection", "proxy-authenticate", "proxy-authorization", "te", "trailer",
    "transfer-encoding", "upgrade", "http2-settings", "content-length",
  ]

  /// Without the fields of the connection, and those that `Connection` names.
  static func endToEnd(_ fields: [HeaderField]) -> [HeaderField] {
    var dropped = hopByHop
    for field in fields where field.name.lowercased() == "connection" {
      dropped.formUnion(list(field.value).map { $0.lowercased() })
    }
    return fields.filter { !dropped.contains($0.name.lowercased()) }
  }

  /// `Accept-Encoding` with the codings alone that a recording can be read in.
  static func withKnownCodings(_ field: HeaderField) -> HeaderField {
    guard field.name.lowercased() == "accept-encoding" else { return field }
    let known = list(field.value).filter { coding in
      let name = coding.prefix { $0 != ";" && $0 != " " }.lowercased()
      return ["gzip", "x-gzip", "deflate", "identity"].contains(name)
    }
    return HeaderField(field.name, known.isEmpty ? "identity" : known.joined(separator: ", "))
  }

  /// The members of a list between commas.
  static func list(_ value: String) -> [String] {
    value.split(separator: ",").map { $0.trimmingCharacters(in: .whitespaces) }.filter { !$0.isEmpty }
  }

  /// The values of a field that may stand several times.
  static func values(_ name: String, of fields: [HeaderField]) -> [String] {
    fields.filter { $0.name.lowercased() == name }.flatMap { list($0.value) }
  }

  /// The first value of a field.
  static func value(_ name: String, of fields: [HeaderField]) -> String? {
    fields.first { $0.name.lowercased() == name }?.value
  }
}
