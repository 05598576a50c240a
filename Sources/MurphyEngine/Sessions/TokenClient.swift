import MurphyHTTP
import MurphyModel
import MurphyScenario
import MurphySchema

/// Sends the token requests. Lives on the loop of its service.
final class TokenClient {
  static let longestResponse = ByteCount(1 << 20)
  /// The maximum of concurrent requests to one endpoint.
  private static let mostAtOnce = 16

  private let loop: EventLoop
  private let endpoints: [String: TokenEndpoint]
  private let options: TransportOptions
  private var counters: [String: Counter] = [:]
  /// The tokens that all users share, by the position of their source.
  private var shared: [SourceMark: SharedToken] = [:]
  private var result = TokenResult(requests: 0, failed: 0)
  /// The number of times that open requests were cancelled.
  private var abandonments = 0

  init(_ loop: EventLoop, _ endpoints: [String: TokenEndpoint], _ options: TransportOptions) {
    self.loop = loop
    self.endpoints = endpoints
    self.options = options
  }

  /// The queue to one endpoint.
  private final class Counter {
    let transport: Transport
    let connection: Connection
    let slots = RequestSlots(limit: TokenClient.mostAtOnce)

    init(_ transport: Transport) throws {
      self.transport = transport
      connection = try transport.connect(sourceAddress: nil, keepsCookies: false)
    }
  }

  /// One token for all users. A request that needs it while it is being fetched waits for the response.
  private final class SharedToken {
    var token: AccessToken?
    var isFetching = false
    var waiting: [UnsafeContinuation<Result<AccessToken, TokenFailure>, Never>] = []
  }

  func token(_ request: TokenRequest, replacing stale: AccessToken?) async -> Result<AccessToken, TokenFailure> {
    guard request.isShared else { return await renewed(request, stale) }
    let entry = shared[request.mark] ?? SharedToken()
    shared[request.mark] = entry
    // Another user has already replaced it.
    if let token = entry.token, token.value != stale?.value, token.isFresh(at: .now) { return .success(token) }
    if entry.isFetching { return await withUnsafeContinuation { entry.waiting.append($0) } }
    entry.isFetching = true
    let outcome = await renewed(request, stale ?? entry.token)
    entry.isFetching = false
    if case .success(let token) = outcome { entry.token = token }
    let waiting = entry.waiting
    entry.waiting = []
    for waiter in waiting { waiter.resume(returning: outcome) }
    return outcome
  }

  /// Uses the refresh token where there is one. If it is rejected, the initial grant is used (RFC 6749 §6).
  private func renewed(_ request: TokenRequest, _ stale: AccessToken?) async -> Result<AccessToken, TokenFailure> {
    let outcome = await granted(request, stale)
    if stale != nil, case .success = outcome { result.renewals = (result.renewals ?? 0) + 1 }
    return outcome
  }

  private func granted(_ request: TokenRequest, _ stale: AccessToken?) async -> Result<AccessToken, TokenFailure> {
    if let refreshToken = stale?.refreshToken {
      switch await fetched(request, request.written(refreshing: refreshToken)) {
      case .success(var token):
        // The old refresh token remains valid where the response gave no new one.
        token.refreshToken = token.refreshToken ?? refreshToken
        return .success(token)
      case .failure(.abandoned): return .failure(.abandoned)
      case .failure(.refused): break
      }
    }
    return await fetched(request, request.written())
  }

  private func fetched(
    _ request: TokenRequest, _ written: (headers: [HeaderField], body: [UInt8])
  ) async -> Result<AccessToken, TokenFailure> {
    do throws(TokenFailure) {
      guard let endpoint = endpoints[request.url] else { throw .refused("the host has no address") }
      let counter = try counter(endpoint)
      let before = abandonments
      await counter.slots.enter()
      defer { counter.slots.leave() }
      guard abandonments == before else { throw .abandoned }
      result.requests += 1
      let transfer = counter.connection.start(
        HTTPRequest(method: "POST", target: endpoint.target, headers: written.headers, body: written.body))
      defer { transfer.release() }
      await transfer.finished()
      return .success(try Self.read(transfer))
    } catch {
      if case .refused(let reason) = error {
        result.failed += 1
        return .failure(.refused("the token endpoint \(endpoints[request.url]?.url ?? request.url): \(reason)"))
      }
      return .failure(error)
    }
  }

  private func counter(_ endpoint: TokenEndpoint) throws(TokenFailure) -> Counter {
    if let known = counters[endpoint.url] { return known }
    do {
      let counter = try Counter(
        Transport(loop: loop, origin: endpoint.origin, options: options, resolved: endpoint.resolved))
      counters[endpoint.url] = counter
      return counter
    } catch {
      throw .refused("\(error)")
    }
  }

  private static func read(_ transfer: Transfer) throws(TokenFailure) -> AccessToken {
    switch transfer.ending {
    case .failed(let error): throw .refused(error.sentence)
    case .cancelled, .inFlight, .abandoned: throw .abandoned
    case .answered: break
    }
    let response = try? JSONValue.parse(Array(transfer.bodyBytes))
    guard transfer.status == 200 else { throw .refused(refusal(transfer.status, response)) }
    guard let response, case .object = response else { throw .refused("the response is not a JSON object") }
    return try AccessToken(response, at: .now)
  }

  /// `status 400, invalid_grant: …` (RFC 6749 §5.2).
  private static func refusal(_ status: Int, _ response: JSONValue?) -> String {
    let code = response?["error"]?.string.map { ", \($0.shortened(to: 60))" } ?? ""
    let description = response?["error_description"]?.string.map { ": \($0.shortened(to: 200))" } ?? ""
    return "status \(status)\(code)\(description)"
  }

  func abandon() {
    abandonments += 1
    for counter in counters.values { counter.transport.abandonAll() }
  }

  func close() -> TokenResult {
    abandonments += 1
    for counter in counters.values {
      counter.connection.close()
      counter.transport.close()
    }
    counters = [:]
    return result
  }
}

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
    options.bodyLimit = TokenClient.longestResponse
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
  func token(_ request: TokenRequest, replacing stale: AccessToken?) async -> Result<AccessToken, TokenFailure> {
    await loop.submit { [client] in await client.value.token(request, replacing: stale) }.value
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
        throw .target("the token-url \(url) is not valid: \(error.reason)")
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
