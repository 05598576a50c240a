import MurphyModel

/// The relations between requests and responses of a contract, with reasons: derived from names and shapes only.
///
/// Uncertain relations are omitted (docs/relations.md, "What is recognised").
package struct ContractRelations: Sendable {
  package private(set) var collections: [CollectionShape] = []
  package private(set) var items: [ItemShape] = []
  /// By operation: the part of its request body that the response returns; nil for none.
  package let returns: [ReturnShape?]
  /// By operation: its index in the collections or items, or -1.
  package let collectionOf: [Int]
  package let itemOf: [Int]

  /// - Parameter promises: the scenario's promises of the list's order, by operationId.
  package init(_ contract: Contract, promises: [String: ListPromise] = [:]) {
    let navigator = SchemaNavigator(contract.sources)
    var collectionOf = Array(repeating: -1, count: contract.operations.count)
    var itemOf = collectionOf
    for (index, operation) in contract.operations.enumerated() where operation.isDocumented {
      guard var shape = CollectionRecogniser(operation, index, navigator)?.shape else { continue }
      if let promise = promises[operation.id] { shape.apply(promise) }
      collectionOf[index] = collections.count
      collections.append(shape)
    }
    for (index, operation) in contract.operations.enumerated() where operation.isDocumented {
      guard collectionOf[index] < 0,
        let shape = ItemRecogniser(contract: contract, collections: collections, navigator: navigator).shape(
          of: operation, index)
      else { continue }
      itemOf[index] = items.count
      items.append(shape)
    }
    let returned = ReturnRecogniser(navigator: navigator)
    returns = contract.operations.enumerated().map { index, operation in
      operation.isDocumented ? returned.shape(of: operation, index) : nil
    }
    let counter = CountRecogniser(contract: contract, collections: collections, navigator: navigator)
    for index in items.indices { items[index].counts = counter.counts(of: items[index]) }
    self.collectionOf = collectionOf
    self.itemOf = itemOf
  }

  /// The rows of `murphy check --relations`, in the contract's order.
  package func rows(_ contract: Contract) -> [RecognisedRelation] {
    contract.operations.indices.flatMap { index -> [RecognisedRelation] in
      if collectionOf[index] >= 0 { return rows(collections[collectionOf[index]], contract) }
      if itemOf[index] >= 0 { return rows(items[itemOf[index]], contract) }
      return created(index, contract) + returned(index)
    }
  }
}

extension ContractRelations {
  /// The collections that a write request may change.
  package struct Writing: Sendable {
    /// The resources that a write may change.
    package enum Reach: Sendable {
      case insert, delete, update, put, anything
      /// Grants or revokes access: it changes only lists of users and their sessions.
      case access
    }

    /// Its index in ``ContractRelations/collections``; nil for a write outside of all collections, which may change
    /// any.
    package var collection: Int?
    package var reach: Reach
    /// The path segment with the item's id, from 0; -1 without one.
    package var segment: Int
  }

  /// By operation; nil for read operations.
  package func writings(_ contract: Contract) -> [Writing?] {
    let paths = collections.map { Self.segments(contract.operations[$0.operation].path) }
    return contract.operations.map { operation in
      guard !Self.reads(method: operation.method) else { return nil }
      let own = Self.segments(operation.path)
      let above = paths.indices.filter { own.starts(with: paths[$0]) }.max { paths[$0].count < paths[$1].count }
      guard let above else {
        let isAccess = RelationNames.accesses.contains(RelationNames.norm(own.last ?? ""))
        return Writing(collection: nil, reach: isAccess ? .access : .anything, segment: -1)
      }
      let depth = paths[above].count
      if own.count == depth {
        return Writing(collection: above, reach: operation.method == "POST" ? .insert : .anything, segment: -1)
      }
      guard own[depth] == "{}" else { return Writing(collection: above, reach: .anything, segment: -1) }
      let isItem = own.count == depth + 1
      let reach: Writing.Reach =
        isItem && operation.method == "DELETE" ? .delete : isItem && operation.method == "PUT" ? .put : .update
      return Writing(collection: above, reach: reach, segment: depth)
    }
  }

  /// True for methods that change nothing.
  package static func reads(method: String) -> Bool {
    ["GET", "HEAD", "OPTIONS", "TRACE", "QUERY"].contains(method)
  }

  /// True if a collection lists users, so that a login may change it.
  package func tellsOfAccess(_ collection: Int, of contract: Contract) -> Bool {
    Self.segments(contract.operations[collections[collection].operation].path).contains { segment in
      let key = RelationNames.norm(segment)
      return RelationNames.people.contains { key.contains($0) }
    }
  }

  private static func segments(_ path: String) -> [String] {
    path.split(separator: "/").map { $0.hasPrefix("{") ? "{}" : String($0) }
  }
}

/// Records if one relation is checked in the responses of an operation, and why.
package struct RecognisedRelation: Sendable, Hashable {
  /// Whether the relation is checked.
  package enum State: String, Sendable, Hashable { case on, off }

  /// Its index in the contract.
  package var operation: Int
  package var rule: RelationRule
  package var state: State
  /// The contract's evidence: `the parameter limit`.
  package var reason: String
  /// The steps that a run needs to test it; nil if any response is enough.
  package var needs: String?
}

extension Contract {
  /// The JSON schema of the first response documented for one of the statuses, or for all of 2XX.
  static func answer(of operation: Operation, taking statuses: Set<Int> = [200]) -> Located? {
    let good = operation.responses.filter { response in
      switch response.status {
      case .exactly(let status): statuses.contains(status)
      case .hundred, .any: response.isSuccess
      }
    }
    return good.lazy.compactMap { response in
      response.content.first { $0.range.isJSON && !$0.isSequence }?.schema?.located
    }.first
  }
}
