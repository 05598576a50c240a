import Foundation
import MurphyContract
import MurphyHTTP
import MurphyModel
import MurphyScenario
import MurphySchema

/// The access tokens of one user, one for each source that its sessions name. Lives on the user's loop.
final class UserTokens {
  private var tokens: [SourceMark: AccessToken] = [:]
  /// Held by the request that fetches a token. The user's other requests wait for it.
  let fetching = RequestSlots(limit: 1)
  var rejections = TokenRejections()
  /// The values of `Authorization` with its tokens so far.
  private var fields: Set<String> = []

  /// The token that may be sent now; nil where there is none, or where it expires soon.
  func current(_ source: OAuth2) -> AccessToken? {
    tokens[source.mark].flatMap { $0.isFresh(at: .now) ? $0 : nil }
  }

  func last(_ source: OAuth2) -> AccessToken? { tokens[source.mark] }

  func keep(_ token: AccessToken, of source: OAuth2) {
    tokens[source.mark] = token
    fields.insert(token.field)
  }

  /// True if a value of `Authorization` has one of its tokens.
  func gave(_ field: String) -> Bool { fields.contains(field) }
}

extension SessionRun {
  /// Adds the user's access token to a request, and first fetches one where no valid token exists. This time is not the
  /// API's: the request is due after it.
  ///
  /// - Parameter refused: the `Authorization` that the API has rejected.
  nonisolated(nonsending) func authorise(
    _ request: PreparedRequest, refused: String? = nil
  ) async throws(SessionEnd) -> PreparedRequest {
    guard client.usesTokens, let source = client.oauth2, let service = loopRun.context.tokens, let tokens else {
      return request
    }
    var request = request
    var token = known(source, tokens, refused)
    if token == nil {
      token = try await fresh(source, service, tokens, refused)
      due = max(due, .now)
    }
    if let token { request.http.add(token.credentials) }
    return request
  }

  /// A token that may be sent and that the API has not rejected.
  private func known(_ source: OAuth2, _ tokens: UserTokens, _ refused: String?) -> AccessToken? {
    tokens.current(source).flatMap { $0.field == refused ? nil : $0 }
  }

  nonisolated(nonsending) private func fresh(
    _ source: OAuth2, _ service: TokenService, _ tokens: UserTokens, _ refused: String?
  ) async throws(SessionEnd) -> AccessToken {
    await tokens.fetching.enter()
    defer { tokens.fetching.leave() }
    guard !loopRun.isOver else { throw .cut }
    // Another request of the user has fetched a token meanwhile. If that failed, this request fetches one.
    if let token = known(source, tokens, refused) { return token }
    let request: OAuth2.Request
    do throws(EvaluationError) {
      request = try source.request(in: &scope, random: random)
    } catch {
      throw .failed("oauth2: \(error.text)")
    }
    let tokenRequest = TokenRequest(source, request)
    switch await loopRun.loop.waiting(for: { await service.token(tokenRequest, replacing: tokens.last(source)) }) {
    case .success(let token):
      scope.learn(token: token.value)
      if let refreshToken = token.refreshToken { scope.learn(token: refreshToken) }
      tokens.keep(token, of: source)
      trace(received: token, of: source)
      return token
    case .failure(.abandoned): throw .cut
    case .failure(.refused(let reason)):
      throw .failed("oauth2: \(loopRun.context.mask.adding(scope.secrets).masked(reason))")
    }
  }

  /// True if a response may require a new token. The step does not expect this status.
  func isRefused(_ transfer: Transfer, _ request: PreparedRequest) -> Bool {
    guard transfer.status == 401, case .answered = transfer.ending else { return false }
    return request.call?.step.checks.names(401) != true
  }

  /// The request with a new token after a 401; the reason if there is none.
  ///
  /// - Returns: nil if the 401 is the API's response: the request has no token that murphy renews, or its operation
  ///   rejects new tokens, too.
  nonisolated(nonsending) func renewed(_ request: PreparedRequest) async -> Result<PreparedRequest, SessionEnd>? {
    let operation = request.operation
    if let credential = loopRun.context.credential, credential.place(in: request.http.headers) != nil {
      var renewed = request
      guard await credential.renew(&renewed.http, operation: operation, on: loopRun.loop) else { return nil }
      scope.learn(token: credential.standing.value)
      return .success(renewed)
    }
    guard let tokens, !tokens.rejections.holds(operation),
      let refused = request.http.headers.first(where: { $0.name == "Authorization" })?.value, tokens.gave(refused)
    else { return nil }
    do throws(SessionEnd) {
      return .success(try await authorise(request, refused: refused))
    } catch {
      return .failure(error)
    }
  }

  /// Puts the current value of the credential that all users share into a request.
  ///
  /// - Returns: the time at which it was renewed; nil if the request did not wait for that.
  nonisolated(nonsending) func freshen(_ request: inout PreparedRequest) async -> Instant? {
    guard let credential = loopRun.context.credential,
      await credential.freshen(&request.http, on: loopRun.loop)
    else { return nil }
    scope.learn(token: credential.standing.value)
    return .now
  }

  /// Records the response to a request that was sent again with a new token.
  func recordRepeat(_ transfer: Transfer, _ request: PreparedRequest) {
    guard case .answered = transfer.ending else { return }
    let isRejected = transfer.status == 401
    if let credential = loopRun.context.credential, credential.place(in: request.http.headers) != nil {
      credential.recordRepeat(operation: request.operation, isRejected: isRejected)
    } else {
      tokens?.rejections.record(request.operation, isRejected: isRejected)
    }
  }
}

extension AccessToken {
  var credentials: Authentication.Credentials {
    Authentication.Credentials(place: .header, name: "Authorization", value: field)
  }
}

/// A token from an authorization server (RFC 6749 §5.1).
struct AccessToken: Sendable {
  let value: String
  /// The time from which it is renewed: a tenth of its lifetime before its end, and at most 30 seconds. Nil for never.
  let renewal: Instant?
  var refreshToken: String?

  /// Longer lifetimes are treated as endless, in seconds.
  private static let longest = 366.0 * 86_400

  init(_ response: JSONValue, at now: Instant) throws(TokenFailure) {
    guard let value = response["access_token"]?.string, !value.isEmpty,
      value.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F })
    else { throw .refused("the response has no access_token that is valid in a header") }
    let type = response["token_type"]?.string ?? "Bearer"
    guard type.lowercased() == "bearer" else {
      throw .refused("the token_type is \(type.shortened(to: 40)), but only Bearer is supported")
    }
    self.value = value
    refreshToken = response["refresh_token"]?.string
    let life = response["expires_in"]?.double ?? response["expires_in"]?.string.flatMap { Double($0) }
    renewal = life.flatMap { life in
      guard life >= 0, life < Self.longest else { return nil }
      let life = Duration.saturating(seconds: life)
      return now + (life - SharedCredential.lead(life)).nanoseconds
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
struct TokenRequest: Sendable {
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
