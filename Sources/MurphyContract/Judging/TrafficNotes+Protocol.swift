import MurphyModel

extension TrafficNotes {
  private static let linesShown = 40

  /// One finding for each violated rule of HTTP, for all operations.
  func protocolSlips(_ contract: Contract) -> [Finding] {
    let rules = Dictionary(grouping: deviations, by: \.deviation.rule)
    return ProtocolDeviations.Rule.allCases.compactMap { rule in
      // A server without a clock sends no date at all.
      guard rule != .missingDate || hasDates,
        let seen = rules[rule]?.sorted(by: { ($0.operation, $0.deviation.status) < ($1.operation, $1.deviation.status) }
        )
      else { return nil }
      // Requests that deviate from an operation on purpose are counted under that operation.
      let operations = Set(seen.map { contract.owner(of: $0.operation) })
      let only = operations.count == 1 ? operations.first : nil
      let subject = only == nil ? " of \(operations.count) operations" : ""
      let count = seen.reduce(0) { $0 + $1.deviation.answers }
      return Finding(
        kind: rule.kind, operation: only.map { contract.operations[$0].id },
        message: "\(count) response\(count == 1 ? "" : "s")\(subject) \(rule.sentence(isOne: count == 1))",
        details: seen.prefix(Self.linesShown).map { deviation in
          "\(contract.operations[deviation.operation].id) \(deviation.deviation.status): \(deviation.deviation.answers) of \(self.answers[deviation.operation] ?? 0) responses"
            + (deviation.deviation.example.isEmpty ? "" : " (\(deviation.deviation.example))")
        },
        discriminator: rule.kind.name,
        evidence: only.map { Evidence(source: contract.operations[$0].source) })
    }
  }

  /// One note for the run if error responses have no common structure.
  func errorShapes(_ contract: Contract) -> [Finding] {
    let seen = shapes.sorted { ($0.operation, $0.shape.status) < ($1.operation, $1.shape.status) }
    let families = ErrorFamily.families(
      seen.map { ("\(contract.operations[$0.operation].id) \($0.shape.status)", $0.shape) })
    guard families.count > 1 else { return [] }
    return [
      Finding(
        kind: .contractErrorShapes, severity: .note, operation: nil,
        message: "errors come in \(families.count) forms that have no field in common: "
          + families.map {
            "\($0.text) (\($0.places[0])\($0.places.count > 1 ? " and \($0.places.count - 1) more" : ""))"
          }
          .joined(separator: "; "),
        details: families.flatMap { family in family.places.map { "\($0): \(family.text)" } }.prefix(Self.linesShown)
          .map(\.self),
        discriminator: "error shapes")
    ]
  }
}

extension ProtocolDeviations.Rule {
  var kind: FindingKind {
    switch self {
    case .missingAllow: .transportMissingAllow
    case .missingChallenge: .transportMissingChallenge
    case .missingDate: .transportMissingDate
    case .lengthOfNothing: .transportLengthOfNothing
    case .openCredentials: .transportOpenCredentials
    case .unvariedCoding: .transportUnvariedCoding
    case .sharedTag: .transportSharedETag
    case .restlessTag: .transportRestlessETag
    }
  }

  func sentence(isOne: Bool) -> String {
    let have = isOne ? "has" : "have"
    switch self {
    case .missingAllow: return "\(have) status 405 and no Allow header (RFC 9110 §15.5.6 requires it)"
    case .missingChallenge: return "\(have) status 401 and no WWW-Authenticate header (RFC 9110 §15.5.2 requires it)"
    case .missingDate:
      return "\(have) no Date header (RFC 9110 §6.6.1), which caches and clients need to determine their age"
    case .lengthOfNothing: return "\(have) status 204 and a Content-Length header (RFC 9110 §8.6 forbids it)"
    case .openCredentials:
      return
        "\(have) Access-Control-Allow-Origin: * together with Access-Control-Allow-Credentials: true, which browsers refuse for requests with credentials"
    case .unvariedCoding:
      return
        "\(isOne ? "is" : "are") compressed, with no Vary: Accept-Encoding: a cache may send it to clients that did not request it"
    case .sharedTag:
      return
        "\(have) the strong ETag of another content of the same URL (RFC 9110 §8.8.1): the ETag does not distinguish the two"
    case .restlessTag:
      return
        "\(have) another ETag for the same content of the same URL, in a sample of the responses: a cache downloads that content again"
    }
  }
}
