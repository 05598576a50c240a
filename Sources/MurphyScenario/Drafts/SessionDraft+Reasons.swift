import MurphyContract
import MurphyModel

/// The reasons why an operation has no step.
extension SessionDraft {
  func reason(_ operation: Int) -> LeftOut.Reason {
    // The calm run had no step for an operation without a source for each path parameter.
    let isComplete = !(sources[operation] ?? []).contains { $0 == nil }
    return measured.unreached.contains(id(operation)) && isComplete ? .always(unreached(operation)) : missing(operation)
  }

  /// The reason why the draft cannot give the operation its inputs.
  func missing(_ operation: Int) -> LeftOut.Reason {
    let unknown = zip(shape(operation).parameters, sources[operation] ?? []).filter { $0.1 == nil }.map(\.0.name)
    if ownItem(of: operation) != nil { return .unlessNamed(WriteRule.othersItem) }
    if let reference = references[operation]?.first {
      return .unlessNamed(
        "its body contains the id of an item of \(noun(reference.place)) (\(reference.name)), but the session creates "
          + "none")
    }
    guard unknown.isEmpty else {
      return .always(
        "the document has no response and no example with a value of its path parameter "
          + "\(unknown.joined(separator: ", "))"
      )
    }
    let needs = needs(operation)
    if let need = needs.first(where: { !called.contains($0.producer) }) {
      return .always("it needs \(need.parameter) from \(id(need.producer)), which has no step in the session")
    }
    let values = needs.map { "\($0.parameter) from \(id($0.producer))" }.joined(separator: ", ")
    return .always(
      "no step of the session can use all the values that it needs" + (values.isEmpty ? "" : ": \(values)"))
  }

  /// The reason why an operation has no step that only returned statuses without a description; nil for others. The
  /// run would report its status. Missing credentials are left to the user.
  func undescribed(_ operation: Int) -> String? {
    guard !measured.measured.isEmpty, let statuses = measured.refused[id(operation)], !statuses.contains(401) else {
      return nil
    }
    let responses = contract.operations[operation].responses
    let unknown = statuses.filter { status in
      !responses.contains { [.exactly(status), .hundred(status / 100), .any].contains($0.status) }
    }
    guard !unknown.isEmpty else { return nil }
    let excerpt = measured.excerpts[id(operation)].map { ": \($0)" } ?? ""
    return "it returned only \(statuses.map(String.init).joined(separator: ", ")), and the document does not describe "
      + unknown.map(String.init).joined(separator: ", ") + excerpt
  }

  /// The reason why the calm run sent no request of the operation.
  func unreached(_ operation: Int) -> String {
    for (parameter, producer, query) in needs(operation) {
      let subject = "it needs \(parameter) from \(id(producer))"
      if let rejected = rejection(of: producer) { return "\(subject), which \(rejected)" }
      if measured.unreached.contains(id(producer)) { return "\(subject), which the calm run did not call either" }
      // Operations that were sent took a value of the same place.
      guard let query, !isSupplied(producer, query) else { continue }
      if let place = ownItem(of: operation),
        let maker = contract.operations.indices.first(where: { isCreation($0) && shape($0).segments == place }),
        measured.refused[id(maker)] == nil, !measured.unreached.contains(id(maker))
      {
        return "it changes an item, and the document does not name the item that \(id(maker)) creates"
      }
      let maker = contract.operations.indices.first { maker in
        isCreation(maker) && producers.list(at: shape(maker).segments)?.operation == producer
      }
      let rejected = maker.flatMap { maker in
        rejection(of: maker).map { "; \(id(maker)), which creates such items, \($0)" }
      }
      return "\(subject), but no response contained a value at \(query)\(rejected ?? "")"
    }
    return ending.map { "the session ended before this step: \($0)" } ?? "no session of the calm run reached this step"
  }

  /// True if the calm run sent a request with a value of that query.
  private func isSupplied(_ producer: Int, _ query: String) -> Bool {
    sources.contains { operation, sources in
      !measured.unreached.contains(id(operation))
        && sources.contains { source in
          switch source {
          case .list(producer, query)?, .link(producer, query)?: true
          default: false
          }
        }
    }
  }

  /// The operations that supply its inputs: with a query for a value in their responses, or as creations of an item.
  private func needs(_ operation: Int) -> [(parameter: String, producer: Int, query: String?)] {
    let read = zip(shape(operation).parameters, sources[operation] ?? []).compactMap {
      parameter, source -> (parameter: String, producer: Int, query: String?)? in
      switch source {
      case .list(let producer, let query)?, .link(let producer, let query)?: (parameter.name, producer, query)
      case .example?, nil: nil
      }
    }
    let made = ownItems(of: operation).compactMap { place -> (parameter: String, producer: Int, query: String?)? in
      let maker = contract.operations.indices.first { isCreation($0) && shape($0).segments == place }
      return maker.map { (noun(place), $0, nil) }
    }
    return made + read
  }

  /// The statuses of an operation that never succeeded, with the start of a response's body.
  private func rejection(of operation: Int) -> String? {
    guard let statuses = measured.refused[id(operation)] else { return nil }
    let text = "returned only " + statuses.map(String.init).joined(separator: ", ")
    guard Set(statuses).isDisjoint(with: [401]) else {
      let schemes = contract.operations[operation].security.first { !$0.schemes.isEmpty }?.schemes ?? []
      let variables = schemes.compactMap { contract.securitySchemes[$0]?.environmentVariable }
      return text + (variables.isEmpty ? "" : " (credentials: \(variables.joined(separator: ", ")))")
    }
    return text + (measured.excerpts[id(operation)].map { ": \($0)" } ?? "")
  }
}
