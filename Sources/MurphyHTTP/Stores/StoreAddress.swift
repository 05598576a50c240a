import Foundation
import MurphyModel

/// The URL of a file in a store, and how its requests are signed.
///
/// - A presigned URL (it has `X-Amz-Signature` in its query) is used unchanged.
/// - Any other is signed for S3 by Amazon's Signature Version 4 if the environment has credentials. They are in
///   `AWS_ACCESS_KEY_ID`, `AWS_SECRET_ACCESS_KEY`, `AWS_SESSION_TOKEN` and `AWS_REGION`. Otherwise it is not signed.
package struct StoreAddress: Sendable {
  /// The keys with which requests are signed.
  package struct Credentials: Sendable {
    var key: String
    var secret: String
    var token: String?
    var region: String
  }

  /// Percent-encoded.
  let url: String
  /// Nil if requests are not signed.
  let credentials: Credentials?

  /// - Parameter file: the name that is appended to a URL with a slash at the end; nil to use the URL unchanged.
  /// - Returns: nil if the text is not an `http` or `https` URL.
  package init?(_ text: String, file: String? = nil, environment: [String: String]) {
    guard text.hasPrefix("http://") || text.hasPrefix("https://") else { return nil }
    let parts = text.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
    let isPresigned = parts.count > 1 && parts[1].contains("X-Amz-Signature=")
    guard !isPresigned else {
      (url, credentials) = (text, nil)
      return
    }
    var path = String(parts[0])
    if let file, path.hasSuffix("/") { path += file }
    url = Self.encoded(path) + (parts.count > 1 ? "?\(parts[1])" : "")
    credentials = Self.credentials(environment)
  }

  /// The part that people may see: a signature is as sensitive as a password.
  package var shown: String {
    URLCredentials.masked(String(url.prefix { $0 != "?" }))
  }

  /// Removes the secrets of the address and its credentials from a string.
  var mask: SecretMask {
    let query = url.drop { $0 != "?" }.dropFirst().split(separator: "&").compactMap { pair -> String? in
      pair.firstIndex(of: "=").map { PercentEncoding.decode(pair[pair.index(after: $0)...]) }
    }
    let own = [credentials?.key, credentials?.secret, credentials?.token].compactMap(\.self)
    // Short values such as a date or a number of the query are not secrets.
    return SecretMask(secrets: own + query.filter { $0.utf8.count >= 20 } + URLCredentials.passwords(in: url))
  }

  /// S3 signs a path in which all characters except the unreserved ones are encoded (RFC 3986 §2.3), whatever a URL may
  /// hold.
  private static func encoded(_ url: String) -> String {
    guard let scheme = url.range(of: "://"), let slash = url[scheme.upperBound...].firstIndex(of: "/") else {
      return url
    }
    let segments = url[slash...].split(separator: "/", omittingEmptySubsequences: false)
    return url[..<slash]
      + segments.map { PercentEncoding.encode(PercentEncoding.decode($0), keepingReserved: false) }.joined(
        separator: "/")
  }

  private static func credentials(_ environment: [String: String]) -> Credentials? {
    func value(_ name: String) -> String? { environment[name].flatMap { $0.isEmpty ? nil : $0 } }
    guard let key = value("AWS_ACCESS_KEY_ID"), let secret = value("AWS_SECRET_ACCESS_KEY") else { return nil }
    return Credentials(
      key: key, secret: secret, token: value("AWS_SESSION_TOKEN"),
      region: value("AWS_REGION") ?? value("AWS_DEFAULT_REGION") ?? "us-east-1")
  }
}

/// The reason why a file cannot be stored, for people.
package struct StoreError: Error, Sendable, Hashable, CustomStringConvertible {
  package var description: String

  package init(_ description: String) { self.description = description }
}
