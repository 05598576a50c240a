import Foundation
import MurphyModel
import MurphySchema

extension Contract {
  /// Encodes parameters by the contract's `style` and `explode`. Parameters that are not in the contract are plain
  /// text.
  ///
  /// - Parameter url: path and query that replace the operation's path, for a request outside of the contract.
  ///
  /// Repeated query names are sent repeatedly. `null` is not sent.
  /// - Throws: a ``RequestError`` for a missing or empty path value, a value that its style cannot encode, and a
  ///   header with control characters.
  package func request(
    operation index: Int, url: String? = nil, path: [String: JSONValue] = [:], query: [(String, JSONValue)] = [],
    headers: [(String, JSONValue)] = [], cookies: [(String, JSONValue)] = []
  ) throws(RequestError) -> RequestTarget {
    let operation = operations[index]
    var target: String
    if let url {
      target = PercentEncoding.encode(url, keepingReserved: true)
    } else {
      target = try operation.path(path)
    }
    let pairs = query.compactMap { operation.encoder(of: $0, in: .query).encode($1) }.filter { !$0.isEmpty }
    if !pairs.isEmpty { target += (target.contains("?") ? "&" : "?") + pairs.joined(separator: "&") }
    var fields: [HeaderField] = []
    for (name, value) in headers {
      guard let text = operation.encoder(of: name, in: .header).encode(value) else { continue }
      fields.append(try Self.field(name, text))
    }
    let crumbs = cookies.compactMap { name, value in
      operation.encoder(of: name, in: .cookie).encode(value)?.escaping(["&": "; "])
    }
    if !crumbs.isEmpty { fields.append(try Self.field("Cookie", crumbs.joined(separator: "; "))) }
    return RequestTarget(method: operation.method, pathAndQuery: target, headers: fields)
  }

  /// A header whose value contains no line break (RFC 9110 §5.5).
  private static func field(_ name: String, _ value: String) throws(RequestError) -> HeaderField {
    guard HeaderName.isValid(name) else {
      throw RequestError("\"\(name)\" is not a name of a header")
    }
    guard value.utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x7F || $0 == 0x09 }) else {
      throw RequestError("the value of the header \(name) has a control character; it would break the request")
    }
    return HeaderField(name, value)
  }
}

extension Contract.Operation {
  /// The path with its values filled in.
  fileprivate func path(_ values: [String: JSONValue]) throws(RequestError) -> String {
    var result = ""
    var rest = Substring(path)
    while let open = rest.firstIndex(of: "{"), let close = rest[open...].firstIndex(of: "}") {
      let name = String(rest[rest.index(after: open)..<close])
      result += rest[..<open]
      guard let value = values[name] else {
        throw RequestError("\(id): no value for the path parameter \"\(name)\" of \(path)")
      }
      guard let text = encoder(of: name, in: .path).encode(value), !text.isEmpty else {
        throw RequestError("\(id): the path parameter \"\(name)\" of \(path) is empty: \(value.text)")
      }
      result += text
      rest = rest[rest.index(after: close)...]
    }
    return result + rest
  }

  /// The encoder by the contract's style, or otherwise by OpenAPI's default.
  fileprivate func encoder(of name: String, in location: Contract.Parameter.Location) -> ParameterEncoder {
    let known = parameter(name, in: location)
    let style = known?.style ?? Contract.Parameter.defaultStyle(location)
    return ParameterEncoder(
      name: name, style: style, explode: known?.explode ?? (style == .form), content: known?.contentType,
      allowReserved: known?.allowReserved ?? false, isPlain: location == .header || style == .cookie)
  }

  func parameter(_ name: String, in location: Contract.Parameter.Location) -> Contract.Parameter? {
    parameters.first {
      $0.location == location && ($0.name == name || location == .header && $0.name.lowercased() == name.lowercased())
    }
  }
}

extension Contract {
  /// A request body as it is sent.
  package struct Body: Sendable, Hashable {
    /// The value of the `Content-Type` header.
    package var contentType: String
    package var bytes: [UInt8]
  }

