/// One way in which a probe's request differs from the base client's, to see whether the limiter tells them apart.
public struct ProbeVariant: Sendable, Hashable, Codable {
  public enum Dimension: String, Sendable, Hashable, Codable, CaseIterable {
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
    public var isSpoof: Bool { self == .forwardedFor || self == .realIP || self == .forwarded }
  }

  public var dimension: Dimension
  /// Tells fresh values apart: the driver makes an address, a header value or a spelling of it.
  public var number: Int

  public init(dimension: Dimension, number: Int) {
    self.dimension = dimension
    self.number = number
  }
}
