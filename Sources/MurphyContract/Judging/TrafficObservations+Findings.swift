import MurphyModel

extension TrafficObservations {
  /// The minimum number of sampled responses with an object before missing properties are reported.
  private static let fewestBodies = 5
  private static let linesShown = 40

  /// Notes and warnings, none of which fails a run. Response values in them are not masked.
  package func findings(_ contract: Contract) -> [Finding] {
    let all = ordered
    return all.undeclaredHeaders(contract) + all.absentProperties(contract) + all.extraFields(contract)
      + all.looseObjects(contract) + all.mixedFormats(contract) + all.protocolDeviations(contract)
      + all.errorShapes(contract) + all.untested(contract)
  }

  /// One finding for each set of headers, for all operations that send it.
  private func undeclaredHeaders(_ contract: Contract) -> [Finding] {
    let responses = Dictionary(grouping: headers) { Response(operation: $0.operation, status: $0.status) }
    let sets = Dictionary(grouping: responses.values) { headers in headers.map { $0.name.lowercased() }.sorted() }
    return sets.sorted { $0.key.joined() < $1.key.joined() }.map { names, responses in
      let responses = responses.sorted { ($0[0].operation, $0[0].status) < ($1[0].operation, $1[0].status) }
      let shown = responses[0].sorted { $0.name.lowercased() < $1.name.lowercased() }
      let count = responses.reduce(0) { sum, headers in sum + (headers.map(\.responses).max() ?? 0) }
      let operations = Set(responses.map { $0[0].operation })
      let only = operations.count == 1 ? operations.first : nil
      let subject = only == nil ? " of \(operations.count) operations" : ""
      return Finding(
        kind: .contractUndeclaredHeader, severity: .warning, operation: only.map { contract.operations[$0].id },
        message:
          "\(count) \(count == 1 ? "response has" : "responses\(subject) have") "
          + "\(shown.map(\.name).joined(separator: ", ")), which the contract does not declare for them "
          + "(\(shown.map { "\($0.name): \($0.example)" }.joined(separator: ", ")))",
        details: responses.prefix(Self.linesShown).map { headers in
          let most = headers.max { $0.responses < $1.responses } ?? headers[0]
          return "\(contract.operations[headers[0].operation].id) \(headers[0].status): "
            + "\(most.responses) of \(most.of) responses"
        }, discriminator: names.joined(separator: " "),
        evidence: only.map { Evidence(source: contract.operations[$0].source) })
    }
  }

  /// One finding for each response with optional properties that no sampled response has.
  private func absentProperties(_ contract: Contract) -> [Finding] {
    bodies.compactMap { body in
      let absent = body.properties.filter { $0.present == 0 && $0.of >= Self.fewestBodies }
      guard let first = absent.first else { return nil }
      let plural = absent.count == 1 ? "property" : "properties"
      return Finding(
        kind: .contractAbsentProperty, severity: body.hasNoneDocumented(absent) ? .error : .note,
        operation: contract.operations[body.operation].id,
        message:
          "\(absent.count) documented \(plural) of \(body.status) \(body.range) \(absent.count == 1 ? "was" : "were") "
          + "not found in any inspected response: \(Self.list(absent.map(\.pointer)))",
        details: absent.prefix(Self.linesShown).map { property in
          "\(property.pointer): in none of \(property.of) responses that contain its object"
        } + [
          "Murphy received \(body.responses) responses. Each loop inspects the first 64 and a sample of the rest."
        ],
        discriminator: "\(body.status) \(body.range) \(first.pointer)", evidence: Evidence(source: body.source))
    }
  }

  /// One finding for the run: all received objects without a required property in the contract.
  private func looseObjects(_ contract: Contract) -> [Finding] {
    let lines = bodies.filter { $0.status.hasPrefix("2") }.compactMap { body -> (line: String, body: Body)? in
      let places = body.looseObjects.filter { $0.bodies > 0 }.map { $0.pointer.isEmpty ? "the body" : $0.pointer }
      guard !places.isEmpty else { return nil }
      return ("\(contract.operations[body.operation].id) \(body.status): \(Self.list(places, most: 8))", body)
    }
    guard let first = lines.first else { return [] }
    let operations = Set(lines.map(\.body.operation))
    let subject = operations.count == 1 ? "" : " of \(operations.count) operations"
    return [
      Finding(
        kind: .contractRequiresNothing, severity: .note,
        operation: operations.count == 1 ? contract.operations[first.body.operation].id : nil,
        message: "objects in the responses\(subject) have only optional properties: a response without any of them "
          + "would conform",
        details: lines.prefix(Self.linesShown).map(\.line)
          + ["List the properties that every response has under `required`. Then murphy detects their absence."],
        discriminator: "requires nothing", evidence: Evidence(source: first.body.source))
    ]
  }

