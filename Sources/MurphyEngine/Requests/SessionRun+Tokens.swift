import MurphyHTTP
import MurphyModel
import MurphyScenario

/// The access tokens of one user, one for each source that its sessions name. Lives on the user's loop.
final class UserTokens {
  private var tokens: [SourceMark: AccessToken] = [:]
  /// Held by the request that fetches a token. The user's other requests wait for it.
  let asking = RequestSlots(limit: 1)

  /// The token that may be sent now; nil where there is none, or where it expires soon.
  func current(_ source: OAuth2) -> AccessToken? {
    tokens[source.mark].flatMap { $0.isFresh(at: .now) ? $0 : nil }
  }

  func last(_ source: OAuth2) -> AccessToken? { tokens[source.mark] }

  func keep(_ token: AccessToken, of source: OAuth2) { tokens[source.mark] = token }
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
    await tokens.asking.enter()
    defer { tokens.asking.leave() }
    guard !loopRun.isOver else { throw .cut }
    // Another request of the user has fetched a token meanwhile. If that failed, this request fetches one.
    if let token = known(source, tokens, refused) { return token }
    let request: OAuth2.Request
    do throws(EvaluationError) {
      request = try source.request(in: &scope, random: random)
    } catch {
      throw .failed("oauth2: \(error.text)")
    }
    let ask = TokenAsk(source, request)
    switch await loopRun.loop.waiting(for: { await service.token(ask, replacing: tokens.last(source)) }) {
    case .success(let token):
      scope.learn(token: token.value)
      if let refreshToken = token.refreshToken { scope.learn(token: refreshToken) }
      tokens.keep(token, of: source)
      trace("oauth2: a token from \(source.tokenURL)")
      return token
    case .failure(.abandoned): throw .cut
    case .failure(.refused(let reason)):
      throw .failed("oauth2: \(loopRun.context.mask.adding(scope.secrets).masked(reason))")
    }
  }

  /// True if a response requires a new token and the step does not expect this status.
  func isRefused(_ transfer: Transfer, _ call: Call) -> Bool {
    guard case .answered = transfer.ending, transfer.status == 401 else { return false }
    return !call.step.checks.names(401)
  }
}

extension AccessToken {
  fileprivate var credentials: Authentication.Credentials {
    Authentication.Credentials(place: .header, name: "Authorization", value: field)
  }
}
