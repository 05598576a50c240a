import Foundation
import MurphyHTTP
import MurphyJudge
import MurphyModel
import MurphyProbe
import Simulation

/// What a simulated API does, whatever is declared of it.
struct LimitTruth: CustomStringConvertible {
  struct Limit: Hashable {
    var algorithm: LimitAlgorithm
    var allowance: Int
    /// Seconds.
    var window: Double
    var key: LimitKey
    var countsRefused = false
    /// Where windows of the clock begin, seconds.
    var phase = 0.0
  }

  var limits: [Limit]
  /// It takes the first name in `X-Forwarded-For` for the address.
  var trustsForwarded = false
  var countsFailed = false
  /// Requests of the base client before the first one that is seen, within the last window.
  var earlier = 0
  /// What responses tell of the limits, honestly; with it rejections have a `Retry-After`.
  var tells = Telling.vendor

  enum Telling: CaseIterable {
    case nothing
    /// `X-RateLimit-*` about the limit that is nearest to rejecting.
    case vendor
    /// draft-ietf-httpapi-ratelimit-headers-10, all limits.
    case standard
    /// The same with the partition key and the unit of each.
    case partitioned
  }

  var description: String {
    let texts = limits.map { limit in
      "\(limit.allowance) per \(limit.window) s, \(limit.algorithm.text), key \(limit.key.text)"
        + (limit.countsRefused ? ", counts rejected" : "")
    }
    return texts.joined(separator: " and ") + (trustsForwarded ? ", X-Forwarded-For" : "")
      + (countsFailed ? ", counts failed" : "") + (earlier > 0 ? ", \(earlier) earlier" : "")
  }

  /// Whether a policy is one of the limits.
  func holds(_ policy: LimitPolicy) -> Bool {
    limits.contains { limit in
      limit.allowance == policy.allowance && abs(limit.window / policy.window.inSeconds - 1) < 0.001
        && (policy.keyIsAssumed || limit.key == policy.key) && !limit.countsRefused
        && (policy.algorithm == .any || policy.algorithm == limit.algorithm)
    } && !trustsForwarded
  }

  /// Whether a policy is the only limit, with nothing that its text does not say.
  func isOnly(_ policy: LimitPolicy) -> Bool { limits.count == 1 && holds(policy) }

  func separates(_ dimension: String) -> (some: Bool, all: Bool) {
    func separates(_ limit: Limit) -> Bool {
      switch ProbeDimension(rawValue: dimension) {
      case .sourceAddress: limit.key.parts.contains(.sourceAddress)
      case .device: limit.key.parts.contains(.header("x-device-id"))
      case .token: limit.key.parts.contains(.token)
      case .forwardedFor: trustsForwarded && limit.key.parts.contains(.sourceAddress)
      default: false
      }
    }
    return (limits.contains(where: separates), limits.allSatisfy(separates))
  }
}

/// An API with some limits at once, on a virtual clock, with the log that a driver would keep.
struct LimitedAPI: ProbeTarget {
  let truth: LimitTruth
  let subject: ProbeSubject
  private(set) var log = LimitLog(start: Instant(nanoseconds: 0))
  private(set) var variants: [ProbeDimension?] = []
  private(set) var responses = ProbeResponses()
  private var states: [[String: LimiterModel]]
  private var identities: [ClientIdentity: UInt32] = [:]
  private var now = 0.0
  private var lastDecision = -1e9
  private var fresh = 0
  private var random: RandomSource

  init(_ truth: LimitTruth, _ subject: ProbeSubject, seed: UInt64) {
    self.truth = truth
    self.subject = subject
    states = Array(repeating: [:], count: truth.limits.count)
    random = RandomSource(seed: seed, stream: 7)
    log.operations = [subject.operation]
    let base = subject.outgoing(.base, fresh: 0)
    let span = truth.limits.map(\.window).max() ?? 1
    for index in 0..<truth.earlier {
      _ = decide(base, at: -span * (0.6 - 0.5 * Double(index) / Double(truth.earlier)))
    }
  }

  mutating func send(_ volley: ProbeVolley) -> [ProbeObservation] {
    let begin = max(now, volley.at)
    var observations: [ProbeObservation] = []
    var refusals = 0
    for (index, request) in volley.requests.enumerated() {
      if let most = volley.stopsAfterRefusals, refusals >= most { break }
      let sent = begin + Double(index) * volley.spacing
      let decided = max(lastDecision + 1e-6, sent + 0.0005 + 0.002 * random.unit())
      lastDecision = decided
      let settled = decided + 0.0005 + 0.002 * random.unit()
      let observation = respond(request, index, sent, decided, settled)
      if observation.decision == .refused { refusals += 1 }
      observations.append(observation)
      now = max(now, settled)
    }
    return observations
  }

