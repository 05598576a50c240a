import Foundation
import MurphyHTTP
import MurphyModel

/// Changes addresses in headers on their way through the proxy. Redirects, cookies and links of the target then lead to
/// the proxy, and the target receives its own address.
struct ProxyAddresses {
  /// The proxy's address for the client: `http://127.0.0.1:8081`.
  private let proxy: String
  /// The possible addresses of the target, without its base path: `https://api.example.com`,
  /// `https://api.example.com:443`.
  private let targets: [String]
  private let basePath: String
  private let isSecure: Bool

  /// - Parameter proxy: host and port under which the client has reached the proxy.
  init(_ origin: Origin, proxy: String) {
    self.proxy = "http://" + proxy
    let root = "\(origin.scheme)://\(origin.host)"
    // The longer one first.
    let spelled = "\(root):\(origin.port)"
    targets = spelled == root || !origin.authority.hasSuffix(":\(origin.port)") ? [spelled, root] : [spelled]
    basePath = origin.basePath
    isSecure = origin.scheme == "https"
  }

  /// True if a request with `authority` as its host is meant for the proxy. A page from elsewhere may have bound any
  /// other name to the loopback (DNS rebinding).
  static func isOwn(_ authority: String, _ origin: Origin) -> Bool {
    let host = authority.lowercased()
    if host.hasPrefix("[") { return true }
    let name = host.prefix { $0 != ":" }
    let isAddress = !name.isEmpty && name.allSatisfy { $0.isNumber || $0 == "." }
    return isAddress || name == "localhost" || name.hasSuffix(".localhost") || name.hasSuffix(".internal")
      || name == origin.host.lowercased()
  }

  /// A request header as the target receives it.
  func forTarget(_ field: HeaderField) -> HeaderField {
    let name = field.name.lowercased()
    guard name == "origin" || name == "referer", field.value.lowercased().hasPrefix(proxy.lowercased()) else {
      return field
    }
    let rest = field.value.dropFirst(proxy.count)
    guard Self.isBoundary(rest.first) else { return field }
    return HeaderField(field.name, (targets.last ?? "") + (name == "referer" ? basePath : "") + rest)
  }

  /// A response header as the client receives it.
  func forClient(_ field: HeaderField) -> HeaderField {
    switch field.name.lowercased() {
    case "set-cookie": HeaderField(field.name, cookie(field.value))
    case "location", "content-location":
      HeaderField(field.name, withoutBase(field.value).map { $0.isEmpty ? "/" : $0 } ?? named(field.value))
    default: HeaderField(field.name, named(field.value))
    }
  }

  /// A path without the base path that the proxy adds; nil if it does not begin with it.
  private func withoutBase(_ path: String) -> String? {
    guard !basePath.isEmpty, path.hasPrefix(basePath) else { return nil }
    let rest = path.dropFirst(basePath.count)
    return Self.isBoundary(rest.first) ? String(rest) : nil
  }

  /// A text with the proxy's address in place of the target's.
  private func named(_ text: String) -> String {
    guard text.contains("://") else { return text }
    var result = ""
    var rest = text[...]
    while let (range, _) = next(in: rest) {
      result += rest[..<range.lowerBound]
      let behind = rest[range.upperBound...]
      if let short = withoutBase(String(behind)) {
        result += proxy
        rest = behind.suffix(short.count)
      } else {
        // An origin without a path, or the root of a target without a base path.
        result += basePath.isEmpty || behind.first != "/" ? proxy : String(rest[range])
        rest = behind
      }
    }
    return result + rest
  }

  private func next(in text: Substring) -> (Range<Substring.Index>, String)? {
    let found = targets.compactMap { target -> (Range<Substring.Index>, String)? in
      var from = text.startIndex
      while let range = text[from...].range(of: target, options: .caseInsensitive) {
        if Self.isBoundary(text[range.upperBound...].first) { return (range, target) }
        from = range.upperBound
      }
      return nil
    }
    return found.min { $0.0.lowerBound < $1.0.lowerBound }
  }

  /// The characters that may follow a host or a whole segment.
  private static func isBoundary(_ character: Character?) -> Bool {
    guard let character else { return true }
    return !character.isLetter && !character.isNumber && !".:-_~%@".contains(character)
  }

  /// A cookie that the client stores for the proxy: not bound to the target's domain, and sent without TLS.
  private func cookie(_ value: String) -> String {
    let parts = value.split(separator: ";", omittingEmptySubsequences: false).map {
      $0.trimmingCharacters(in: .whitespaces)
    }
    let kept = parts.enumerated().compactMap { index, part -> String? in
      let name = part.prefix { $0 != "=" }.lowercased()
      if index == 0 { return part }
      if name == "domain" || isSecure && (name == "secure" || part.lowercased() == "samesite=none") { return nil }
      if name == "path", let short = withoutBase(String(part.dropFirst(5))) {
        return "Path=" + (short.isEmpty ? "/" : short)
      }
      return part
    }
    return kept.joined(separator: "; ")
  }
}
