/// A property of a request that a limiter may count by, as a probe varies it.
public enum ProbeDimension: String, Sendable, Hashable, Codable, CaseIterable {
  /// Another local address (`127.0.0.2` …).
  case sourceAddress = "source address"
  case forwardedFor = "X-Forwarded-For"
  case realIP = "X-Real-IP"
  case forwarded = "Forwarded"
  /// The header that tells devices apart.
  case device = "device header"
  case token = "Authorization"
  /// The same operation spelt otherwise: a slash at the end, another case.
  case route
  case query
  case method

  /// A header that clients can write as they like and only a trusted proxy should set.
  public var isSpoof: Bool { bypassKind != nil }

  /// The finding that clients walk around the limiter with a made-up value; nil where none can be made up.
  public var bypassKind: FindingKind? {
    switch self {
    case .forwardedFor: .limitBypassXForwardedFor
    case .realIP: .limitBypassXRealIP
    case .forwarded: .limitBypassForwarded
    case .sourceAddress, .device, .token, .route, .query, .method: nil
    }
  }

  /// The finding that the limiter does not count by it as promised.
  public var keyKind: FindingKind {
    switch self {
    case .sourceAddress: .limitKeySourceAddress
    case .forwardedFor: .limitKeyXForwardedFor
    case .realIP: .limitKeyXRealIP
    case .forwarded: .limitKeyForwarded
    case .device: .limitKeyDeviceHeader
    case .token: .limitKeyAuthorization
    case .route: .limitKeyRoute
    case .query: .limitKeyQuery
    case .method: .limitKeyMethod
    }
  }
}
