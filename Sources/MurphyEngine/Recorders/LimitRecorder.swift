import MurphyContract
import MurphyHTTP
import MurphyModel
import MurphyScenario

/// Keeps the limit log of one loop: small entries, and each string once.
struct LimitRecorder {
  let context: RunContext
  private(set) var log: LimitLog
  private var isLogged: [Bool]
  private var identities: [ClientIdentity: UInt32] = [:]
  private var bodies: [String: Int32] = [:]
  private var costs: [[String: Int]: Int32] = [:]
  private var table = RequestTable()
  private let bound: LimitLog.Bound
  /// The headers that identify rejections, in lower case.
  private let rejectionHeaders: [String]
  /// The requests of the observations in the log, without the headers that identities contain. Unmasked.
  var requests: [HTTPRequest] { table.requests }
  /// The number of bytes that are kept of the body of a rejection.
  private static let bodyLimit = 300

  init(context: RunContext) {
    self.context = context
    isLogged = context.limits.isLogged
    bound = context.options.limitBound.share(of: context.loops)
    rejectionHeaders = context.rejections.headers
    log = LimitLog(start: context.start)
    log.operations = context.contract.operations.map(\.id)
  }

  /// The number of a sender: by source address and the headers that policies count by, as they are sent.
  ///
  /// - Parameters:
  ///   - unique: the values that were generated in this run.
  ///   - last: the user's identity so far. Most requests have the same one.
  mutating func identity(
    sourceAddress: String, headers: [HeaderField], unique: UniqueValues, last: inout KnownIdentity?
  ) -> UInt32 {
    if let last, last.sends(headers, interest: context.limits) { return last.number }
    // Nothing more is kept, so the identity is not needed.
    if log.end != nil { return 0 }
    let sent = headers.filter { context.limits.isKey($0.name) }
    let named = sent.map { HeaderField($0.name.lowercased(), $0.value) }.sorted { $0.name < $1.name }
    let fresh = named.filter { unique.isFresh($0.value) }.map(\.name)
    let issued = named.filter { unique.isClaimed(in: $0.value) }.map(\.name)
    let identity = ClientIdentity(sourceAddress: sourceAddress, headers: named, fresh: fresh, issued: issued)
    let number = identities[identity] ?? UInt32(log.identities.count)
    if identities[identity] == nil {
      log.identities.append(identity)
      identities[identity] = number
    }
    last = KnownIdentity(number: number, headers: sent)
    return number
  }

  /// The identity of a user in its last request, so that the next request needs no lookup.
  struct KnownIdentity {
    let number: UInt32
    /// The headers that policies count by, as sent.
    let headers: [HeaderField]

    func sends(_ others: [HeaderField], interest: LimitInterest) -> Bool {
      var next = 0
      for field in others where interest.isKey(field.name) {
        guard next < headers.count, headers[next] == field else { return false }
        next += 1
      }
      return next == headers.count
    }
  }

  func concerns(_ operation: Int, isRejected: Bool) -> Bool { isLogged[operation] || isRejected }

  /// - Parameter body: the body of the response, for costs.
  mutating func record(
    _ operation: Int, _ transfer: Transfer, _ request: HTTPRequest, identity: UInt32, isRejected: Bool,
    body: @autoclosure () -> ResponseBody
  ) {
    isLogged[operation] = true
    guard !log.isFull(bound) else { return log.leaveOut(sent: transfer.lastSent) }
    var observation = LimitObservation(
      operation: UInt32(operation), identity: identity, sent: transfer.lastSent, answered: nil, status: 0,
      request: keep(request))
    if let costs = context.limits.costs, costs.concerns(operation) {
      var answer: LastAnswer?
      if case .answered = transfer.ending { answer = LastAnswer(transfer, body()) }
      observation.costs = keep(costs.costs(of: request, operation, answer))
    }
    if case .answered = transfer.ending {
      observation.answered = transfer.ended
      observation.status = UInt16(clamping: transfer.status)
      observation.headers = log.headerSets.number(of: transfer.fields, refused: isRejected, names: rejectionHeaders)
      if isRejected {
        observation.body = keep(String(decoding: transfer.bodyBytes.prefix(Self.bodyLimit), as: UTF8.self))
      }
    }
    log.observations.append(observation)
  }

