import MurphyModel

extension TrafficNotes {
  private static let linesShown = 60

  /// One note on what the contract documents and no request or answer of the run showed: operations, statuses and query
  /// parameters. What was not seen was not tested.
  func untested(_ contract: Contract) -> [Finding] {
    var operations: [String] = []
    var statuses: [String] = []
    var parameters: [String] = []
    for (index, operation) in contract.operations.enumerated() where operation.isDocumented {
      guard answers[index, default: 0] > 0 else {
        operations.append(operation.id)
        continue
      }
      let seen = answered[index] ?? []
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
        message: "documented and not tested by this run: \(parts.joined(separator: "; "))",
        details: Array(
          (operations.map { "\($0): no answer" } + statuses.map { "\($0): no answer with this status" }
            + parameters.map { "\($0): no request had this query parameter" }).prefix(Self.linesShown)),
        discriminator: "not tested")
    ]
  }

  /// One note for each response whose bodies have fields that no schema documents, where they are not refused anyway.
  func extraFields(_ contract: Contract) -> [Finding] {
    bodies.compactMap { body in
      guard !body.extraFields.isEmpty else { return nil }
      let names = body.extraFields.keys.sorted()
      let shown = names.prefix(6).joined(separator: ", ") + (names.count > 6 ? " and \(names.count - 6) more" : "")
      return Finding(
        kind: .contractExtraField, severity: .note, operation: contract.operations[body.operation].id,
        message: "\(names.count) \(names.count == 1 ? "field" : "fields") of \(body.status) \(body.range) "
          + "\(names.count == 1 ? "is" : "are") documented by no schema: \(shown)",
        details: names.prefix(Self.linesShown).map { name in
          "\(name): in \(body.extraFields[name] ?? 0) of \(body.lookedForExtra) answers that were looked into"
        } + ["`strict: { undocumented-fields: true }` under `expect:` makes them errors."],
        discriminator: "extra \(body.status) \(body.range)", evidence: Evidence(source: body.source))
    }
  }

  /// `2 statuses (getLaw 304, getLaw 400)`; nil for none.
  private static func part(_ names: [String], _ one: String, _ many: String) -> String? {
    guard !names.isEmpty else { return nil }
    let shown = names.prefix(6).joined(separator: ", ") + (names.count > 6 ? " and \(names.count - 6) more" : "")
    return "\(names.count) \(names.count == 1 ? one : many) (\(shown))"
  }
}
