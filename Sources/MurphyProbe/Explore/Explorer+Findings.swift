import MurphyEngine
import MurphyHTTP
import MurphyModel
import MurphySchema

extension Explorer {
  /// The report of a confirmed suspicion.
  ///
  /// - Parameters:
  ///   - original: the case before it was reduced.
  ///   - name: of the work that showed it.
  func found(
    _ suspicion: Suspicion, _ one: ExploreCase, _ performed: [CaseRunner.Performed], original: ExploreCase, name: String
  ) -> ExploreState.Found {
    var details = suspicion.details
    if one.steps != original.steps {
      details.append("Murphy removed parts of the request that the finding does not need.")
    }
    if performed.count > 1 {
      let before = performed.dropLast().map { "\(id($0.call)) (\($0.status))" }
      details.append("Earlier requests: \(before.joined(separator: ", ")).")
    }
    if let last = performed.last, last.isSuccess, ["POST", "PUT"].contains(last.request.method), last.isFresh {
      let places = last.prepared.repeatedPlaces.map(\.description).sorted().joined(separator: ", ")
      if !places.isEmpty {
        details.append(
          "The command sends the same \(places) as explore did. If the API accepts a value only once, change the "
            + "value.")
      }
    }
    var finding = Finding(
      kind: suspicion.kind, severity: suspicion.severity, operation: id(one.call),
      message: setting.mask.masked(sentence: suspicion.message), details: details.map(setting.mask.masked(sentence:)),
      firstSeen: performed.last?.sent ?? .zero, lastSeen: performed.last?.sent ?? .zero,
      discriminator: ExploreState.Claim(suspicion, one.call.operation).text)
    finding.cause = suspicion.shared
    let status = performed.last?.status ?? 0
    let requests = board.explaining(performed.map(\.prepared), status: status)
    finding.evidence = Evidence()
    finding.evidence?.exchange = performed.last.map(exchange)
    finding.evidence?.curl = CaseScript(origin: runner.client.origin, setting: setting, callers: board.callers)
      .text(requests, status: status)
    return ExploreState.Found(finding: finding, steps: requests.map(\.call), name: name)
  }

  func id(_ call: ExploreCall) -> String { setting.contract.operations[call.operation].id }

  private func exchange(_ performed: CaseRunner.Performed) -> Exchange {
    let origin = runner.client.origin
    let response = try? performed.ending.get()
    var exchange = Exchange(
      method: performed.request.method, url: origin.text + performed.request.target,
      requestHeaders: [HeaderField("Host", origin.authority)] + performed.request.headers
        + (performed.prepared.cookies.map { [HeaderField("Cookie", $0.field)] } ?? []),
      requestBody: performed.request.body.map { String(decoding: $0.prefix(Self.mostShown), as: UTF8.self) },
      status: response?.status, responseHeaders: response?.headers ?? [],
      responseBody: response.flatMap { $0.body.isEmpty ? nil : String(decoding: $0.body, as: UTF8.self) },
      responseSize: response?.body.count ?? 0, sent: performed.sent, took: performed.took)
    exchange.recordTrace(performed.trace)
    exchange = setting.mask.masked(exchange)
    exchange.responseBody = exchange.responseBody.map {
      String(decoding: $0.utf8.prefix(Self.mostShown), as: UTF8.self)
    }
    return exchange
  }

  /// The maximum number of bytes of a body in a report.
  private static let mostShown = 4_096
}

struct Sightings {
  private(set) var count = 0
  /// Nil if no time is known.
  private(set) var first: Duration?
  private(set) var last = Duration.zero

  /// - Parameter moment: since the run's start; nil if not known.
  mutating func add(at moment: Duration?) {
    count += 1
    guard let moment else { return }
    (first, last) = (min(first ?? moment, moment), max(last, moment))
  }
}

/// The findings, and the scripts that reproduce them.
extension ExploreState {
  /// The properties that distinguish findings.
  struct Claim: Hashable {
    var kind: FindingKind
    var operation: Int
    var cause: String
    var failure: Suspicion.Failure?

    init(_ suspicion: Suspicion, _ operation: Int) {
      (kind, self.operation) = (suspicion.kind, operation)
      (cause, failure) = (suspicion.cause, suspicion.failure)
    }

    init(kind: FindingKind, operation: Int, cause: String) {
      (self.kind, self.operation, self.cause) = (kind, operation, cause)
    }

    /// Equal for equal claims of one kind and operation.
    var text: String { failure.map { "\(cause) \($0.text)" } ?? cause }
  }

  /// True if no other user checks this suspicion.
  ///
  /// - Parameters:
  ///   - parts: causes, each of which alone would explain it.
  ///   - moment: the time at which it was seen.
  func claim(_ claim: Claim, parts: [String], at moment: Duration?) -> Bool {
    state.withLock { state in
      let alone = state.claimed.keys.first { known in
        known.kind == claim.kind && known.operation == claim.operation
          && parts.contains { known.text.hasPrefix($0 + " ") }
      }
      if let alone, alone != claim {
        state.claimed[alone, default: Sightings()].add(at: moment)
        return false
      }
      state.claimed[claim, default: Sightings()].add(at: moment)
      return state.claimed[claim]?.count == 1 && !state.isOfThePlainRequest(claim)
    }
  }