  /// One finding for each field with timestamps in more than one format.
  private func mixedFormats(_ contract: Contract) -> [Finding] {
    let fields = Dictionary(grouping: timestamps, by: \.field)
    return fields.sorted { $0.key < $1.key }.compactMap { field, seen in
      let formats = Dictionary(grouping: seen, by: \.format).sorted { $0.key < $1.key }
      guard formats.count > 1, formats.contains(where: { $0.key < .epochSeconds }) else { return nil }
      let examples = formats.compactMap { _, seen -> String? in
        let first = seen.min { ($0.operation, $0.seen.pointer) < ($1.operation, $1.seen.pointer) }
        return first.map { "`\($0.seen.example)` in \(contract.operations[$0.operation].id)" }
      }
      let lines = formats.flatMap { _, seen in
        Set(seen.map { "\(contract.operations[$0.operation].id) \($0.seen.pointer): \($0.seen.example)" }).sorted()
      }
      return Finding(
        kind: .contractMixedFormat, severity: .warning, operation: nil,
        message:
          "the field \"\(field)\" contains times in \(formats.count) formats: \(examples.joined(separator: ", "))",
        details: Array(lines.prefix(Self.linesShown)), discriminator: "format \(field)")
    }
  }

  private struct Response: Hashable {
    let operation: Int
    let status: String
  }
}

extension TrafficObservations.Body {
  /// True if no response has any of the object's two or more properties, and the objects have other properties.
  fileprivate func hasNoneDocumented(_ absent: [Property]) -> Bool {
    func object(_ property: String) -> Substring {
      property.prefix(upTo: property.lastIndex(of: "/") ?? property.startIndex)
    }
    let owners = Dictionary(grouping: properties) { object($0.pointer) }
    return Set(absent.map { object($0.pointer) }).contains { owner in
      let all = owners[owner] ?? []
      return all.count > 1 && all.allSatisfy { $0.present == 0 } && extraFields.keys.contains { object($0) == owner }
    }
  }
}

extension TrafficObservations {
  /// One finding for each violated rule of HTTP, for all operations.
  func protocolDeviations(_ contract: Contract) -> [Finding] {
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
      let count = seen.reduce(0) { $0 + $1.deviation.responses }
      return Finding(
        kind: rule.kind, operation: only.map { contract.operations[$0].id },
        message: "\(count) response\(count == 1 ? "" : "s")\(subject) \(rule.sentence(isOne: count == 1))",
        details: seen.prefix(Self.linesShown).map { deviation in
          "\(contract.operations[deviation.operation].id) \(deviation.deviation.status): \(deviation.deviation.responses) of \(self.responses[deviation.operation] ?? 0) responses"
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
      seen.map { ("\(contract.operations[$0.operation].id) \($0.shape.status)", $0.shape, $0.example) })
    guard families.count > 1 else { return [] }
    return [
      Finding(
        kind: .contractErrorShapes, severity: .note, operation: nil,
        message: "error responses have \(families.count) forms without a common field: "
          + families.map {
            "\($0.text) (\($0.places[0])\($0.places.count > 1 ? " and \($0.places.count - 1) more" : ""))"
          }
          .joined(separator: "; "),
        details: Array(
          (families.map { "\($0.places[0]): `\($0.example)`" }
            + families.flatMap { family in family.places.map { "\($0): \(family.text)" } }).prefix(Self.linesShown)),
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
        "\(have) Access-Control-Allow-Origin: * and Access-Control-Allow-Credentials: true, which browsers reject for "
        + "requests with credentials"
    case .unvariedCoding:
      return
        "\(isOne ? "is" : "are") compressed, with no Vary: Accept-Encoding: a cache may send it to clients that did not request it"
    case .sharedTag:
      return
        "\(have) the same strong ETag as different content of the same URL (RFC 9110 §8.8.1): the ETag does not "
        + "distinguish the two"
    case .restlessTag:
      return
        "\(have) a different ETag for the same content of the same URL, in a sample of the responses: a cache "
        + "downloads the content again"
    }
  }
}
