import Foundation
import MurphyContract
import MurphyModel
import MurphyScenario
import MurphySchema

/// A token from an authorization server (RFC 6749 §5.1).
struct AccessToken: Sendable {
  let value: String
  /// The time from which it is renewed: a tenth of its lifetime before its end, and at most 30 seconds. Nil for never.
  let renewal: Instant?
  var refreshToken: String?

  /// Longer lifetimes are treated as endless, in seconds.
  private static let longest = 366.0 * 86_400

  init(_ answer: JSONValue, at now: Instant) throws(TokenFailure) {
    guard let value = answer["access_token"]?.string, !value.isEmpty,
      value.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F })
    else { throw .refused("its response has no access_token that a header can hold") }
    let type = answer["token_type"]?.string ?? "Bearer"
    guard type.lowercased() == "bearer" else { throw .refused("its token_type is \(type.prefix(40)), not Bearer") }
    self.value = value
    refreshToken = answer["refresh_token"]?.string
    let life = answer["expires_in"]?.double ?? answer["expires_in"]?.string.flatMap { Double($0) }
    renewal = life.flatMap { life in
      guard life >= 0, life < Self.longest else { return nil }
      return now + Int64(saturating: (life - min(life / 10, 30)) * 1e9)
    }
  }

  func isFresh(at now: Instant) -> Bool { renewal.map { now < $0 } ?? true }

  /// The value of `Authorization` (RFC 6750 §2.1).
  var field: String { "Bearer \(value)" }
}

enum TokenFailure: Error, Sendable {
  case abandoned
  /// The response of the endpoint, or the result of the request.
  case refused(String)
}

/// The parameters of one user's token request.
struct TokenAsk: Sendable {
  /// Identifies the source.
  let mark: SourceMark
  let url: String
  let isShared: Bool
  private let request: OAuth2.Request
  private let sendsSecretInBody: Bool

  init(_ source: OAuth2, _ request: OAuth2.Request) {
    mark = source.mark
    url = source.tokenURL
    isShared = source.isShared
    self.request = request
    // Without a secret there is nothing to authenticate with: the client sends its name (§3.2.1).
    sendsSecretInBody = source.clientAuthentication == .body || request.clientSecret == nil
  }

  /// The headers and the form of a token request.
  ///
  /// - Parameter refreshToken: uses the refresh grant instead of the source's own (§6).
  func written(refreshing refreshToken: String? = nil) -> (headers: [HeaderField], body: [UInt8]) {
    var headers = [
      HeaderField("Content-Type", "application/x-www-form-urlencoded"), HeaderField("Accept", "application/json"),
    ]
    var fields = request.parameters
    if let refreshToken {
      fields = [("grant_type", "refresh_token"), ("refresh_token", refreshToken)]
      if let scope = request.scope { fields.append(("scope", scope)) }
    }
    if sendsSecretInBody {
      fields.append(("client_id", request.clientID))
      if let secret = request.clientSecret { fields.append(("client_secret", secret)) }
    } else {
      // Both parts are encoded as in a form (§2.3.1), so that a colon in the name does not end it.
      let pair = "\(Self.encoded(request.clientID)):\(Self.encoded(request.clientSecret ?? ""))"
      headers.append(HeaderField("Authorization", "Basic " + Data(pair.utf8).base64EncodedString()))
    }
    let text = fields.map { "\(Self.encoded($0.name))=\(Self.encoded($0.value))" }.joined(separator: "&")
    return (headers, Array(text.utf8))
  }

  private static func encoded(_ text: String) -> String { PercentEncoding.encode(text, keepingReserved: false) }
}
