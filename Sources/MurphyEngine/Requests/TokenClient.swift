import MurphyHTTP
import MurphyModel
import MurphyScenario
import MurphySchema

/// Sends the token requests. Lives on the loop of its service.
final class TokenClient {
  static let longestAnswer = ByteCount(1 << 20)
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
    var isAsking = false
    var waiting: [UnsafeContinuation<Result<AccessToken, TokenFailure>, Never>] = []
  }

  func token(_ ask: TokenAsk, replacing stale: AccessToken?) async -> Result<AccessToken, TokenFailure> {
    guard ask.isShared else { return await renewed(ask, stale) }
    let entry = shared[ask.mark] ?? SharedToken()
    shared[ask.mark] = entry
    // Another user has already replaced it.
    if let token = entry.token, token.value != stale?.value, token.isFresh(at: .now) { return .success(token) }
    if entry.isAsking { return await withUnsafeContinuation { entry.waiting.append($0) } }
    entry.isAsking = true
    let outcome = await renewed(ask, stale ?? entry.token)
    entry.isAsking = false
    if case .success(let token) = outcome { entry.token = token }
    let waiting = entry.waiting
    entry.waiting = []
    for waiter in waiting { waiter.resume(returning: outcome) }
    return outcome
  }

  /// Uses the refresh token where there is one. If it is rejected, the initial grant is used (RFC 6749 §6).
  private func renewed(_ ask: TokenAsk, _ stale: AccessToken?) async -> Result<AccessToken, TokenFailure> {
    if let refreshToken = stale?.refreshToken {
      switch await asked(ask, ask.written(refreshing: refreshToken)) {
      case .success(var token):
        // The old refresh token remains valid where the response gave no new one.
        token.refreshToken = token.refreshToken ?? refreshToken
        return .success(token)
      case .failure(.abandoned): return .failure(.abandoned)
      case .failure(.refused): break
      }
    }
    return await asked(ask, ask.written())
  }

  private func asked(
    _ ask: TokenAsk, _ written: (headers: [HeaderField], body: [UInt8])
  ) async -> Result<AccessToken, TokenFailure> {
    do throws(TokenFailure) {
      guard let endpoint = endpoints[ask.url] else { throw .refused("it has no address") }
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
        return .failure(.refused("the token endpoint \(endpoints[ask.url]?.url ?? ask.url): \(reason)"))
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
    let answer = try? JSONValue.parse(Array(transfer.bodyBytes))
    guard transfer.status == 200 else { throw .refused(refusal(transfer.status, answer)) }
    guard let answer, case .object = answer else { throw .refused("its response is not a JSON object") }
    return try AccessToken(answer, at: .now)
  }

  /// `status 400, invalid_grant: …` (RFC 6749 §5.2).
  private static func refusal(_ status: Int, _ answer: JSONValue?) -> String {
    let code = answer?["error"]?.string.map { ", \($0.prefix(60))" } ?? ""
    let description = answer?["error_description"]?.string.map { ": \($0.prefix(200))" } ?? ""
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
