/// What a limiter counts by: requests that agree in every part share one counter.
public struct LimitKey: Sendable, Hashable, Codable {
  public enum Part: Sendable, Hashable, Codable {
    /// The address that the request comes from.
    case sourceAddress
    /// The bearer token or other credentials: the `Authorization` header.
    case token
    /// A request header, compared as it stands; the name in lower case.
    case header(String)

    public var text: String {
      switch self {
      case .sourceAddress: "address"
      case .token: "token"
      case .header(let name): name
      }
    }
  }

  /// Empty for one counter that everybody shares.
  public var parts: [Part]

  public init(_ parts: [Part]) { self.parts = parts }

  public static let global = LimitKey([])
  public static let sourceAddress = LimitKey([.sourceAddress])
  public static let token = LimitKey([.token])
  public static func header(_ name: String) -> LimitKey { LimitKey([.header(name.lowercased())]) }

  /// `address`, `token`, `x-device-id`, `address + x-device-id`, `global`
  public var text: String { parts.isEmpty ? "global" : parts.map(\.text).joined(separator: " + ") }

  /// Request headers that the key reads, names in lower case: the client's log must keep them.
  public var headerNames: [String] {
    parts.compactMap {
      switch $0 {
      case .sourceAddress: nil
      case .token: "authorization"
      case .header(let name): name
      }
    }
  }

  /// Whether the key's value did not exist before the run for this client: one new part makes the whole new.
  public func isFresh(for identity: ClientIdentity) -> Bool {
    headerNames.contains(where: identity.fresh.contains) || isIssued(for: identity)
  }

  /// Whether the target itself made a part of the key's value in the run.
  public func isIssued(for identity: ClientIdentity) -> Bool {
    headerNames.contains(where: identity.issued.contains)
  }

  /// The value of the key for one client, or nil when a header that it reads is absent: what a limiter does
  /// then is not part of the policy.
  public func value(for identity: ClientIdentity) -> String? {
    var values: [String] = []
    for part in parts {
      switch part {
      case .sourceAddress: values.append(identity.sourceAddress)
      case .token:
        guard let field = identity.headers.first(where: { $0.name == "authorization" }) else { return nil }
        values.append(field.value)
      case .header(let name):
        guard let field = identity.headers.first(where: { $0.name == name }) else { return nil }
        values.append(field.value)
      }
    }
    return values.joined(separator: "\u{1F}")
  }
}