  /// Records an earlier attempt of a request that was sent again. It is unknown if the server counted it.
  mutating func record(lost attempt: LostAttempt, _ operation: Int, _ request: HTTPRequest, identity: UInt32) {
    guard isLogged[operation] else { return }
    guard !log.isFull(bound) else { return log.leaveOut(sent: attempt.sent) }
    var observation = LimitObservation(
      operation: UInt32(operation), identity: identity, sent: attempt.sent, answered: nil, status: 0,
      request: keep(request))
    if let costs = context.limits.costs, costs.concerns(operation) {
      observation.costs = keep(costs.costs(of: request, operation, nil))
    }
    log.observations.append(observation)
  }

  private mutating func keep(_ charged: [String: Int]) -> Int32 {
    if let known = costs[charged] { return known }
    let number = Int32(log.costs.count)
    log.costs.append(charged)
    costs[charged] = number
    return number
  }

  /// The number of a request in the log; -1 if it has none.
  mutating func keep(_ request: HTTPRequest) -> Int32 {
    table.number(of: request, isKey: context.limits.isKey)
  }

  private mutating func keep(_ body: String) -> Int32 {
    if let known = bodies[body] { return known }
    let number = Int32(log.bodies.count)
    log.bodies.append(body)
    bodies[body] = number
    return number
  }
}

/// The different requests of a limit log, each once and without the headers that identify the sender.
package struct RequestTable: Sendable {
  /// Unmasked. An observation refers to its entry with `request`.
  package private(set) var requests: [HTTPRequest] = []
  /// By hash: the newest request with that hash.
  private var newest: [Int: Int32] = [:]
  /// For each request, the previous one with the same hash, or -1.
  private var earlier: [Int32] = []
  private var bytes = 0
  private let longestContent: Int
  /// The maximum of bytes of all of them together.
  private static let most = 16_000_000

  /// - Parameter longestContent: bytes; a request with longer content is not kept.
  package init(longestContent: Int = 16_384) { self.longestContent = longestContent }

  /// The number of a request; -1 if its content is too long, or if too many are already kept.
  ///
  /// - Parameter isKey: true if a header of that name identifies the sender.
  package mutating func number(of request: HTTPRequest, isKey: (String) -> Bool) -> Int32 {
    // A request that is not kept needs no lookup.
    guard request.body?.count ?? 0 <= longestContent else { return -1 }
    var hasher = Hasher()
    hasher.combine(request.method)
    hasher.combine(request.target)
    hasher.combine(request.body)
    for field in request.headers where !isKey(field.name) { hasher.combine(field) }
    let hash = hasher.finalize()
    let first = newest[hash] ?? -1
    var candidate = first
    while candidate >= 0 {
      if isSame(requests[Int(candidate)], request, isKey) { return candidate }
      candidate = earlier[Int(candidate)]
    }
    let content = request.body?.count ?? 0
    let size = request.target.utf8.count + content + 200
    guard content <= longestContent, bytes + size <= Self.most else { return -1 }
    bytes += size
    let number = Int32(requests.count)
    requests.append(
      HTTPRequest(
        method: request.method, target: request.target, headers: request.headers.filter { !isKey($0.name) },
        body: request.body, content: request.content))
    newest[hash] = number
    earlier.append(first)
    return number
  }

  /// True if a request equals one that was kept, without the headers that identify the sender.
  private func isSame(_ kept: HTTPRequest, _ request: HTTPRequest, _ isKey: (String) -> Bool) -> Bool {
    guard kept.target == request.target, kept.method == request.method, kept.body == request.body else { return false }
    var next = 0
    for field in request.headers where !isKey(field.name) {
      guard next < kept.headers.count, kept.headers[next] == field else { return false }
      next += 1
    }
    return next == kept.headers.count
  }
}

extension CurlRequest {
  /// A request as it was sent, masked. The URL is the part after the target's URL.
  package init(_ request: HTTPRequest, _ mask: SecretMask, _ options: TransportOptions) {
    self.init(
      method: request.method, url: mask.word(request.target),
      headers: request.headers.map { Field($0.name, mask.word($0)) },
      body: request.content == nil ? request.body.map(mask.word) : nil,
      authorities: options.authorities, checksCertificates: options.checksCertificates)
    certificate = options.certificate
    codings = options.codings
    upload = request.content.map { CurlUpload($0, word: mask.word) }
  }
}

