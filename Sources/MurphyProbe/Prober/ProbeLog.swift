import MurphyEngine
import MurphyHTTP
import MurphyJudge
import MurphyModel

/// Keeps every request of a probe for the limit judge; each string is stored once.
struct ProbeLog {
  private(set) var log: LimitLog
  private(set) var variants: [ProbeDimension?] = []
  /// The HTTP requests of the observations, without the headers that identities contain. Unmasked.
  var requests: [HTTPRequest] { table.requests }
  private var table = RequestTable(longestContent: .max)
  private let keyHeaders: Set<String>
  private var identities: [ClientIdentity: UInt32] = [:]
  private var bodies: [String: Int32] = [:]
  /// The maximum number of bytes kept of a rejection's body.
  private static let bodyLimit = 300

  init(subject: ProbeSubject, start: Instant) {
    log = LimitLog(start: start)
    log.operations = [subject.operation]
    keyHeaders = subject.keyHeaders
  }

  mutating func record(
    _ outgoing: ProbeSubject.Outgoing, _ transfer: Transfer, variant: ProbeDimension?, refused: Bool
  ) {
    variants.append(variant)
    let named = outgoing.http.headers.compactMap { field -> HeaderField? in
      let name = field.name.lowercased()
      return keyHeaders.contains(name) ? HeaderField(name, field.value) : nil
    }
    let identity = ClientIdentity(sourceAddress: outgoing.sourceAddress ?? "", headers: named)
    var observation = LimitObservation(
      operation: 0, identity: intern(identity, in: &identities, of: &log.identities), sent: transfer.sent,
      answered: nil, status: 0, request: table.number(of: outgoing.http) { keyHeaders.contains($0.lowercased()) })
    if case .answered = transfer.ending {
      observation.answered = transfer.ended
      observation.status = UInt16(clamping: transfer.status)
      observation.headers = log.headerSets.number(of: transfer.fields, refused: refused)
      if refused {
        let body = String(decoding: transfer.bodyBytes.prefix(Self.bodyLimit), as: UTF8.self)
        observation.body = intern(body, in: &bodies, of: &log.bodies)
      }
    }
    log.observations.append(observation)
  }

  /// The number of `value` in `list`; a new value is appended.
  private func intern<Value: Hashable, Number: FixedWidthInteger>(
    _ value: Value, in numbers: inout [Value: Number], of list: inout [Value]
  ) -> Number {
    if let known = numbers[value] { return known }
    let number = Number(list.count)
    list.append(value)
    numbers[value] = number
    return number
  }
}

extension LimitLog {
  /// The log with every request assigned to the client whose counter it used, by the result of the probe.
  ///
  /// A request with a counter of its own stays separate if the declared key distinguishes it. Otherwise it is omitted,
  /// because the base client's counter does not include it. In other cases (the variation does not help, the dimension
  /// is undecided, or other limits may count such requests) an admission may have counted. A rejection is then no
  /// evidence: another limit may have caused it.
  ///
  /// - Parameters:
  ///   - variants: the dimension in which each observation differs from the base client's requests.
  ///   - isAlone: true if no other limit counts the same requests.
  func attributed(
    _ variants: [ProbeDimension?], by report: ProbeReport, under key: LimitKey, isAlone: Bool
  ) -> LimitLog {
    guard let base = zip(observations, variants).first(where: { $1 == nil })?.0.identity else { return self }
    let found = Dictionary(report.keys.map { ($0.dimension, $0.separates) }) { $1 }
    let baseValue = key.value(for: identities[Int(base)])
    var log = self
    log.observations = []
    for (var observation, variant) in zip(observations, variants) {
      if let variant {
        if isAlone, found[variant] == true {
          guard key.value(for: identities[Int(observation.identity)]) != baseValue else { continue }
        } else {
          guard observation.status < 400 else { continue }
          observation.identity = base
          (observation.answered, observation.status) = (nil, 0)
        }
      }
      log.observations.append(observation)
    }
    return log
  }
}

/// The responses of the target to a probe, by kind of request.
package struct ProbeResponses: Sendable {
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

  /// The most frequent 4xx or 5xx status of the base client and its number of responses; nil below ten percent. Only
  /// for a log in which no response is a rejection.
  package var likelyRejection: (status: Int, count: Int)? {
    let total = base.values.reduce(0, +)
    let most = base.filter { $0.key >= 400 && $0.key != 429 }.max { ($0.value, $1.key) < ($1.value, $0.key) }
    return most.flatMap { $0.value >= Self.fewest && $0.value * 10 >= total ? ($0.key, $0.value) : nil }
  }

  /// True if the API rejected every malformed request, after the limiter had admitted it.
  package var invalidWasRefused: Bool { !invalid.isEmpty && invalid.keys.allSatisfy { 400..<500 ~= $0 && $0 != 429 } }

  /// True if the limiter rejected some malformed requests, and all responses to malformed requests were 4xx.
  package var invalidWasLimited: Bool { invalid[429] != nil && invalid.keys.allSatisfy { 400..<500 ~= $0 } }

  /// True if no response was received because no connection could be opened.
  var neverReached: Bool { base.isEmpty && firstFailure?.isUnreachable == true }

  package mutating func recordResponse(_ status: Int, _ request: ProbeRequest, _ decision: LimitDecision) {
    if request.isInvalid {
      invalid[status, default: 0] += 1
    } else if request.dimension?.isPlace != true, request.variant == nil {
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
    on request: ProbeRequest, status: Int, headers: [HeaderField], responses: ProbeResponses
  ) -> LimitDecision {
    if refusals.contains(where: { $0.matches(status: status, headers: headers) }) { return .refused }
    if status == 503, responses.wasServed, !responses.isLimited { return .refused }
    if status == 429 { return .refused }
    // It is unknown if a limiter counts redirected requests: many servers redirect before the limiter.
    if status >= 500 || 300..<400 ~= status { return .unknown }
    // The token has expired: the API can reject it before the limiter, or after it.
    if status == 401, responses.wasServed { return .unknown }
    // If the API rejects a variation, the response contains no information on the limiter.
    if request.variant != nil || request.dimension?.isPlace == true, status >= 400 { return .unknown }
    return .admitted
  }
}
