import MurphyModel

/// Observations over many responses: of one loop, or the sum of several.
package struct TrafficObservations: Sendable, Codable {
  /// A rate-limit header that its response does not declare.
  struct Header: Sendable, Codable {
    let operation: Int
    let status: String
    let name: String
    var example: String
    /// Responses with it, out of all responses of its kind.
    var responses: Int
    var of: Int
  }

  /// The timestamp formats of a field in the bodies of an operation.
  struct Timestamp: Sendable, Codable {
    let field: String
    let format: TimestampFormat
    let operation: Int
    var seen: TimestampFormats.Seen
  }

  /// The observations on the objects in the sampled bodies of a media type.
  struct Body: Sendable, Codable {
    let operation: Int
    let status: String
    let range: String
    let source: SourceMark
    var responses: Int
    var properties: [Property]
    /// Objects that have properties and require none, with the number of bodies that had them.
    var looseObjects: [LooseObject]
    /// Undocumented fields, with the number of bodies that had them, out of all examined bodies.
    @Paired var extraFields: [String: Int] = [:]
    var lookedForExtra = 0

    struct Property: Sendable, Codable {
      let pointer: String
      /// Sampled bodies with the property, out of those with its object.
      var present: Int
      var of: Int
    }

    struct LooseObject: Sendable, Codable {
      let pointer: String
      var bodies: Int
    }
  }

  /// A rule of HTTP that an operation's responses violate.
  struct OperationDeviation: Sendable, Codable {
    let operation: Int
    var deviation: ProtocolDeviations.Deviation
  }

  /// The structure of an operation's error response.
  struct ErrorShape: Sendable, Codable {
    let operation: Int
    let shape: ErrorShapes.Shape
    var example: String
  }

  var headers: [Header] = []
  var deviations: [OperationDeviation] = []
  var hasDates = false
  /// By operation: documented statuses that were received, and query parameters that no request had.
  var receivedStatuses: [Int: Set<String>] = [:]
  var unused: [Int: [String]] = [:]
  /// Responses by operation, of any status.
  var responses: [Int: Int] = [:]
  var shapes: [ErrorShape] = []
  var timestamps: [Timestamp] = []
  /// In the contract's order, which is the same for all judges of a contract.
  var bodies: [Body] = []

  /// No observations yet.
  package init() {}

  /// Adds the observations of another judge of the same contract. The order of merges affects only the order of lists.
  package mutating func merge(_ other: TrafficObservations) {
    headers.merge(other.headers) {
      $0.operation == $1.operation && $0.status == $1.status && $0.name.lowercased() == $1.name.lowercased()
    } adding: {
      $0.responses += $1.responses
      $0.of += $1.of
      $0.example = min($0.example, $1.example)
    }
    hasDates = hasDates || other.hasDates
    deviations.merge(other.deviations) {
      $0.operation == $1.operation && $0.deviation.rule == $1.deviation.rule
        && $0.deviation.status == $1.deviation.status
    } adding: {
      $0.deviation.responses += $1.deviation.responses
      $0.deviation.example = min($0.deviation.example, $1.deviation.example)
    }
    for (operation, statuses) in other.receivedStatuses { receivedStatuses[operation, default: []].formUnion(statuses) }
    // A loop without a response of the operation examined none of its requests.
    for (operation, names) in other.unused where other.responses[operation, default: 0] > 0 {
      let isFirst = responses[operation, default: 0] == 0
      unused[operation] = isFirst ? names : (unused[operation] ?? []).filter(names.contains)
    }
    for (operation, responses) in other.responses { self.responses[operation, default: 0] += responses }
    shapes.merge(other.shapes) {
      $0.operation == $1.operation && $0.shape == $1.shape
    } adding: {
      $0.example = min($0.example, $1.example)
    }
    timestamps.merge(other.timestamps) {
      $0.operation == $1.operation && $0.field == $1.field && $0.format == $1.format
        && $0.seen.pointer == $1.seen.pointer
    } adding: {
      $0.seen.example = min($0.seen.example, $1.seen.example)
    }
    guard bodies.count == other.bodies.count else {
      if bodies.isEmpty { bodies = other.bodies }
      return
    }
    for (index, body) in other.bodies.enumerated() { bodies[index].merge(body) }
  }
}