/// The contents that the limit log must keep: the operations, and the request headers that distinguish clients.
struct LimitInterest: Sendable {
  /// By operation: true if every request is logged. Others are logged from their first 429 on.
  let isLogged: [Bool]
  /// By operation: the number of connections over which a user spreads its requests; empty without a limit that counts
  /// requests. Separate counters of workers or of connections are invisible to a user with a single connection. All of
  /// four connections reach the same one of two workers for one user in eight, and no run has only one user that
  /// exceeds a quota.
  let widths: [Int]
  /// Names in lower case, ascending.
  let keyHeaders: [String]
  /// The costs of requests; nil if no limit declares one.
  let costs: LimitCosts?

  init(scenario: Scenario, contract: Contract) {
    let policies = scenario.expectations.limits.map(\.policy)
    isLogged = contract.operations.map { operation in
      !operation.documentedLimits.isEmpty || policies.contains { $0.covers(operation.countsAs ?? operation.id) }
    }
    let isCounted = contract.operations.map { operation in
      operation.documentedLimits.contains { $0.allow != nil && $0.per != nil }
        || policies.contains { !$0.isConcurrent && $0.covers(operation.countsAs ?? operation.id) }
    }
    widths = isCounted.contains(true) ? isCounted.map { $0 ? 4 : 1 } : []
    costs = LimitCosts(scenario.expectations.limits, contract)
    var headers = Set(policies.flatMap(\.key.headerNames))
    for limit in contract.operations.flatMap(\.documentedLimits) { headers.formUnion(limit.key?.headerNames ?? []) }
    headers.insert("authorization")
    for header in scenario.sessions.flatMap(\.client.headers) { headers.insert(header.name.lowercased()) }
    keyHeaders = headers.sorted()
  }

  /// Returns true if the user of an arrival spreads its requests. Closed connections occupy ports of this machine for a
  /// minute, so of many users only a part opens more of them.
  func spreads(_ arrival: Arrival) -> Bool { !widths.isEmpty && (arrival.user < 1_000 || arrival.user % 16 == 0) }

  /// True if some operation has a declared or documented limit.
  var logsAnything: Bool { isLogged.contains(true) }

  func isKey(_ header: String) -> Bool { keyHeaders.contains { header.isSameHeader(as: $0) } }
}

/// Keeps, for the limit judge, the values of one loop that responses issued and sessions saved.
struct IssueRecorder {
  private(set) var issues: [IssuedValue] = []
  /// True if some values were not kept, so that no conclusion on any value is possible.
  private(set) var isFull = false
  /// About 30 MB.
  private static let most = 100_000

  /// Records a string that a session saved from a response with status 2xx to a request that is not safe. What a GET
  /// finds existed before.
  ///
  /// - Parameters:
  ///   - sentCookies: true if the jar added cookies to the request.
  ///   - keep: gives the number of a request in the limit log.
  mutating func recordSaved(
    _ value: String, of save: Save, _ request: PreparedRequest, _ transfer: Transfer, sourceAddress: String?,
    sentCookies: Bool, unique: UniqueValues, keep: (HTTPRequest) -> Int32
  ) {
    guard (200..<300).contains(transfer.status), !request.http.isSafe,
      value.utf8.count >= UniqueValues.shortestString
    else { return }
    guard issues.count < Self.most else {
      isFull = true
      return
    }
    var issue = IssuedValue(
      value: value, issuer: "\(request.operation) \(save.source.key)\(save.pattern.map { " \($0.source)" } ?? "")",
      request: sentCookies ? "" : Self.text(request.http, sourceAddress, unique), sent: transfer.sent,
      answered: transfer.ended)
    if !sentCookies, save.pattern == nil, let place = save.source.scriptPlace {
      issue.login = keep(request.http)
      issue.place = place
    }
    issues.append(issue)
  }

  private static func text(_ request: HTTPRequest, _ sourceAddress: String?, _ unique: UniqueValues) -> String {
    let fields = request.headers.flatMap { [$0.name.lowercased(), unique.withoutDrawn($0.value)] }
    let body = request.body.map { unique.withoutDrawn(String(decoding: $0, as: UTF8.self)) } ?? ""
    return Finding.fingerprint(
      of: [request.method, unique.withoutDrawn(request.target), sourceAddress ?? "", body] + fields)
  }
}

extension Save.Source {
  /// Equal for equal sources.
  fileprivate var key: String { if case .header = self { place.lowercased() } else { place } }

  /// Nil where no script can find it.
  fileprivate var scriptPlace: IssuedValue.Place? {
    switch self {
    case .body(let path): path.isSingular ? path.filter.map { .body(filter: $0) } : nil
    case .header(let name): .header(name)
    case .status, .text, .cookie, .link: nil
    }
  }
}
