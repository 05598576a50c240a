import MurphyEngine
import MurphyHTTP
import MurphyJudge
import MurphyModel

/// Keeps every request of a probe for the limit judge; texts once.
struct ProbeLog {
  private(set) var log: LimitLog
  private(set) var variants: [ProbeDimension?] = []
  /// What the observations of the log were sent as, without the headers that identities hold. Unmasked.
  var requests: [HTTPRequest] { table.requests }
  private var table = RequestTable(longestContent: .max)
  private let keyHeaders: Set<String>
  private var identities: [ClientIdentity: UInt32] = [:]
  private var bodies: [String: Int32] = [:]
  /// Bytes of a refusal's body that are kept.
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

  /// The number of `value` in `list`, into which it goes when it is new.
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
  /// The log with every request under the client whose counter it took from, as the probe found out.
  ///
  /// What has a counter of its own stays apart where the promised key tells it apart, and is left out where it does not:
  /// the base client's counter knows nothing of it. What does not help, where the dimension is open, and where other limits
  /// may count such requests, an admission may have counted and a refusal says nothing: another limit may have made it.
  ///
  /// - Parameters:
  ///   - variants: of each observation, the dimension in which it differs from the base client's requests.
  ///   - isAlone: whether no other limit counts the same requests.
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