extension Array {
  /// Merges each element of another list into the matching one, or appends it.
  fileprivate mutating func merge(
    _ others: [Element], alike: (Element, Element) -> Bool, adding add: (inout Element, Element) -> Void
  ) {
    for other in others {
      if let known = firstIndex(where: { alike($0, other) }) { add(&self[known], other) } else { append(other) }
    }
  }
}

extension TrafficObservations {
  /// The same notes with sorted lists, independent of the order of merges.
  var ordered: TrafficObservations {
    var observations = self
    observations.headers.sort { ($0.operation, $0.status, $0.name) < ($1.operation, $1.status, $1.name) }
    observations.deviations.sort {
      ($0.operation, $0.deviation.rule.rawValue, $0.deviation.status) < (
        $1.operation, $1.deviation.rule.rawValue, $1.deviation.status
      )
    }
    observations.shapes.sort {
      ($0.operation, $0.shape.status, $0.shape.form, $0.shape.members.joined(separator: " "))
        < ($1.operation, $1.shape.status, $1.shape.form, $1.shape.members.joined(separator: " "))
    }
    observations.timestamps.sort {
      ($0.operation, $0.field, $0.format, $0.seen.pointer) < ($1.operation, $1.field, $1.format, $1.seen.pointer)
    }
    return observations
  }
}

extension TrafficObservations {
  /// True if all operation indices are below `count`.
  package func fits(operations count: Int) -> Bool {
    let named =
      [headers.map(\.operation), deviations.map(\.operation), shapes.map(\.operation), timestamps.map(\.operation)]
      .joined()
    let others = [bodies.map(\.operation), Array(receivedStatuses.keys), Array(unused.keys), Array(responses.keys)]
      .joined()
    return named.allSatisfy { 0..<count ~= $0 } && others.allSatisfy { 0..<count ~= $0 }
  }
}

extension TrafficObservations.Body {
  fileprivate mutating func merge(_ other: Self) {
    responses += other.responses
    for (field, bodies) in other.extraFields { extraFields[field, default: 0] += bodies }
    lookedForExtra += other.lookedForExtra
    for (index, property) in other.properties.enumerated() where properties.indices.contains(index) {
      properties[index].present += property.present
      properties[index].of += property.of
    }
    for (index, object) in other.looseObjects.enumerated() where looseObjects.indices.contains(index) {
      looseObjects[index].bodies += object.bodies
    }
  }
}

extension ResponseJudge {
  /// The observations of this judge over many responses.
  package func traffic() -> TrafficObservations {
    var observations = TrafficObservations()
    for (index, slot) in operations.enumerated() {
      observations.deviations += slot.deviations.deviations.map {
        TrafficObservations.OperationDeviation(operation: index, deviation: $0)
      }
      observations.hasDates = observations.hasDates || slot.deviations.hasDates
      observations.responses[index] = slot.deviations.responses
      observations.receivedStatuses[index] = Set(slot.responses.filter { $0.count > 0 }.map(\.status.text))
      observations.unused[index] = slot.parameters.unused
      observations.shapes += slot.errors.shapes.map {
        TrafficObservations.ErrorShape(operation: index, shape: $0.shape, example: $0.example)
      }
      for (status, undocumented) in slot.undocumented {
        observations.headers += undocumented.undeclared.entries.map { entry in
          TrafficObservations.Header(
            operation: index, status: String(status), name: entry.name, example: entry.example,
            responses: entry.responses,
            of: undocumented.count)
        }
      }
      for response in slot.responses {
        let status = response.status.text
        observations.headers += response.undeclared.entries.map { entry in
          TrafficObservations.Header(
            operation: index, status: status, name: entry.name, example: entry.example, responses: entry.responses,
            of: response.count)
        }
        for media in response.media {
          for (field, formats) in media.formats.fields {
            observations.timestamps += formats.map { format, seen in
              TrafficObservations.Timestamp(field: field, format: format, operation: index, seen: seen)
            }
          }
          if media.promise.schema != nil { observations.bodies.append(body(media, index, status)) }
        }
      }
    }
    return observations
  }

