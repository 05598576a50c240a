import MurphyModel
import MurphyTransport

/// Keeps the limit log of one loop: small entries, texts once.
struct LimitRecorder {
  private let context: RunContext
  private(set) var log: LimitLog
  private var isLogged: [Bool]
  private var identities: [ClientIdentity: UInt32] = [:]
  private var headerSets: [[HeaderField]: Int32] = [:]
  private var bodies: [String: Int32] = [:]
  /// Bytes of a refusal's body that are kept.
  private static let bodyLimit = 300

  init(context: RunContext) {
    self.context = context
    isLogged = context.limits.isLogged
    log = LimitLog(start: context.start)
    log.operations = context.contract.operations.map(\.id)
  }

  /// The number of a client, by source address and the headers that policies count by.
  mutating func identity(sourceAddress: String, headers: [HeaderField]) -> UInt32 {
    let named = headers.compactMap { field -> HeaderField? in
      let name = field.name.lowercased()
      return context.limits.keyHeaders.contains(name) ? HeaderField(name, field.value) : nil
    }
    let identity = ClientIdentity(sourceAddress: sourceAddress, headers: named)
    if let known = identities[identity] { return known }
    let number = UInt32(log.identities.count)
    log.identities.append(identity)
    identities[identity] = number
    return number
  }

  /// Whether a request of the operation goes into the log when it ended with `status`.
  func concerns(_ operation: Int, status: Int) -> Bool { isLogged[operation] || status == 429 }

  mutating func record(_ operation: Int, _ transfer: Transfer, identity: UInt32) {
    isLogged[operation] = true
    var observation = LimitObservation(
      operation: UInt32(operation), identity: identity, sent: transfer.lastSent, answered: nil, status: 0)
    if case .answered = transfer.ending {
      observation.answered = transfer.ended
      observation.status = UInt16(clamping: transfer.status)
      observation.headers = keep(
        transfer.headers.filter { Self.isLimitHeader($0.name, refused: transfer.status == 429) })
      if transfer.status == 429 {
        observation.body = keep(String(decoding: transfer.bodyBytes.prefix(Self.bodyLimit), as: UTF8.self))
      }
    }
    log.observations.append(observation)
  }

  /// An earlier sending of a request that was sent again: whether the server counted it is not known.
  mutating func record(lost attempt: LostAttempt, _ operation: Int, identity: UInt32) {
    guard isLogged[operation] else { return }
    log.observations.append(
      LimitObservation(operation: UInt32(operation), identity: identity, sent: attempt.sent, answered: nil, status: 0))
  }

  private static func isLimitHeader(_ name: String, refused: Bool) -> Bool {
    if name.contains("ratelimit") || name == "retry-after" { return true }
    return refused && (name == "date" || name == "content-type")
  }

  private mutating func keep(_ headers: [HeaderField]) -> Int32 {
    guard !headers.isEmpty else { return -1 }
    if let known = headerSets[headers] { return known }
    let number = Int32(log.headerSets.count)
    log.headerSets.append(headers)
    headerSets[headers] = number
    return number
  }

  private mutating func keep(_ body: String) -> Int32 {
    if let known = bodies[body] { return known }
    let number = Int32(log.bodies.count)
    log.bodies.append(body)
    bodies[body] = number
    return number
  }
}

extension Transfer {
  /// The answer's header fields, names in lower case. Allocates: for refusals and evidence, not for every answer.
  var headers: [HeaderField] {
    headerBlock.split(separator: UInt8(ascii: "\n")).compactMap { line in
      guard let colon = line.firstIndex(of: UInt8(ascii: ":")) else { return nil }
      let name = String(decoding: line[..<colon], as: UTF8.self).lowercased()
      var value = line[(colon + 1)...]
      while let first = value.first, first == 32 || first == 9 { value = value.dropFirst() }
      while let last = value.last, last == 32 || last == 9 || last == 13 { value = value.dropLast() }
      return HeaderField(name, String(decoding: value, as: UTF8.self))
    }
  }
}
