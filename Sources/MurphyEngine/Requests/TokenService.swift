import MurphyHTTP
import MurphyModel
import MurphyScenario
import MurphySchema

/// Fetches the users' access tokens on a separate loop. Its requests and their waits are not part of the load.
final class TokenService: Sendable {
  private let loop: EventLoop
  private let client: LoopBound<TokenClient>

  /// Nil where no user needs a token.
  ///
  /// - Throws: an `EngineError` for an endpoint without an address.
  static func open(
    for scenario: Scenario, target: Origin, transport: TransportOptions
  ) async throws(EngineError) -> TokenService? {
    let sources = scenario.tokenSources
    guard !sources.isEmpty else { return nil }
    var options = transport
    options.bodyLimit = TokenClient.longestAnswer
    var endpoints: [String: TokenEndpoint] = [:]
    for source in sources { endpoints[source.tokenURL] = try TokenEndpoint(source.tokenURL, target: target, options) }
    let loop: EventLoop
    do throws(SystemError) { loop = try EventLoop(number: 0) } catch { throw .system(error.description) }
    return TokenService(
      loop, await loop.submit { [options, endpoints] in LoopBound(TokenClient(loop, endpoints, options)) }.value)
  }

  private init(_ loop: EventLoop, _ client: LoopBound<TokenClient>) {
    self.loop = loop
    self.client = client
  }

  /// - Parameter stale: the token that is no longer valid; nil for the first token.
  func token(_ ask: TokenAsk, replacing stale: AccessToken?) async -> Result<AccessToken, TokenFailure> {
    await loop.submit { [client] in await client.value.token(ask, replacing: stale) }.value
  }

  /// Cancels open requests, because the sessions that wait for them are over.
  func abandon() { _ = loop.submit { [client] in client.value.abandon() } }

  func close() async -> TokenResult {
    let result = await loop.submit { [client] in client.value.close() }.value
    loop.shutdown()
    return result
  }
}

/// The endpoint for tokens.
struct TokenEndpoint: Sendable {
  let url: String
  let origin: Origin
  /// The path and query after the origin.
  let target: String
  let resolved: ResolvedHost

  init(_ url: String, target: Origin, _ options: TransportOptions) throws(EngineError) {
    if url.hasPrefix("/") {
      (origin, self.target) = (target, url)
    } else {
      let parts = URIReference(url)
      do throws(OriginError) {
        origin = try Origin("\(parts.scheme ?? "")://\(parts.authority ?? "")")
      } catch {
        throw .target("the token-url \(url) cannot be used: \(error.reason)")
      }
      self.target = (parts.path.isEmpty ? "/" : parts.path) + (parts.query.map { "?\($0)" } ?? "")
    }
    self.url = url.hasPrefix("/") ? target.text + url : origin.text + self.target
    do throws(TransportError) {
      resolved = try ResolvedHost(origin, options)
    } catch {
      throw .unreachable("the token endpoint \(self.url): \(error.sentence)")
    }
  }
}
