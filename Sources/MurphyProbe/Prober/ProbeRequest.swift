import MurphyJudge
import MurphyModel

/// The request to send: the base request of the probed operation, or a variation of it.
package struct ProbeRequest: Sendable, Hashable {
  /// Nil for the base client.
  package var variant: ProbeVariant?
  /// True if the API should reject it as malformed (400), after the limiter has admitted it.
  package var isInvalid: Bool
  /// The client that sends it, if it is not the base client. All its requests have the same values.
  package var client: ProbeVariant?
  /// The number of the connection over which it is sent; nil for any free one.
  package var line: Int?

  package init(
    variant: ProbeVariant? = nil, isInvalid: Bool = false, client: ProbeVariant? = nil, line: Int? = nil
  ) {
    self.variant = variant
    self.isInvalid = isInvalid
    self.client = client
    self.line = line
  }

  /// The part of the key in which it differs from the base client's requests.
  package var dimension: ProbeDimension? { (variant ?? client)?.dimension }

  /// The request without a variation.
  package static let base = ProbeRequest()

  /// This many requests of one client, up to the maximum of one volley.
  static func burst(_ count: Int, from client: ProbeVariant? = nil) -> [ProbeRequest] {
    Array(repeating: ProbeRequest(client: client), count: min(count, Prober.longestBurst))
  }
}

/// One way in which a probe's request differs from the base client's, to test if the limiter distinguishes them.
package struct ProbeVariant: Sendable, Hashable, Codable {
  /// The part of the key that differs from the base client.
  package var dimension: ProbeDimension
  /// Distinguishes fresh values: the driver turns it into an address, a header value or a spelling.
  package var number: Int

  package init(dimension: ProbeDimension, number: Int) {
    self.dimension = dimension
    self.number = number
  }
}

extension ProbeDimension {
  /// True if a declared key distinguishes requests by it; nil if the declaration does not define it.
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
  /// The dimensions by which the limiter distinguishes clients and the declared key does not, or the other way round.
  ///
  /// If the key is not declared, none of them is an error.
  package func keyMistakes(_ policy: LimitPolicy, headers: [String]) -> [KeyFinding] {
    guard !policy.keyIsAssumed else { return [] }
    return keys.filter { found in
      guard let separates = found.separates else { return false }
      guard let isPromised = found.dimension.isPromised(by: policy.key, headers: headers) else { return separates }
      return separates != isPromised
    }
  }
}

/// The target of a prober's volleys: real HTTP on a real clock, or a simulation.
///
/// A conforming target never sends a request before its time. It returns one observation for each sent request, and
/// stops a volley as requested.
package protocol ProbeTarget {
  /// The target counts the seconds since the probe began; the volley's times use that clock.
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

/// Requests to send as one open-loop series: number i no earlier than `at + i · spacing`, independent of the responses.
package struct ProbeVolley: Sendable {
  /// Seconds on the prober's clock; an earlier send would falsify the experiment, a later one only costs precision.
  package var at: Double
  /// In seconds; 0 sends all at once, each on its own connection.
  package var spacing: Double
  /// The requests in their order.
  package var requests: [ProbeRequest]
  /// Sending stops after this many rejections; nil sends all.
  package var stopsAfterRefusals: Int?
  /// The time without an admitted request that the experiment needs before it, in seconds. A target that sends its own
  /// requests between two volleys delays this one if they were admitted.
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

extension ProbeFact.Delays {
  mutating func record(_ observations: [ProbeObservation]) {
    for observation in observations {
      send = max(send, observation.lateness)
      response = max(response, observation.ride)
    }
    if observations.contains(where: \.isLate) { bursts += 1 }
  }
}

/// The outcome of one probe request; seconds on the prober's clock.
package struct ProbeObservation: Sendable, Hashable {
  /// Index into the volley's requests.
  package var index: Int
  /// The intended send time; later sends are the client's own lateness.
  package var due: Double
  /// Seconds on the prober's clock.
  package var sent: Double
  /// The time of its response, or of its timeout.
  package var settled: Double
  /// What the response says about the limiter's decision.
  package var decision: LimitDecision
  /// 0 without a response.
  package var status: Int
  /// `Retry-After` in seconds, if the response had one.
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

  /// The client's lateness in sending it, in seconds.
  package var lateness: Double { max(0, sent - due) }
  /// The time within which the limiter decided, in seconds; the exact time is unknown.
  package var ride: Double { settled - sent }
  /// True if it was sent so late, or took so long, that the experiment was not as planned.
  package var isLate: Bool { max(lateness, ride) > Self.late }
  /// In seconds. An idle machine stays within a few milliseconds.
  private static let late = 0.05
}

/// The maximum cost of a probe, and the questions that it must response.
package struct ProbeOptions: Sendable {
  /// The probe ends before it sends more.
  package var maxRequests: Int
  /// The probe ends before it takes longer.
  package var time: Duration
  /// A policy to confirm; nil probes a black box.
  package var declared: LimitPolicy?
  /// Dimensions of the key to test; empty for none.
  package var dimensions: [ProbeDimension]
  /// True if the probe must determine whether failed requests count: the driver must be able to send an invalid
  /// request.
  package var triesInvalid: Bool
  /// True if the probe sends a volley of twice the allowance on a fresh window.
  package var triesRace: Bool
  /// The headers that `device` varies, as they are written.
  package var deviceHeaders: [String] = []
  /// Dimensions in which the driver has clients without a history, if the limiter distinguishes clients by them.
  package var freshDimensions: [ProbeDimension] = []
  /// Other declared limits of the operation: effects that they explain do not contradict the declared one.
  package var rivals: [LimitPolicy] = []
  /// True if the base client's counters under those were empty, too.
  package var rivalsStartQuiet = true
  /// True if the base client's quota was unused, so that its first rejection is evidence.
  package var startsQuiet = true
  /// Allowance and key only, within one window.
  package var isQuick = false
  /// True if the probe ends when its first requests contradict the declaration, without measuring the real limit.
  package var endsWhenContradicted = false
  /// The declared window is too long to wait for: the announcements in responses decide if it is measured.
  package var isWindowTooLong = false
  /// The coarsest step of the server's clock for which a contradiction must be valid, in seconds.
  package var tick = 0.001
  /// The interval between two requests of a burst, in seconds.
  package var spacing: Double
  /// The posterior at which the algorithm counts as known.
  package var confidence: Double

  package init(
    maxRequests: Int = 5000, time: Duration = .seconds(600), declared: LimitPolicy? = nil,
    dimensions: [ProbeDimension] = [], triesInvalid: Bool = false, triesRace: Bool = false,
    spacing: Double = 0.001, confidence: Double = 0.99
  ) {
    self.maxRequests = maxRequests
    self.time = time
    self.declared = declared
    self.dimensions = dimensions
    self.triesInvalid = triesInvalid
    self.triesRace = triesRace
    self.spacing = spacing
    self.confidence = confidence
  }
}