  /// Bodies without a catalog were examined all the same, for example if their schema requires all properties.
  private func body(_ media: MediaSlot, _ operation: Int, _ status: String) -> TrafficObservations.Body {
    var properties: [TrafficObservations.Body.Property] = []
    var loose: [TrafficObservations.Body.LooseObject] = []
    if let coverage = media.coverage {
      properties = zip(coverage.catalog.items, coverage.counts).compactMap { item, count in
        item.owner.map { owner in
          TrafficObservations.Body.Property(pointer: item.name, present: count, of: coverage.visits[owner])
        }
      }
      loose = zip(coverage.catalog.nodes, coverage.visits).compactMap { node, bodies in
        node.requiresNothing ? TrafficObservations.Body.LooseObject(pointer: node.place, bodies: bodies) : nil
      }
    }
    return TrafficObservations.Body(
      operation: operation, status: status, range: media.promise.range.text, source: media.promise.source,
      responses: media.count, properties: properties, looseObjects: loose,
      extraFields: media.extraFields, lookedForExtra: media.lookedForExtra)
  }
}

extension TrafficObservations {
  private static let linesShown = 60

  /// One note on operations, statuses and query parameters that are documented and were not exercised by the run.
  /// Anything that was not exercised was not tested.
  func untested(_ contract: Contract) -> [Finding] {
    var operations: [String] = []
    var statuses: [String] = []
    var parameters: [String] = []
    for (index, operation) in contract.operations.enumerated() where operation.isDocumented {
      guard responses[index, default: 0] > 0 else {
        operations.append(operation.id)
        continue
      }
      let seen = receivedStatuses[index] ?? []
      statuses += operation.responses.map(\.status.text).filter { !seen.contains($0) }.map { "\(operation.id) \($0)" }
      parameters += (unused[index] ?? []).map { "\(operation.id) \($0)" }
    }
    let parts = [
      Self.part(operations, "operation", "operations"), Self.part(statuses, "status", "statuses"),
      Self.part(parameters, "query parameter", "query parameters"),
    ].compactMap(\.self)
    guard !parts.isEmpty, operations.count < contract.operations.count else { return [] }
    return [
      Finding(
        kind: .contractNotTested, severity: .note, operation: nil,
        message: "not covered by this run: \(parts.joined(separator: "; "))",
        details: Array(
          (operations.map { "\($0): no request got a response" } + statuses.map { "\($0): no response had this status" }
            + parameters.map { "\($0): no request had this query parameter" }).prefix(Self.linesShown)),
        discriminator: "not tested")
    ]
  }

  /// One note for each response whose bodies have undocumented fields, unless these are rejected anyway.
  func extraFields(_ contract: Contract) -> [Finding] {
    bodies.compactMap { body in
      guard !body.extraFields.isEmpty else { return nil }
      let names = body.extraFields.keys.sorted()
      return Finding(
        kind: .contractExtraField, severity: .note, operation: contract.operations[body.operation].id,
        message: "\(names.count) \(names.count == 1 ? "field" : "fields") of \(body.status) \(body.range) "
          + "\(names.count == 1 ? "is" : "are") not documented by any schema: \(Self.list(names))",
        details: names.prefix(Self.linesShown).map { name in
          "\(name): in \(body.extraFields[name] ?? 0) of \(body.lookedForExtra) inspected responses"
        } + ["`strict: { undocumented-fields: true }` under `expect:` makes undocumented fields errors."],
        discriminator: "extra \(body.status) \(body.range)", evidence: Evidence(source: body.source))
    }
  }

  /// `2 statuses (getLaw 304, getLaw 400)`; nil for an empty list.
  private static func part(_ names: [String], _ one: String, _ many: String) -> String? {
    guard !names.isEmpty else { return nil }
    return "\(names.count) \(names.count == 1 ? one : many) (\(list(names)))"
  }

  /// `a, b, c and 7 more`
  static func list(_ names: [String], most: Int = 6) -> String {
    names.prefix(most).joined(separator: ", ") + (names.count > most ? " and \(names.count - most) more" : "")
  }
}
