import MurphyJudge
import MurphyModel

/// What to send: the base request of the probed operation, or a variation of it.
package struct ProbeRequest: Sendable, Hashable {
  /// Nil for the base client.
  package var variant: ProbeVariant?
  /// Should be refused as malformed (400) by the API, after the limiter let it through.
  package var isInvalid: Bool

  package init(variant: ProbeVariant? = nil, isInvalid: Bool = false) {
    self.variant = variant
    self.isInvalid = isInvalid
  }

  package static let base = ProbeRequest()

  /// So many of the base client, as far as one volley may have them.
  static func burst(_ count: Int) -> [ProbeRequest] { Array(repeating: .base, count: min(count, Prober.longestBurst)) }
}

/// One way in which a probe's request differs from the base client's, to see whether the limiter tells them apart.
package struct ProbeVariant: Sendable, Hashable, Codable {
  package var dimension: ProbeDimension
  /// Tells fresh values apart: the driver makes an address, a header value or a spelling of it.
  package var number: Int

  package init(dimension: ProbeDimension, number: Int) {
    self.dimension = dimension
    self.number = number
  }
}

extension ProbeDimension {
  /// Whether a promised key tells requests apart by it; nil when the promise does not say.
  ///
  /// A key of several parts separates by each of them; a global counter by none.
  /// - Parameter headers: the headers that were varied for `device`, in any case.
  package func isPromised(by key: LimitKey, headers: [String]) -> Bool? {
    switch self {
    case .sourceAddress: key.parts.contains(.sourceAddress)
    case .token: key.parts.contains(.token) || key.headerNames.contains("authorization")
    case .device: key.headerNames.contains { name in headers.contains { $0.lowercased() == name } }
    case .route, .query, .method: false
    case .forwardedFor, .realIP, .forwarded:
      key.headerNames.contains(rawValue.lowercased()) ? true : nil
    }
  }
}

extension ProbeReport {
  /// The dimensions by which the limiter tells clients apart and the promised key does not, or the other way round.
  ///
  /// Where the key is not stated, none of them is a mistake.
  package func keyMistakes(_ policy: LimitPolicy, headers: [String]) -> [KeyFinding] {
    guard !policy.keyIsAssumed else { return [] }
    return keys.filter { found in
      guard let separates = found.separates else { return false }
      guard let isPromised = found.dimension.isPromised(by: policy.key, headers: headers) else { return separates }
      return separates != isPromised
    }
  }
}

/// Where a prober's volleys go: real HTTP on a real clock, or a simulation.
///
/// A conforming target never sends a request before its moment, answers with one observation for each request that it
/// sent, and stops a volley as told.
package protocol ProbeTarget {
  /// Seconds since the probe began are the target's to count; the volley's moments are on that clock.
  mutating func send(_ volley: ProbeVolley) async throws -> [ProbeObservation]
}

extension Prober {
  /// Runs the whole probe; `progress` is called before each volley.
  package mutating func run(
    on target: inout some ProbeTarget, progress: (ProbeProgress) -> Void = { _ in }
  ) async throws -> ProbeReport {
    while let volley = next() {
      progress(self.progress)
      receive(try await target.send(volley))
    }
    return report
  }
}

/// Requests to send in one go, open loop: number i no earlier than `at + i · spacing`, whatever the answers do.
package struct ProbeVolley: Sendable {
  /// Seconds on the prober's clock; sending earlier would falsify the experiment, sending later only costs precision.
  package var at: Double
  /// Seconds; 0 sends all at once, each on its own connection.
  package var spacing: Double
  package var requests: [ProbeRequest]
  /// Sending stops once this many refusals were answered; nil sends all.
  package var stopsAfterRefusals: Int?
  /// Seconds without an admitted request that the experiment needs before it. A target that sends requests of its own
  /// between two volleys sends this one later when it was admitted.
  package var quiet: Double

  package init(
    at: Double, spacing: Double, requests: [ProbeRequest], stopsAfterRefusals: Int? = nil, quiet: Double = 0
  ) {
    self.at = at
    self.spacing = spacing
    self.requests = requests
    self.stopsAfterRefusals = stopsAfterRefusals
    self.quiet = quiet
  }
}

/// What came of one probe request; seconds on the prober's clock.
package struct ProbeObservation: Sendable, Hashable {
  /// Index into the volley's requests.
  package var index: Int
  /// When it should have been sent; later sends are the client's own lateness.
  package var due: Double
  package var sent: Double
  /// When it was answered, or given up on.
  package var settled: Double
  package var decision: LimitDecision
  /// 0 without an answer.
  package var status: Int
  /// `Retry-After` in seconds, where the answer had one.
  package var retryAfter: Double?

  package init(
    index: Int, due: Double? = nil, sent: Double, settled: Double, decision: LimitDecision, status: Int,
    retryAfter: Double? = nil
  ) {
    self.index = index
    self.due = due ?? sent
    self.sent = sent
    self.settled = settled
    self.decision = decision
    self.status = status
    self.retryAfter = retryAfter
  }

  /// Seconds that the client was late in sending it.
  package var lateness: Double { max(0, sent - due) }
  /// Seconds within which the limiter decided; where exactly is not known.
  package var ride: Double { settled - sent }
  /// Sent so late, or so long on its way, that an experiment was not the one planned.
  package var isLate: Bool { max(lateness, ride) > Self.late }
  /// How late the worst of both is.
  package var delay: Double { max(lateness, ride) }
  /// Seconds. An idle machine keeps to a few milliseconds.
  private static let late = 0.05
}
