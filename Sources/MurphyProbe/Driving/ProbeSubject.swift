import MurphyHTTP
import MurphyJudge
import MurphyModel

/// The subject of a probe: one operation's request of the base client, and its possible variations.
///
/// A variation never repeats a value: each uses the next fresh number.
package struct ProbeSubject: Sendable {
  package typealias Dimension = ProbeDimension

  /// The data that is sent for one probe request.
  package struct Outgoing: Sendable {
    package var http: HTTPRequest
    /// The local address to send from; nil for the system's choice.
    package var sourceAddress: String?
  }

  package var operation: String
  package var base: HTTPRequest
  /// The base client's address; nil for the system's choice.
  package var sourceAddress: String?
  /// A request that the API should reject with 400 or another 4xx status; nil if none could be constructed.
  package var invalid: HTTPRequest?
  /// A response that matches any of these is a rejection.
  package var refusals: [RefusalRule] = [.tooManyRequests]
  /// True if other addresses of this machine may be used: the target is on loopback.
  package var hasOtherAddresses = false
  /// Headers that identify devices of other clients: each element belongs to another device.
  package var otherDevices: [[HeaderField]] = []
  /// Credentials of other clients.
  package var otherTokens: [HeaderField] = []
  /// The operation with other path values, or with another spelling of the path.
  package var otherTargets: [String] = []
  /// Lower-case names of headers that identify clients: the log keeps them.
  package var keyHeaders: Set<String> = ["authorization"]

  package init(operation: String, base: HTTPRequest) {
    self.operation = operation
    self.base = base
  }

  /// The dimensions that can be varied.
  package var dimensions: [Dimension] {
    Dimension.allCases.filter { dimension in
      switch dimension {
      case .sourceAddress: hasOtherAddresses
      case .forwardedFor, .realIP, .forwarded: true
      case .device: !otherDevices.isEmpty
      case .token: !otherTokens.isEmpty
      case .route: !otherTargets.isEmpty
      case .query, .method: base.method == "GET"
      }
    }
  }

  /// The headers that identify devices, as they are written.
  package var deviceHeaderNames: [String] {
    var names: [String] = []
    for field in otherDevices.first ?? [] where !names.contains(field.name) { names.append(field.name) }
    return names
  }

  /// - Parameter fresh: a number that was not used before, from 1.
  package func outgoing(_ request: ProbeRequest, fresh: Int) -> Outgoing {
    if request.isInvalid, let invalid { return Outgoing(http: invalid, sourceAddress: sourceAddress) }
    var outgoing = Outgoing(http: base, sourceAddress: sourceAddress)
    switch request.variant?.dimension {
    case nil: break
    case .sourceAddress: outgoing.sourceAddress = Self.loopback(fresh)
    case .forwardedFor: outgoing.http.headers.put(HeaderField("X-Forwarded-For", Self.otherAddress(fresh)))
    case .realIP: outgoing.http.headers.put(HeaderField("X-Real-IP", Self.otherAddress(fresh)))
    case .forwarded: outgoing.http.headers.put(HeaderField("Forwarded", "for=\(Self.otherAddress(fresh))"))
    case .device: for field in otherDevices[fresh % otherDevices.count] { outgoing.http.headers.put(field) }
    case .token: outgoing.http.headers.put(otherTokens[fresh % otherTokens.count])
    case .route: outgoing.http.target = otherTargets[fresh % otherTargets.count]
    case .query: outgoing.http.target += (base.target.contains("?") ? "&" : "?") + "murphy=\(fresh)"
    case .method: outgoing.http.method = "HEAD"
    }
    return outgoing
  }

  /// `127.0.0.2`, `127.0.0.3` … : all of 127.0.0.0/8 is this machine (RFC 1122 §3.2.1.3).
  static func loopback(_ fresh: Int) -> String { "127.0.\(fresh / 250 % 250).\(fresh % 250 + 2)" }

  /// An address from 198.18.0.0/15, which is reserved for network tests (RFC 2544).
  static func otherAddress(_ fresh: Int) -> String { "198.18.\(fresh / 250 % 250).\(fresh % 250 + 2)" }
}
