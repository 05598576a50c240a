import MurphyHTTP
import MurphyJudge
import MurphyModel

/// What the target answered to a probe, by kind of request.
package struct ProbeAnswers: Sendable {
  package init() {}

  /// Statuses of the base client's requests.
  package private(set) var base: [Int: Int] = [:]
  /// Statuses of those that were meant to be refused as malformed.
  package private(set) var invalid: [Int: Int] = [:]
  /// Responses with 503 in the place of a rejection; 0 once there is a rejection with 429.
  package private(set) var unavailable = 0
  /// Some request was rejected with 429.
  private(set) var isLimited = false
  /// So many 503 in the place of rejections are called so.
  package static let fewest = 5
  package private(set) var failures = 0
  package private(set) var firstFailure: TransportError?

  /// Some request of the base client was served.
  package var wasServed: Bool { base.keys.contains { 200..<300 ~= $0 } }

  /// Every request that was to be malformed was called so, after the limiter had let it through.
  package var invalidWasRefused: Bool { !invalid.isEmpty && invalid.keys.allSatisfy { 400..<500 ~= $0 && $0 != 429 } }

  /// The limiter refused some that were to be malformed, and none was answered otherwise than with 4xx.
  package var invalidWasLimited: Bool { invalid[429] != nil && invalid.keys.allSatisfy { 400..<500 ~= $0 } }

  /// Nothing was ever answered, for want of a connection.
  var neverReached: Bool { base.isEmpty && firstFailure?.isUnreachable == true }

  package mutating func note(_ status: Int, _ request: ProbeRequest, _ decision: MurphyModel.LimitDecision) {
    if request.isInvalid {
      invalid[status, default: 0] += 1
    } else if request.variant == nil {
      base[status, default: 0] += 1
    }
    if status == 503, decision == .refused { unavailable += 1 }
    if status == 429 { (isLimited, unavailable) = (true, 0) }
  }

  mutating func note(_ error: TransportError) {
    failures += 1
    if firstFailure == nil { firstFailure = error }
  }
}

extension ProbeSubject {
  /// What an answer says of the limiter's decision.
  ///
  /// A 503 after requests that were served is taken for a refusal: limiters that were not told another status answer
  /// so (nginx), and the probe is too gentle to overload a server. Of a limiter that answers 429 it is an error.
  package func decision(
    on request: ProbeRequest, status: Int, headers: [HeaderField], answers: ProbeAnswers
  ) -> MurphyModel.LimitDecision {
    if refusals.contains(where: { $0.matches(status: status, headers: headers) }) { return .refused }
    if status == 503, answers.wasServed, !answers.isLimited { return .refused }
    if status == 429 { return .refused }
    // Whether a limiter counts what is redirected is not known: many servers redirect before it.
    if status >= 500 || 300..<400 ~= status { return .unknown }
    // A variation that the API does not know says nothing of the limiter.
    if request.variant != nil, status >= 400 { return .unknown }
    return .admitted
  }
}
