import MurphyHTTP
import MurphyJudge
import MurphyModel

/// The responses of the target to a probe, by kind of request.
package struct ProbeAnswers: Sendable {
  package init() {}

  /// Statuses of the base client's requests.
  package private(set) var base: [Int: Int] = [:]
  /// Statuses of the malformed requests, which the API should reject.
  package private(set) var invalid: [Int: Int] = [:]
  /// Responses with 503 instead of a rejection; 0 once there is a rejection with 429.
  package private(set) var unavailable = 0
  /// True if a request was rejected with 429.
  private(set) var isLimited = false
  /// The minimum number of 503 responses that is reported as rejections.
  package static let fewest = 5
  /// Requests without a response.
  package private(set) var failures = 0
  /// Nil while every request had a response.
  package private(set) var firstFailure: TransportError?

  /// True if a request of the base client succeeded.
  package var wasServed: Bool { base.keys.contains { 200..<300 ~= $0 } }

  /// True if the API rejected every malformed request, after the limiter had admitted it.
  package var invalidWasRefused: Bool { !invalid.isEmpty && invalid.keys.allSatisfy { 400..<500 ~= $0 && $0 != 429 } }

  /// True if the limiter rejected some malformed requests, and all responses to malformed requests were 4xx.
  package var invalidWasLimited: Bool { invalid[429] != nil && invalid.keys.allSatisfy { 400..<500 ~= $0 } }

  /// True if no response was received because no connection could be opened.
  var neverReached: Bool { base.isEmpty && firstFailure?.isUnreachable == true }

  package mutating func recordResponse(_ status: Int, _ request: ProbeRequest, _ decision: MurphyModel.LimitDecision) {
    if request.isInvalid {
      invalid[status, default: 0] += 1
    } else if request.variant == nil {
      base[status, default: 0] += 1
    }
    if status == 503, decision == .refused { unavailable += 1 }
    if status == 429 { (isLimited, unavailable) = (true, 0) }
  }

  mutating func recordFailure(_ error: TransportError) {
    failures += 1
    if firstFailure == nil { firstFailure = error }
  }
}

extension ProbeSubject {
  /// The decision of the limiter, derived from a response.
  ///
  /// After successful requests, a 503 counts as a rejection. Limiters without a configured status respond with it
  /// (nginx). The probe's load is too low to overload a server. If the limiter responds with 429, a 503 is an error.
  package func decision(
    on request: ProbeRequest, status: Int, headers: [HeaderField], answers: ProbeAnswers
  ) -> MurphyModel.LimitDecision {
    if refusals.contains(where: { $0.matches(status: status, headers: headers) }) { return .refused }
    if status == 503, answers.wasServed, !answers.isLimited { return .refused }
    if status == 429 { return .refused }
    // It is unknown if a limiter counts redirected requests: many servers redirect before the limiter.
    if status >= 500 || 300..<400 ~= status { return .unknown }
    // If the API rejects a variation, the response contains no information on the limiter.
    if request.variant != nil, status >= 400 { return .unknown }
    return .admitted
  }
}