  /// Encodes `value` in the first media type of the operation that can represent it: JSON, a form, or plain text.
  ///
  /// `contentType` overrides the documented types. Without either, the body is JSON.
  package func body(operation index: Int, _ value: JSONValue, contentType: String? = nil) throws(RequestError) -> Body {
    let documented = operations[index].requestBody?.mediaTypes ?? []
    let candidates = contentType.map { [$0] } ?? documented
    for candidate in candidates {
      let encodings = operations[index].requestBody?.content.first { $0.range.text == candidate }?.encodings
      if let bytes = Self.bytes(value, as: candidate, encodings ?? [:]) {
        return Body(contentType: candidate.contains("*") ? "application/json" : candidate, bytes: bytes)
      }
    }
    if candidates.isEmpty { return Body(contentType: "application/json", bytes: Array(value.text.utf8)) }
    throw RequestError(
      "\(operations[index].id): the body, \(value.typeName), cannot be written as \(candidates.joined(separator: " or "))"
    )
  }

  private static func bytes(
    _ value: JSONValue, as contentType: String, _ encodings: [String: FieldEncoding]
  ) -> [UInt8]? {
    guard let range = MediaRange(contentType) else { return nil }
    if range.admitsJSON { return Array(value.text.utf8) }
    if range.type == "application", range.subtype == "x-www-form-urlencoded", case .object(let members) = value {
      let pairs = members.compactMap { name, value in
        encode(name, value, encodings[name])
      }
      return Array(pairs.joined(separator: "&").utf8)
    }
    if case .string(let text) = value { return Array(text.utf8) }
    return nil
  }

  /// A field of a form by its encoding in the document.
  private static func encode(_ name: String, _ value: JSONValue, _ encoding: FieldEncoding?) -> String? {
    guard let encoding, let style = encoding.style else {
      let json = encoding?.contentType.flatMap { MediaRange($0)?.isJSON == true ? $0 : nil }
      return ParameterEncoder(name: name, style: .form, explode: true, content: json).encode(flattened(value))
    }
    return ParameterEncoder(
      name: name, style: style, explode: encoding.explode, allowReserved: encoding.allowReserved
    ).encode(value)
  }

  /// Objects inside a form are encoded as JSON (OpenAPI 3.1 §4.8.15.1.1).
  private static func flattened(_ value: JSONValue) -> JSONValue {
    if case .object = value { .string(value.text) } else { value }
  }
}

/// The head of a request as it is sent.
package struct RequestTarget: Sendable, Hashable {
  /// Upper case.
  package var method: String
  /// `/laws/17?fields=title`: percent-encoded, without scheme and authority.
  package var pathAndQuery: String
  /// In order; cookies are joined into one `Cookie` header.
  package var headers: [HeaderField]
}

/// The reason why a request cannot be encoded.
package struct RequestError: Error, Sendable, Hashable, CustomStringConvertible {
  package var description: String

  package init(_ description: String) { self.description = description }
}