  private mutating func respond(
    _ request: ProbeRequest, _ index: Int, _ sent: Double, _ decided: Double, _ settled: Double
  ) -> ProbeObservation {
    if request.variant != nil { fresh += 1 }
    let outgoing = subject.outgoing(request, fresh: fresh)
    var status = request.isInvalid ? 400 : 200
    var headers: [HeaderField] = []
    if !request.isInvalid || truth.countsFailed {
      let (isAdmitted, wait) = decide(outgoing, at: decided)
      if !isAdmitted { status = 429 }
      if truth.tells != .nothing {
        headers = quota(outgoing, at: decided, wait)
        if !isAdmitted { headers.append(HeaderField("retry-after", "\(max(1, Int(wait.rounded(.up))))")) }
      }
    }
    let decision = subject.decision(on: request, status: status, headers: headers, responses: responses)
    responses.recordResponse(status, request, decision)
    record(outgoing, request, sent, settled, status, headers)
    return ProbeObservation(
      index: index, sent: sent, settled: settled, decision: decision, status: status,
      retryAfter: headers.first { $0.name == "retry-after" }.flatMap { Double($0.value) })
  }

  /// Admitted when all limits admit it; then it counts in all of them.
  private mutating func decide(_ outgoing: ProbeSubject.Outgoing, at moment: Double) -> (isAdmitted: Bool, wait: Double)
  {
    var next: [LimiterModel] = []
    var (isAdmitted, wait) = (true, 0.0)
    for (index, limit) in truth.limits.enumerated() {
      let name = counter(of: outgoing, limit)
      var model = states[index][name] ?? model(limit)
      if !model.admits(at: moment) {
        isAdmitted = false
        wait = max(wait, model.release(after: moment) - moment)
        if limit.countsRefused { states[index][name] = model }
      }
      next.append(model)
    }
    guard isAdmitted else { return (false, wait) }
    for (index, limit) in truth.limits.enumerated() { states[index][counter(of: outgoing, limit)] = next[index] }
    return (true, 0)
  }

  private func quota(_ outgoing: ProbeSubject.Outgoing, at moment: Double, _ wait: Double) -> [HeaderField] {
    let left = truth.limits.enumerated().map { index, limit -> (Int, Int) in
      var model = states[index][counter(of: outgoing, limit)] ?? model(limit)
      var remaining = 0
      while remaining < limit.allowance, model.admits(at: moment) { remaining += 1 }
      return (remaining, limit.allowance)
    }
    guard truth.tells == .vendor else { return standard(left.map(\.0), wait) }
    guard let (remaining, limit) = left.min(by: { $0.0 < $1.0 }) else { return [] }
    return [HeaderField("x-ratelimit-limit", "\(limit)"), HeaderField("x-ratelimit-remaining", "\(remaining)")]
  }

  private func standard(_ remaining: [Int], _ wait: Double) -> [HeaderField] {
    let extra = truth.tells == .partitioned ? #";qu="requests";pk=:YWJj:"# : ""
    let policies = truth.limits.enumerated().map { index, limit in
      "\"limit-\(index)\";q=\(limit.allowance);w=\(Int(limit.window))" + extra
    }
    let states = truth.limits.enumerated().map { index, limit in
      let reset = remaining[index] > 0 ? limit.window : max(1, wait.rounded(.up))
      return "\"limit-\(index)\";r=\(remaining[index]);t=\(Int(reset))" + (extra.isEmpty ? "" : ";pk=:YWJj:")
    }
    return [
      HeaderField("ratelimit-policy", policies.joined(separator: ", ")),
      HeaderField("ratelimit", states.joined(separator: ", ")),
    ]
  }

  private func model(_ limit: LimitTruth.Limit) -> LimiterModel {
    LimiterModel(
      limit.algorithm, allowance: limit.allowance, window: limit.window, phase: limit.phase,
      countsRefused: limit.countsRefused)
  }

  private func counter(of outgoing: ProbeSubject.Outgoing, _ limit: LimitTruth.Limit) -> String {
    func header(_ name: String) -> String {
      outgoing.http.headers.first { $0.name.lowercased() == name }?.value ?? ""
    }
    return limit.key.parts.map { part in
      switch part {
      case .sourceAddress:
        truth.trustsForwarded && !header("x-forwarded-for").isEmpty
          ? header("x-forwarded-for") : outgoing.sourceAddress ?? ""
      case .token: header("authorization")
      case .header(let name): header(name)
      }
    }.joined(separator: "|")
  }

  private mutating func record(
    _ outgoing: ProbeSubject.Outgoing, _ request: ProbeRequest, _ sent: Double, _ settled: Double, _ status: Int,
    _ headers: [HeaderField]
  ) {
    let named = outgoing.http.headers.filter { subject.keyHeaders.contains($0.name.lowercased()) }.map {
      HeaderField($0.name.lowercased(), $0.value)
    }
    let identity = ClientIdentity(sourceAddress: outgoing.sourceAddress ?? "", headers: named)
    let number = identities[identity] ?? UInt32(log.identities.count)
    if identities.updateValue(number, forKey: identity) == nil { log.identities.append(identity) }
    var observation = LimitObservation(
      operation: 0, identity: number, sent: Instant(nanoseconds: Int64(sent * 1e9)),
      answered: Instant(nanoseconds: Int64(settled * 1e9)), status: UInt16(status))
    if !headers.isEmpty {
      observation.headers = log.headerSets.number(of: headers)
    }
    log.observations.append(observation)
    variants.append(request.dimension)
  }
}
