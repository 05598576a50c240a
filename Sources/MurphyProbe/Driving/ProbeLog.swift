import MurphyEngine
import MurphyJudge
import MurphyModel
import MurphyTransport

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
