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
      if let bytes = Self.bytes(value, as: candidate) {
        return Body(contentType: candidate.contains("*") ? "application/json" : candidate, bytes: bytes)
      }
    }
    if candidates.isEmpty { return Body(contentType: "application/json", bytes: Array(value.text.utf8)) }
    throw RequestError(
      "\(operations[index].id): the body, \(value.typeName), cannot be written as \(candidates.joined(separator: " or "))"
    )
  }

  private static func bytes(_ value: JSONValue, as contentType: String) -> [UInt8]? {
    guard let range = MediaRange(contentType) else { return nil }
    if range.admitsJSON { return Array(value.text.utf8) }
    if range.type == "application", range.subtype == "x-www-form-urlencoded", case .object(let members) = value {
      let pairs = members.compactMap { name, value in
        ParameterEncoder(name: name, style: .form, explode: true).encode(Self.flattened(value))
      }
      return Array(pairs.joined(separator: "&").utf8)
    }
    if case .string(let text) = value { return Array(text.utf8) }
    return nil
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