  /// True if a user has checked this suspicion, or checks it.
  func isClaimed(_ claim: Claim) -> Bool {
    state.withLock { $0.claimed[claim] != nil || $0.isOfThePlainRequest(claim) }
  }

  /// - Parameter response: equal for equal responses. Only the first few findings of an operation with one response
  ///   are reported.
  func confirm(_ claim: Claim, _ found: Found, response: String) {
    state.withLock { state in
      let key = "\(claim.kind.rawValue) \(claim.operation) \(response)"
      if !response.isEmpty {
        state.alike[key, default: []].append(claim)
        if let first = state.alike[key]?.first, (state.alike[key]?.count ?? 0) > Self.mostAlike {
          state.claimed[first, default: Sightings()].add(at: found.finding.lastSeen)
          return
        }
      }
      state.found[claim] = found
    }
  }

  /// The maximum number of findings with the same response of one operation.
  private static let mostAlike = 3

  /// It was not reproduced: other users may check the next of its kind.
  ///
  /// - Parameter isRepeated: false if it could not be repeated.
  func drop(_ claim: Claim, isRepeated: Bool = true) {
    state.withLock { state in
      if isRepeated { state.unrepeated += 1 }
      // Two attempts are enough.
      if (state.claimed[claim]?.count ?? 0) <= 2 { state.claimed[claim] = nil }
    }
  }

  /// The reproduced suspicions, in the order in which they were first seen, each with its number of occurrences.
  package var found: [Found] {
    state.withLock { state in
      state.found.filter { !state.isOfThePlainRequest($0.key) }.map { claim, found in
        var found = found
        let seen = state.claimed[claim] ?? Sightings()
        found.finding.count = max(seen.count, 1)
        found.finding.firstSeen = min(found.finding.firstSeen, seen.first ?? found.finding.firstSeen)
        found.finding.lastSeen = max(found.finding.lastSeen, seen.last)
        return found
      }.sorted { ($0.finding.firstSeen, $0.finding.message) < ($1.finding.firstSeen, $1.finding.message) }
    }
  }

  /// The number of suspicions that were not reproduced.
  package var unrepeated: Int { state.withLock { $0.unrepeated } }
  /// The requests, with an earlier request before the last that explains its status, if there was one.
  func explaining(_ requests: [PreparedCall], status: Int) -> [PreparedCall] {
    state.withLock { $0.precedents.explaining(requests, status: status) }
  }

  func keep(_ script: ShellScript, of calls: [ExploreCall]) {
    state.withLock { $0.scripted[script.text] = calls }
  }

  /// The calls in a script of the run's own judges; nil for a script that explore did not write.
  func calls(of script: ShellScript) -> [ExploreCall]? { state.withLock { $0.scripted[script.text] } }
}

/// Successful writes: they may explain the response to a later request.
struct Precedents: Sendable {
  private var writes: [Int: [(sent: PreparedCall, status: Int)]] = [:]
  /// The maximum for one operation.
  private static let most = 40

  mutating func saw(_ performed: CaseRunner.Performed) {
    guard performed.isSuccess, !performed.request.isSafe, performed.call.isPlain, performed.call.caller == .own,
      writes[performed.call.operation, default: []].count < Self.most
    else { return }
    writes[performed.call.operation, default: []].append((performed.prepared, performed.status))
  }

  /// The requests, with an earlier request before the last that explains its status. It is the same request with
  /// another response, or for a conflict the request with the most equal values. A server without either of them would
  /// respond differently to the last request alone.
  func explaining(_ requests: [PreparedCall], status: Int) -> [PreparedCall] {
    guard let last = requests.last, let before = precedent(of: last, status) else { return requests }
    var literal = before
    (literal.call.body, literal.call.fresh, literal.call.references) = (before.body, [:], [:])
    return requests.dropLast() + [literal, last]
  }

  private func precedent(of last: PreparedCall, _ status: Int) -> PreparedCall? {
    // Values from earlier responses are taken from those of the last request's own case.
    let known = writes[last.call.operation, default: []].filter {
      $0.sent.call.path == last.call.path && $0.sent.call.query == last.call.query
        && $0.sent.call.headers == last.call.headers
    }
    let same = known.first {
      $0.sent.request.target == last.request.target && $0.sent.request.body == last.request.body && $0.status != status
    }
    if let same { return same.sent }
    guard status == 409, let body = last.body else { return nil }
    let shared = known.map { (sent: $0.sent, count: Self.sharedTexts($0.sent.body, body)) }
    return shared.max { $0.count < $1.count }.flatMap { $0.count > 0 ? $0.sent : nil }
  }

  private static func sharedTexts(_ one: JSONValue?, _ other: JSONValue) -> Int {
    guard case .object(let left)? = one, case .object(let right) = other else { return 0 }
    return left.members.count { $0.value.string != nil && right[$0.key] == $0.value }
  }
}
