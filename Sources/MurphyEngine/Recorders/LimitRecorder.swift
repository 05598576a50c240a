import MurphyContract
import MurphyHTTP
import MurphyModel
import MurphyScenario

/// Keeps the limit log of one loop: small entries, texts once.
struct LimitRecorder {
  let context: RunContext
  private(set) var log: LimitLog
  private var isLogged: [Bool]
  private var identities: [ClientIdentity: UInt32] = [:]
  private var bodies: [String: Int32] = [:]
  private var table = RequestTable()
  private let bound: LimitLog.Bound
  /// The fields that tell rejections, in lower case.
  private let rejectionHeaders: [String]
  /// What the observations of the log were sent as, without the headers that identities hold. Unmasked.
  var requests: [HTTPRequest] { table.requests }
  /// Bytes of a refusal's body that are kept.
  private static let bodyLimit = 300

  init(context: RunContext) {
    self.context = context
    isLogged = context.limits.isLogged
    bound = context.options.limitBound.share(of: context.loops)
    rejectionHeaders = context.rejections.headers
    log = LimitLog(start: context.start)
    log.operations = context.contract.operations.map(\.id)
  }

  /// The number of who sends a request: by source address and the headers that policies count by, as they are sent.
  ///
  /// - Parameters:
  ///   - unique: which of the values were drawn in this run.
  ///   - last: the user's identity so far; most requests have the same.
  mutating func identity(
    sourceAddress: String, headers: [HeaderField], unique: UniqueValues, last: inout KnownIdentity?
  ) -> UInt32 {
    if let last, last.sends(headers, interest: context.limits) { return last.number }
    // Nothing more is kept: nobody asks who it was.
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

  /// Who a user was in its last request, so that the next one need not look it up.
  struct KnownIdentity {
    let number: UInt32
    /// As sent, those that policies count by.
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

  mutating func record(
    _ operation: Int, _ transfer: Transfer, _ request: HTTPRequest, identity: UInt32, isRejected: Bool
  ) {
    isLogged[operation] = true
    guard !log.isFull(bound) else { return log.leaveOut(sent: transfer.lastSent) }
    var observation = LimitObservation(
      operation: UInt32(operation), identity: identity, sent: transfer.lastSent, answered: nil, status: 0,
      request: keep(request))
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

  /// An earlier sending of a request that was sent again: whether the server counted it is not known.
  mutating func record(lost attempt: LostAttempt, _ operation: Int, _ request: HTTPRequest, identity: UInt32) {
    guard isLogged[operation] else { return }
    guard !log.isFull(bound) else { return log.leaveOut(sent: attempt.sent) }
    log.observations.append(
      LimitObservation(
        operation: UInt32(operation), identity: identity, sent: attempt.sent, answered: nil, status: 0,
        request: keep(request)))
  }

  /// The number that a request has in the log; -1 where it has none.
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

/// The different requests that a limit log tells of, each once and without the header fields that say who sent it.
package struct RequestTable: Sendable {
  /// Unmasked; entry `request` of an observation.
  package private(set) var requests: [HTTPRequest] = []
  /// By hash: the newest request that has it.
  private var newest: [Int: Int32] = [:]
  /// Of each request the one before it with the same hash, or -1.
  private var earlier: [Int32] = []
  private var bytes = 0
  private let longestContent: Int
  /// Bytes of all of them together.
  private static let most = 16_000_000

  /// - Parameter longestContent: bytes; a request with longer content is not kept.
  package init(longestContent: Int = 16_384) { self.longestContent = longestContent }

  /// The number of a request; -1 where its content is too long, or where too many are kept already.
  ///
  /// - Parameter isKey: whether a header field of that name says who sent it.
  package mutating func number(of request: HTTPRequest, isKey: (String) -> Bool) -> Int32 {
    // What is not kept need not be looked for.
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

  /// Whether a request is one that was kept, the header fields that say who sent it aside.
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
  /// A request as it was sent, masked; the URL is what follows the target's.
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

/// What the limit log must keep: for which operations, and by which request headers clients are told apart.
struct LimitInterest: Sendable {
  /// By operation: whether every request is logged. Others are logged from their first 429 on.
  let isLogged: [Bool]
  /// Names in lower case, ascending.
  let keyHeaders: [String]

  init(scenario: Scenario, contract: Contract) {
    let policies = scenario.expectations.limits.map(\.policy)
    isLogged = contract.operations.map { operation in
      !operation.documentedLimits.isEmpty || policies.contains { $0.covers(operation.countsAs ?? operation.id) }
    }
    var headers = Set(policies.flatMap(\.key.headerNames))
    for limit in contract.operations.flatMap(\.documentedLimits) { headers.formUnion(limit.key?.headerNames ?? []) }
    headers.insert("authorization")
    for header in scenario.sessions.flatMap(\.client.headers) { headers.insert(header.name.lowercased()) }
    keyHeaders = headers.sorted()
  }

  /// Whether some operation has a limit that is promised or documented.
  var logsAnything: Bool { isLogged.contains(true) }

  func isKey(_ header: String) -> Bool { keyHeaders.contains { header.isSameHeader(as: $0) } }
}
