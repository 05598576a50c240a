import Glibc
import MurphyModel

/// One user's cookies for one origin (RFC 6265).
///
/// A `Domain` attribute must be the origin's host or a parent of it. A public suffix list is not needed, because all
/// requests of a run go to that one origin.
package struct CookieJar {
  private struct Cookie {
    var name: String
    var value: String
    var path: String
    var isSecure: Bool
    /// Seconds since 1970; nil for a session cookie.
    var expires: Int64?
  }

  /// The limit of browsers: a further cookie removes the oldest.
  private static let most = 180
  /// The maximum size of one `Set-Cookie` header in bytes; a longer one is ignored.
  private static let longest = 4096

  private let host: String
  private let isSecure: Bool
  private var cookies: [Cookie] = []

  /// An empty jar for this host; `Secure` cookies need https.
  package init(origin: Origin) {
    host = origin.host.lowercased()
    isSecure = origin.scheme == "https"
  }

  /// Reads the value of one `Set-Cookie` header; ignores what §5.3 says to ignore.
  package mutating func store(_ field: Substring, target: String, now: Int64) {
    guard field.utf8.count <= Self.longest else { return }
    let parts = field.split(separator: ";", omittingEmptySubsequences: false)
    guard let pair = parts.first, let equals = pair.firstIndex(of: "=") else { return }
    let name = String(pair[..<equals].trimmingBlanks)
    guard !name.isEmpty else { return }
    var cookie = Cookie(
      name: name, value: String(pair[pair.index(after: equals)...].trimmingBlanks), path: Self.defaultPath(target),
      isSecure: false, expires: nil)
    var maxAge: Int64?
    for attribute in parts.dropFirst() {
      let halves = attribute.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      let value = halves.count > 1 ? String(halves[1].trimmingBlanks) : ""
      switch halves[0].trimmingBlanks.lowercased() {
      case "path": if value.hasPrefix("/") { cookie.path = value }
      case "secure": cookie.isSecure = true
      case "expires": if let date = HTTPDate.seconds(cookie: value) { cookie.expires = date }
      case "max-age": if let seconds = Int64(value) { maxAge = seconds }
      case "domain": guard value.isEmpty || covers(value.lowercased()) else { return }
      default: break
      }
    }
    if let maxAge { cookie.expires = maxAge <= 0 ? .min : now + min(maxAge, 1 << 40) }
    guard isSecure || !cookie.isSecure else { return }
    cookies.removeAll { $0.name == cookie.name && $0.path == cookie.path }
    guard cookie.expires ?? .max > now else { return }
    if cookies.count >= Self.most { cookies.removeFirst() }
    cookies.append(cookie)
  }

  /// The value of the `Cookie` header for a request: longer paths first (§5.4); nil when no cookie applies.
  package func field(for target: String, now: Int64) -> String? {
    guard !cookies.isEmpty else { return nil }
    let path = Self.path(target)
    let meant = cookies.filter { ($0.expires ?? .max) > now && Self.matches(path, $0.path) }
    guard !meant.isEmpty else { return nil }
    return meant.sorted { $0.path.utf8.count > $1.path.utf8.count }.map { "\($0.name)=\($0.value)" }
      .joined(separator: "; ")
  }

  /// The value sent under a name; if there are several, the one with the longest path.
  func value(of name: String, for target: String, now: Int64) -> String? {
    let path = Self.path(target)
    return cookies.filter { $0.name == name && ($0.expires ?? .max) > now && Self.matches(path, $0.path) }
      .max { $0.path.utf8.count < $1.path.utf8.count }?.value
  }

  var isEmpty: Bool { cookies.isEmpty }

  var values: [String] { cookies.map(\.value) }

  mutating func removeAll() { cookies.removeAll() }

  private func covers(_ domain: String) -> Bool {
    let bare = domain.hasPrefix(".") ? String(domain.dropFirst()) : domain
    return host == bare || host.hasSuffix("." + bare)
  }

  private static func path(_ target: String) -> Substring { target.prefix { $0 != "?" } }

  /// §5.1.4
  private static func defaultPath(_ target: String) -> String {
    let path = path(target)
    guard let slash = path.lastIndex(of: "/"), slash > path.startIndex else { return "/" }
    return String(path[..<slash])
  }

  /// §5.1.4
  private static func matches(_ path: Substring, _ cookie: String) -> Bool {
    guard path.hasPrefix(cookie) else { return false }
    return path.utf8.count == cookie.utf8.count || cookie.hasSuffix("/") || path.dropFirst(cookie.count).first == "/"
  }

}
