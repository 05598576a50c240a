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
