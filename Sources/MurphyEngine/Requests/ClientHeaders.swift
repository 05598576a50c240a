import MurphyScenario

/// What the client of a session adds to each request, beside the headers that were drawn once: fields, and time.
final class ClientHeaders: Sendable {
  /// Evaluated for each request.
  let headers: [ClientHeader]
  let authentication: Authentication?
  /// Whether it adds nothing, so that requests of a constant step are all the same.
  let isSteady: Bool

  /// Between the user and the target; nil for nothing.
  let network: UserNetwork?

  init(_ profile: ClientProfile) {
    headers = profile.headers.filter { !$0.isDrawnOnce }
    authentication = profile.authentication
    network = profile.network
    isSteady = headers.isEmpty && authentication == nil
  }
}
