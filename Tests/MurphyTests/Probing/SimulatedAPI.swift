import Murphy
import MurphyHTTP
import MurphyJudge
import MurphyModel
import MurphyServer

/// The reference API's limiters on a virtual clock, probed by the real prober, with the log that its driver would keep.
struct SimulatedAPI: ProbeTarget {
  /// By what the limiter counts, and what is wrong with it.
  struct Behaviour {
    var key: LimitKey
    /// A limiter that believes the first name in `X-Forwarded-For`.
    var believesForwarded = false
    var countsPath = false
    var countsRefused = false
    var countsFailed = false
    /// Two limiters that take turns.
    var isSplit = false
    var isUnlimited = false
    /// Refusals announce so many times the true wait.
    var retryFactor = 1.0
  }

  let behaviour: Behaviour
  let subject: ProbeSubject
  private let limiters: [MurphyServer.Limiter]
  private(set) var log: LimitLog
  private(set) var variants: [ProbeDimension?] = []
  private(set) var responses = ProbeResponses()
  /// What each observation was sent as, without the headers of its identity.
  private(set) var requests: [HTTPRequest] = []
  private var now = 0.0
  private var fresh = 0
  private var turns = 0
  private var random: RandomSource
  private var identities: [ClientIdentity: UInt32] = [:]

  init(_ rule: LimiterRule, _ behaviour: Behaviour, _ subject: ProbeSubject, seed: UInt64) {
    self.behaviour = behaviour
    self.subject = subject
    limiters = (0..<(behaviour.isSplit ? 2 : 1)).map { _ in MurphyServer.Limiter(rule: rule) }
    random = RandomSource(seed: seed)
    log = LimitLog(start: Instant(nanoseconds: 0))
    log.operations = [subject.operation]
  }

  mutating func send(_ volley: ProbeVolley) -> [ProbeObservation] {
    let begin = max(now, volley.at)
    var observations: [ProbeObservation] = []
    var refusals = 0
    for (index, request) in volley.requests.enumerated() {
      if let most = volley.stopsAfterRefusals, refusals >= most { break }
      let sent = begin + Double(index) * volley.spacing
      let decided = sent + 0.0002 + 0.0003 * random.unit()
      let settled = decided + 0.0002 + 0.0003 * random.unit()
      let observation = answer(request, index, sent, decided, settled)
      if observation.decision == .refused { refusals += 1 }
      observations.append(observation)
      now = max(now, settled)
    }
    return observations
  }

  private mutating func answer(
    _ request: ProbeRequest, _ index: Int, _ sent: Double, _ decided: Double, _ settled: Double
  ) -> ProbeObservation {
    if request.variant != nil { fresh += 1 }
    let outgoing = subject.outgoing(request, fresh: fresh)
    let isUncounted = behaviour.isUnlimited || request.isInvalid && !behaviour.countsFailed
    var status = request.isInvalid ? 400 : 200
    var headers: [HeaderField] = []
    if !isUncounted {
      turns += 1
      let (limiter, key, now) = (limiters[turns % limiters.count], counter(of: outgoing), Int64(decided * 1e9))
      var decision = limiter.admit(key, at: now)
      if !decision.isAdmitted, behaviour.countsRefused { decision = limiter.recordRefusal(key, at: now) }
      if !decision.isAdmitted {
        status = 429
        let wait = (Double(decision.wait) * 1e-9 * behaviour.retryFactor).rounded(.up)
        headers = [HeaderField("retry-after", "\(Int(max(wait, 1)))")]
      }
    }
    let decision = subject.decision(on: request, status: status, headers: headers, responses: responses)
    responses.recordResponse(status, request, decision)
    record(outgoing, request, sent, settled, status, headers)
    return ProbeObservation(
      index: index, sent: sent, settled: settled, decision: decision, status: status,
      retryAfter: headers.first.flatMap { Double($0.value) })
  }

  /// The counter that a request is for.
  private func counter(of outgoing: ProbeSubject.Outgoing) -> String {
    func header(_ name: String) -> String {
      outgoing.http.headers.first { $0.name.lowercased() == name }?.value ?? ""
    }
    let forwarded = header("x-forwarded-for")
    if behaviour.believesForwarded, !forwarded.isEmpty { return "forwarded " + forwarded }
    let parts = behaviour.key.parts.map { part in
      switch part {
      case .sourceAddress: outgoing.sourceAddress ?? "127.0.0.1"
      case .token: header("authorization")
      case .header(let name): header(name)
      }
    }
    return parts.joined(separator: "|") + (behaviour.countsPath ? outgoing.http.target : "")
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
      answered: Instant(nanoseconds: Int64(settled * 1e9)), status: UInt16(status), request: Int32(requests.count))
    var sentAs = outgoing.http
    sentAs.headers.removeAll { subject.keyHeaders.contains($0.name.lowercased()) }
    requests.append(sentAs)
    if !headers.isEmpty {
      observation.headers = log.headerSets.number(of: headers)
    }
    log.observations.append(observation)
    variants.append(request.dimension)
  }
}
