import MurphyContract
import MurphyHTTP
import MurphyModel
import MurphyScenario

/// Writes requests by the contract; those that are always the same are written once. One per loop.
final class RequestWriter {
  private let context: RunContext
  private var constants: [ObjectIdentifier: PreparedRequest] = [:]

  init(context: RunContext) { self.context = context }

  /// A request that was kept for a constant step, without the sender's headers.
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

/// A request that is ready to be sent, with the operation that it belongs to.
struct PreparedRequest {
  /// Index into the contract's operations.
  var operation: Int
  var http: HTTPRequest
  /// The step that asks for it; nil in a session written in Swift.
  var call: Call?
  /// Where its answer is kept; nil where it is not.
  var keptUnder: KeptAnswers.Place?

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

  /// Whether the step expects the failure, or says with `on:` how the session goes on after it.
  func handles(status: Int, _ outcome: StepOutcome) -> Bool {
    outcome.isExpectedFailure
      || call?.step.reactions.contains { reaction in
        if case .status(let pattern) = reaction.trigger { pattern.matches(status) } else { false }
      } ?? false
  }
}

/// What a status means to the step that sent the request.
struct StepOutcome {
  /// The API did what was asked: 2xx, a switch of protocols, a redirection where the contract documents no 2xx, or a
  /// status that the step expects.
  var isSuccess = false
  /// The step expects this very failure, so it is no error. A rejection by a rate limit stays one, expected or not.
  var isExpectedFailure = false
  var isRejected = false
}

/// What the client of a session adds to each request, beside the headers that were drawn once: fields, and time.
final class ClientHeaders: Sendable {
  /// Evaluated for each request.
  let headers: [ClientHeader]
  let authentication: Authentication?
  /// Where its users' tokens come from.
  let oauth2: OAuth2?
  /// Whether they have any: asked for each request.
  let usesTokens: Bool
  /// Whether it adds nothing, so that requests of a constant step are all the same.
  let isSteady: Bool

  /// Between the user and the target; nil for nothing.
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
