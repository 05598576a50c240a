/// A declared rate limit: the number of requests, the window, and the key.
package struct LimitPolicy: Sendable, Hashable, Codable {
  /// The source of the declaration.
  package enum Source: String, Sendable, Hashable, Codable { case scenario, contract, headers, probe }

  /// The highest allowance that a declaration may have.
  package static let mostAllowed = 1_000_000_000
  /// Ten years, in seconds.
  package static let longestWindow = Duration.seconds(316_224_000)

  /// The scenario's name for it: an operationId, a group, or `*`.
  package var name: String
  /// The operationIds that share one counter; empty for the whole API.
  package var operations: [String]
  /// The algorithm; `any` if it is not declared.
  package var algorithm: LimitAlgorithm
  /// Requests that a window admits; the burst of a token bucket; the requests that are admitted at the same time.
  package var allowance: Int
  /// True for a limit on requests in flight, which has no window; nil for a limit with a window.
  package private(set) var countsFlights: Bool?
  /// The part of the allowance that a request uses; nil for one.
  package var cost: LimitCost?
  /// The window's length; for a token bucket the time that an empty bucket takes to fill.
  package var window: Duration
  /// Requests with equal values of this key share one counter.
  package var key: LimitKey
  /// The key was not declared: `key` is the usual choice, and no verdict may rest on it where clients differ.
  package var keyIsAssumed = false
  /// The outcomes that use the allowance in addition to admissions.
  package var counts: LimitCounting
  /// A response that matches any of these is a rejection.
  package var refusals: [RefusalRule]
  /// The coarsest step of the limiter's clock, if it is known (`int(time.time())` and Redis `EXPIRE`: 1 s). Nil: every
  /// violation must also hold for a clock as coarse as the window's length allows, at most 1 s.
  package var tick: Duration?
  /// Aligned windows begin at whole multiples of the window since the epoch on the server's clock.
  package var alignedToEpoch: Bool
  /// The place of the declaration: the scenario or the contract.
  package var declaredBy: Source
  /// The aspects that a run must have tested for the policy to pass; nil for the allowance and the window.
  package var tested: [LimitAspect]?

  package init(
    name: String, operations: [String], algorithm: LimitAlgorithm = .any, allowance: Int, window: Duration,
    key: LimitKey, counts: LimitCounting = LimitCounting(), refusals: [RefusalRule] = [.tooManyRequests],
    tick: Duration? = nil, alignedToEpoch: Bool = false, declaredBy: Source = .scenario
  ) {
    self.name = name
    self.operations = operations
    self.algorithm = algorithm
    self.allowance = allowance
    self.window = window
    self.key = key
    self.counts = counts
    self.refusals = refusals
    self.tick = tick
    self.alignedToEpoch = alignedToEpoch
    self.declaredBy = declaredBy
  }

  /// A token bucket: `burst` at once, `rate` in the long run.
  package init(
    name: String, operations: [String], rate: Rate, burst: Int, key: LimitKey, counts: LimitCounting = LimitCounting(),
    refusals: [RefusalRule] = [.tooManyRequests], tick: Duration? = nil, declaredBy: Source = .scenario
  ) {
    self.init(
      name: name, operations: operations, algorithm: .tokenBucket, allowance: burst,
      window: .saturating(seconds: Double(burst) / rate.perSecond), key: key, counts: counts, refusals: refusals,
      tick: tick,
      declaredBy: declaredBy)
  }

  /// At most `concurrent` requests in flight. Its window has no meaning.
  package init(name: String, operations: [String], concurrent: Int, key: LimitKey, declaredBy: Source = .scenario) {
    self.init(
      name: name, operations: operations, allowance: concurrent, window: .seconds(1), key: key, declaredBy: declaredBy)
    countsFlights = true
  }

  /// True for a limit on requests in flight.
  package var isConcurrent: Bool { countsFlights == true }

  /// True if each request counts as one in a window.
  package var countsRequests: Bool { !isConcurrent && cost == nil }

  /// True if the policy passes only after a test of this aspect.
  package func requires(_ aspect: LimitAspect) -> Bool { tested?.contains(aspect) ?? aspect.isUsual }

  /// Allowance divided by window.
  package var rate: Rate { Rate(perSecond: Double(allowance) / window.inSeconds) }

  /// `30 per 60 s, fixed window, key x-device-id`; `burst 30 at 0.5/s, token bucket, key address`
  package var text: String { text(rate: rate.text, window: window.text) }

  /// The same in the notation of scenarios. It is a part of fingerprints, so it never changes.
  package var notation: String {
    let seconds = window.inSeconds
    let isShort = seconds <= 120 && seconds == seconds.rounded()
    return text(rate: rate.notation, window: isShort ? "\(Int(seconds))s" : window.notation)
  }

  private func text(rate: String, window: String) -> String {
    if isConcurrent { return "\(allowance) at the same time, key \(key.text)" }
    let amount = algorithm == .tokenBucket ? "burst \(allowance) at \(rate)" : "\(allowance) per \(window)"
    let costs = cost.map { ", cost \($0.text)" } ?? ""
    return "\(amount), \(algorithm.text), key \(keyIsAssumed ? "not stated" : key.text)\(costs)"
  }

  /// True if the policy classifies a logged response as a rejection.
  package func rejects(_ observation: LimitObservation, in log: LimitLog) -> Bool {
    let status = Int(observation.status)
    // Such a status is rare, so headers are looked up only for it.
    guard observation.answered != nil, refusals.contains(where: { $0.status == status }) else { return false }
    let headers = observation.headers < 0 ? [] : log.headerSets[Int(observation.headers)]
    return refusals.contains { $0.matches(status: status, headers: headers) }
  }

  /// The methods that a limiter counts for an operation, in an access log and in a configuration. HEAD costs a server as
  /// much as GET, and would bypass the limit.
  package static func countedMethods(of method: String) -> [String] { method == "GET" ? ["GET", "HEAD"] : [method] }

  /// True if requests of the operation are counted.
  package func covers(_ operation: String) -> Bool { operations.isEmpty || operations.contains(operation) }
}

