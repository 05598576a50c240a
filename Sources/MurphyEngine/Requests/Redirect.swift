import MurphyContract
import MurphyHTTP
import MurphyModel
import MurphySchema

/// The destination of a `Location` for a user of a target (RFC 3986 §5, RFC 9110 §10.2.2).
///
/// Users stay at the target. A URL outside its origin and base path is never requested, so no credential, cookie or
/// header of a scenario reaches another origin.
package enum Redirect: Sendable, Hashable {
  /// The part to append to the target's URL: a path and a query.
  case within(String)
  /// Another scheme, host or port, or a path outside the target's base path.
  case away
  /// From https to http, where the content is readable on the network.
  case downgrade
  case malformed

  /// - Parameters:
  ///   - target: path and query of the request, below the base path.
  package init(_ location: String, from target: String, at origin: Origin) {
    guard !location.utf8.contains(where: { $0 <= 0x20 || $0 == 0x7F || $0 == 0x5C }) else {
      self = .malformed
      return
    }
    let base = URIReference(origin.text + target)
    let place = URIReference(location).resolved(against: base)
    guard let scheme = place.scheme, let authority = Authority(place.authority ?? "", scheme: scheme) else {
      self = place.authority == nil ? .away : .malformed
      return
    }
    guard scheme == origin.scheme, authority.host == origin.host.lowercased(), authority.port == origin.port else {
      self = origin.scheme == "https" && scheme == "http" ? .downgrade : .away
      return
    }
    guard let path = Self.path(place.path, below: origin.basePath) else {
      self = .away
      return
    }
    self = .within(
      PercentEncoding.encode(beyondASCII: path)
        + (place.query.map { "?" + PercentEncoding.encode(beyondASCII: $0) } ?? ""))
  }

  /// The rest of `path` after the base path, if it is below the base path.
  private static func path(_ path: String, below base: String) -> String? {
    if base.isEmpty { return path.isEmpty ? "/" : path.hasPrefix("/") ? path : nil }
    guard path.hasPrefix(base) else { return nil }
    let rest = path.dropFirst(base.count)
    return rest.isEmpty || rest.hasPrefix("/") ? String(rest) : nil
  }
}

/// The host and port of a URI (RFC 3986 §3.2). The part before an `@` does not affect the destination of a request.
private struct Authority {
  /// In lower case. An IPv6 address is in brackets.
  var host: String
  var port: Int

  init?(_ text: String, scheme: String) {
    let parts = text.split(separator: "@", omittingEmptySubsequences: false)
    guard parts.count <= 2, let place = parts.last else { return nil }
    let end: Substring.Index
    if place.hasPrefix("[") {
      guard let bracket = place.firstIndex(of: "]") else { return nil }
      end = place.index(after: bracket)
    } else {
      end = place.firstIndex(of: ":") ?? place.endIndex
    }
    host = place[..<end].lowercased()
    let rest = place[end...]
    guard !host.isEmpty, rest.isEmpty || rest.hasPrefix(":") else { return nil }
    let digits = rest.dropFirst()
    if digits.isEmpty {
      port = scheme == "https" ? 443 : 80
    } else {
      guard digits.utf8.allSatisfy({ (0x30...0x39).contains($0) }), let number = UInt16(digits) else { return nil }
      port = Int(number)
    }
  }
}
