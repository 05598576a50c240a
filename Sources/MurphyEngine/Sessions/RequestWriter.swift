import MurphyContract
import MurphyHTTP
import MurphyModel
import MurphyScenario
import MurphySchema

/// Writes requests by the contract. Constant requests are written once. One per loop.
final class RequestWriter {
  private let context: RunContext
  private var constants: [ObjectIdentifier: PreparedRequest] = [:]

  init(context: RunContext) { self.context = context }

  /// A stored request of a constant step, without the sender's headers.
  func constant(_ call: Call) -> PreparedRequest? { call.isConstant ? constants[ObjectIdentifier(call)] : nil }

  func keep(_ request: PreparedRequest) {
    if let call = request.call, call.isConstant { constants[ObjectIdentifier(call)] = request }
  }

  func write(_ call: OperationCall) throws(RequestError) -> PreparedRequest {
    let credentials = context.credentials[call.operation]
    return PreparedRequest(
      operation: call.operation, http: try call.request(context.contract, credentials: credentials))
  }
}

/// A request that is ready to be sent, with its operation.
struct PreparedRequest {
  /// Index into the contract's operations.
  var operation: Int
  var http: HTTPRequest
  /// The step of the request; nil in a session written in Swift.
  var call: Call?
  /// The place where its response is kept; nil where it is not kept.
  var keptUnder: KeptResponses.Place?

  var reads: [Variable] { call?.variables ?? [] }

  func outcome(of transfer: Transfer, _ context: RunContext) -> StepOutcome {
    let status = transfer.status
    if (200..<300).contains(status) || status == 101 { return StepOutcome(isSuccess: true) }
    let isRejected = context.rejections.rejects(operation, status: status, headers: transfer.headers)
    guard let call, call.names(status) else {
      return StepOutcome(
        isSuccess: (300..<400).contains(status) && context.contract.operations[operation].redirects(by: status),
        isRejected: isRejected)
    }
    return StepOutcome(
      isSuccess: call.asksFor(status), isExpectedFailure: status >= 400 && !isRejected, isRejected: isRejected)
  }

  /// True if the step expects the failure, or handles it with `on:`.
  func handles(status: Int, _ outcome: StepOutcome) -> Bool {
    outcome.isExpectedFailure
      || call?.step.reactions.contains { reaction in
        if case .status(let pattern) = reaction.trigger { pattern.matches(status) } else { false }
      } ?? false
  }
}

/// The meaning of a status for the step that sent the request.
struct StepOutcome {
  /// True if the API did what was requested: 2xx, a switch of protocols, a redirect where the contract documents no
  /// 2xx, or a status that the step expects.
  var isSuccess = false
  /// True if the step expects this failure, so it does not count as an error. A rejection by a rate limit remains one,
  /// expected or not.
  var isExpectedFailure = false
  var isRejected = false
}

/// The headers and delays that the client of a session adds to each request, in addition to the headers that were
/// generated once.
final class ClientHeaders: Sendable {
  /// Evaluated for each request.
  let headers: [ClientHeader]
  let authentication: Authentication?
  /// The source of its users' tokens.
  let oauth2: OAuth2?
  /// True if they have any. Read for each request.
  let usesTokens: Bool
  /// True if it adds nothing, so that all requests of a constant step are equal.
  let isSteady: Bool

  /// The network between the user and the target; nil for none.
  let network: UserNetwork?

  init(_ profile: ClientProfile) {
    headers = profile.headers.filter { !$0.isDrawnOnce }
    authentication = profile.authentication
    oauth2 = profile.authentication?.oauth2
    usesTokens = oauth2 != nil
    network = profile.network
    isSteady = headers.isEmpty && authentication == nil
  }
}

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