/// The part of a limit's allowance that one request uses, as the scenario writes it.
package struct LimitCost: Sendable, Hashable, Codable {
  /// The highest cost of a request.
  package static let most = 1_000_000_000

  /// The expression, without `${` and `}`. Logged costs have it as their name.
  package var text: String
  /// True if the response contains the cost. The limiter may then count it after it admits the request.
  package var isCountedLate: Bool

  package init(text: String, isCountedLate: Bool) {
    self.text = text
    self.isCountedLate = isCountedLate
  }
}

/// The outcomes that use the allowance, in addition to successful admissions.
package struct LimitCounting: Sendable, Hashable, Codable {
  /// Whether requests with an outcome use the allowance.
  package enum Counted: String, Sendable, Hashable, Codable {
    case yes, no
    /// Not declared: such a request may have counted, so nothing is proven from it.
    case perhaps
  }

  /// Requests that were admitted and then failed: any status from 400 that is not a rejection.
  package var failed: Counted
  /// Requests that the limiter itself rejected.
  package var refused: Counted

  package init(failed: Counted = .perhaps, refused: Counted = .no) {
    self.failed = failed
    self.refused = refused
  }
}

/// A rule that distinguishes a limiter's rejection from every other response.
package struct RefusalRule: Sendable, Hashable, Codable {
  /// The status that a rejection must have.
  package var status: Int
  /// A required header, with this value if it is not empty; the name in lower case.
  package var header: HeaderField?

  package init(status: Int, header: HeaderField? = nil) {
    self.status = status
    self.header = header
  }

  /// RFC 6585 §4.
  package static let tooManyRequests = RefusalRule(status: 429)

  /// True if the response is a rejection under this rule.
  package func matches(status: Int, headers: [HeaderField]) -> Bool {
    guard status == self.status else { return false }
    guard let header else { return true }
    return headers.contains { $0.name == header.name && (header.value.isEmpty || $0.value == header.value) }
  }
}

/// The algorithm of a limiter. The names are those of the scenario language.
package enum LimitAlgorithm: String, Sendable, Codable, Hashable, CaseIterable {
  /// A window begins with the first request that it counts and lasts for the window's length.
  case fixed
  /// Windows follow one another without a gap, independent of requests: every full minute, for example.
  case fixedAligned = "fixed-aligned"
  /// At most the allowance in any interval as long as the window: the limiter records every admission.
  case slidingLog = "sliding-log"
  /// Two aligned counters, the older weighted by the part that the sliding window still covers.
  case slidingCounter = "sliding-counter"
  /// Tokens return at a constant rate into a bucket as large as the burst (also GCRA, leaky bucket as a meter).
  case tokenBucket = "token-bucket"
  /// Not declared: only behaviour that none of the five algorithms allows is a violation.
  case any

  /// The five that can be checked individually.
  package static let concrete: [LimitAlgorithm] = [.fixed, .fixedAligned, .slidingLog, .slidingCounter, .tokenBucket]

  /// The form for use in a sentence.
  package var text: String {
    switch self {
    case .fixed: "fixed window"
    case .fixedAligned: "aligned fixed window"
    case .slidingLog: "sliding log"
    case .slidingCounter: "sliding counter"
    case .tokenBucket: "token bucket"
    case .any: "any algorithm"
    }
  }
}

/// The responses that are rejections by a rate limit: status 429 (RFC 6585 §4), and the `refusals` of limits in the
/// scenario. The only such test while a load runs; a judge uses its policy (`LimitPolicy.rejects`).
package struct RejectionRules: Sendable {
  /// By operation, rejections of another status than 429; usually empty.
  private let others: [[RefusalRule]]
  /// The headers that identify such rejections, in lower case.
  package let headers: [String]

  /// - Parameter operations: by index, the name under which limits count the operation.
  package init(operations: [String], policies: [LimitPolicy]) {
    others = operations.map { name in
      policies.filter { $0.covers(name) }.flatMap(\.refusals).filter { $0 != .tooManyRequests }
    }
    headers = Set(policies.flatMap(\.refusals).compactMap { $0.header?.name }).sorted()
  }

  /// Returns true if a rate limit rejected the operation's request.
  ///
  /// - Parameter headers: the headers of the response, names in lower case; evaluated only if the status alone does not
  ///   decide.
  package func rejects(_ operation: Int, status: Int, headers: @autoclosure () -> [HeaderField]) -> Bool {
    status == 429
      || others[operation].contains { rule in
        rule.status == status && (rule.header == nil || rule.matches(status: status, headers: headers()))
      }
  }
}