/// Encodes a value by `style` and `explode` (OpenAPI 3.1 §4.8.12.6, which follows RFC 6570).
///
/// ```
/// style           value      explode: false        explode: true
/// matrix          [3,4]      ;id=3,4               ;id=3;id=4
/// label           [3,4]      .3,4                  .3.4
/// simple          {a:3}      a,3                   a=3
/// form            [3,4]      id=3,4                id=3&id=4
/// spaceDelimited  [3,4]      id=3%204              id=3&id=4
/// pipeDelimited   [3,4]      id=3%7C4              id=3&id=4
/// deepObject      {a:3}      id%5Ba%5D=3           id%5Ba%5D=3
/// ```
/// As in RFC 6570, `null`, an empty array and an empty object are undefined: nothing is written.
package struct ParameterEncoder {
  private let name: String
  private let style: ParameterStyle
  private let explode: Bool
  /// The media type of a `content` parameter. Its value is one string, encoded as JSON if the type is JSON.
  private let content: String?
  private let allowReserved: Bool
  private let isPlain: Bool

  /// - Parameter isPlain: true if not percent-encoded, such as the values of headers and of 3.2's cookie style.
  package init(
    name: String, style: ParameterStyle, explode: Bool, content: String? = nil, allowReserved: Bool = false,
    isPlain: Bool = false
  ) {
    (self.name, self.style, self.explode) = (name, style, explode)
    (self.content, self.allowReserved, self.isPlain) = (content, allowReserved, isPlain)
  }

  private func escape(_ text: String) -> String {
    isPlain ? text : PercentEncoding.encode(text, keepingReserved: allowReserved)
  }

  /// The text that replaces `{name}`, follows `?` or is the header value; nil for an undefined value.
  package func encode(_ value: JSONValue) -> String? {
    if let content, !value.isNull {
      return single(value.string.flatMap { isJSON(content) ? nil : $0 } ?? value.text)
    }
    return switch value {
    case .null: nil
    case .array(let items): array(items.compactMap(scalar))
    case .object(let members):
      style == .deepObject
        ? deep(members) : object(members.members.compactMap { member in scalar(member.value).map { (member.key, $0) } })
    default: scalar(value).map(single)
    }
  }

  private func isJSON(_ content: String) -> Bool { MediaRange(content)?.isJSON ?? false }

  private func single(_ text: String) -> String {
    switch style {
    case .matrix: ";" + escape(name) + (text.isEmpty ? "" : "=" + escape(text))
    case .label: "." + escape(text)
    case .simple: escape(text)
    default: escape(name) + "=" + escape(text)
    }
  }

  private func array(_ items: [String]) -> String? {
    guard !items.isEmpty else { return nil }
    let texts = items.map(escape)
    let key = escape(name)
    switch style {
    case .matrix:
      return explode ? texts.map { ";\(key)=\($0)" }.joined() : ";\(key)=" + texts.joined(separator: ",")
    case .label: return "." + texts.joined(separator: explode ? "." : ",")
    case .simple: return texts.joined(separator: ",")
    default:
      return explode
        ? texts.map { "\(key)=\($0)" }.joined(separator: pairSeparator)
        : "\(key)=" + texts.joined(separator: itemSeparator)
    }
  }

  private func object(_ members: [(String, String)]) -> String? {
    guard !members.isEmpty else { return nil }
    let key = escape(name)
    let pairs = members.map { "\(escape($0))=\(escape($1))" }
    let flat = members.flatMap { [escape($0), escape($1)] }
    switch style {
    case .matrix:
      return explode ? pairs.map { ";" + $0 }.joined() : ";\(key)=" + flat.joined(separator: ",")
    case .label: return "." + (explode ? pairs.joined(separator: ".") : flat.joined(separator: ","))
    case .simple: return (explode ? pairs : flat).joined(separator: ",")
    default:
      return explode ? pairs.joined(separator: pairSeparator) : "\(key)=" + flat.joined(separator: itemSeparator)
    }
  }

  /// `name[a][b]=1`: the specification defines one level; deeper levels follow the same convention.
  private func deep(_ members: JSONObject) -> String? {
    var pairs: [String] = []
    func visit(_ path: String, _ value: JSONValue) {
      switch value {
      case .object(let members): for (key, value) in members { visit("\(path)%5B\(escape(key))%5D", value) }
      case .array(let items): for item in items { visit(path, item) }
      default: if let text = scalar(value) { pairs.append("\(path)=\(escape(text))") }
      }
    }
    visit(escape(name), .object(members))
    return pairs.isEmpty ? nil : pairs.joined(separator: "&")
  }

  private var pairSeparator: String { style == .cookie ? "; " : "&" }

  private var itemSeparator: String {
    switch style {
    case .spaceDelimited: "%20"
    case .pipeDelimited: "%7C"
    default: ","
    }
  }

  /// Strings are unchanged, other values are JSON; nil for `null`.
  private func scalar(_ value: JSONValue) -> String? {
    switch value {
    case .null: nil
    case .string(let text): text
    default: value.text
    }
  }
}

/// The encoding of a parameter's value (OpenAPI 3.1 §4.8.12.2; `cookie` was added in 3.2).
package enum ParameterStyle: String, Sendable, Hashable, CaseIterable {
  case matrix, label, simple, form, spaceDelimited, pipeDelimited, deepObject, cookie
}
