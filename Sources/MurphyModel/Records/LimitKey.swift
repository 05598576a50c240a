/// The key by which a limiter counts: requests that agree in every part share one counter.
package struct LimitKey: Sendable, Hashable, Codable {
  /// One property of a request that selects its counter.
  package enum Part: Sendable, Hashable, Codable {
    /// The source address of the request.
    case sourceAddress
    /// The bearer token or other credentials: the `Authorization` header.
    case token
    /// A request header, compared without normalisation; the name in lower case.
    case header(String)

    /// As a scenario writes it.
    package var text: String {
      switch self {
      case .sourceAddress: "address"
      case .token: "token"
      case .header(let name): name
      }
    }

    /// The request header that it reads, in lower case; nil for none.
    package var headerName: String? {
      switch self {
      case .sourceAddress: nil
      case .token: "authorization"
      case .header(let name): name
      }
    }
  }

  /// Empty for one counter that all clients share.
  package var parts: [Part]

  package init(_ parts: [Part]) { self.parts = parts }

  /// One counter for all requests.
  package static let global = LimitKey([])
  /// One counter for each client address.
  package static let sourceAddress = LimitKey([.sourceAddress])
  /// One counter for each bearer token or other credentials.
  package static let token = LimitKey([.token])
  /// One counter for each value of the header. The name may have any case.
  package static func header(_ name: String) -> LimitKey { LimitKey([.header(name.lowercased())]) }

  /// `address`, `token`, `x-device-id`, `address + x-device-id`, `global`
  package var text: String { parts.isEmpty ? "global" : parts.map(\.text).joined(separator: " + ") }

  /// Request headers that the key reads, names in lower case: the client's log must keep them.
  package var headerNames: [String] { parts.compactMap(\.headerName) }

  /// True if the key's value did not exist before the run for this client: one new part makes the whole value new.
  package func isFresh(for identity: ClientIdentity) -> Bool {
    headerNames.contains(where: identity.fresh.contains) || isIssued(for: identity)
  }

  /// True if the target itself created a part of the key's value during the run.
  package func isIssued(for identity: ClientIdentity) -> Bool {
    headerNames.contains(where: identity.issued.contains)
  }

  /// The value of the key for one client, or nil if a header that it reads is absent: the policy does not define the
  /// limiter's behaviour then.
  package func value(for identity: ClientIdentity) -> String? {
    var values: [String] = []
    for part in parts {
      if let name = part.headerName {
        guard let field = identity.headers.first(where: { $0.name == name }) else { return nil }
        values.append(field.value)
      } else {
        values.append(identity.sourceAddress)
      }
    }
    return values.joined(separator: "\u{1F}")
  }
}

extension LimitKey {
  /// A key that cannot be read.
  package struct Mistake: Error, Sendable, Hashable {
    /// The index of the name, from 0.
    package var part: Int
    /// The found and the expected value.
    package var message: String
  }

  /// Reads a key in the format of contracts (`x-ratelimit`), scenarios and `--what-if`: the names of its parts, in any
  /// case.
  ///
  ///     ip | address | source-address   the address that the request comes from
  ///     token                           the credentials: the `Authorization` header
  ///     global | none                   one counter for all clients; no other part is allowed
  ///     anything else                   a request header of that name, with or without `header.` in front
  package init(names: [String]) throws(Mistake) {
    guard !names.isEmpty else {
      throw Mistake(
        part: 0, message: "a limit key needs at least one part; write `global` for one counter for all clients")
    }
    var parts: [Part] = []
    for (index, name) in names.enumerated() {
      switch name.lowercased() {
      case "ip", "address", "source-address": parts.append(.sourceAddress)
      case "token": parts.append(.token)
      case "global", "none":
        guard names.count == 1 else {
          throw Mistake(
            part: index,
            message: "\"\(name)\" means one counter for all clients; it cannot be combined with other parts of a key")
        }
      case let text:
        // The format of invariants: `header.X-Device-ID`.
        let header = text.hasPrefix("header.") ? String(text.dropFirst("header.".count)) : text
        guard HeaderName.isValid(header) else {
          throw Mistake(
            part: index,
            message: "\"\(name)\" is not a part of a limit key: expected ip, token, global or a header's name")
        }
        parts.append(.header(header))
      }
    }
    self.init(parts)
  }
}
