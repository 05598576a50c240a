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
    for (index, operation) in contract.operations.enumerated()
    where operation.isDocumented && operation.method == "GET" {
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

extension Contract {
  /// The relations of its operations. Without promises, they are derived only once.
  ///
  /// - Parameter promises: the scenario's promises of the list's order, by operationId.
  package func relations(promising promises: [String: ListPromise] = [:]) -> ContractRelations {
    promises.isEmpty ? schemas.relations(self) : ContractRelations(self, promises: promises)
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
  package func describesAccess(_ collection: Int, of contract: Contract) -> Bool {
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
  static func response(of operation: Operation, taking statuses: Set<Int> = [200]) -> Located? {
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

extension ContractRelations {
  /// The relations that a collection's shape supports, and those that it does not.
  func rows(_ shape: CollectionShape, _ contract: Contract) -> [RecognisedRelation] {
    var rows: [RecognisedRelation] = []
    func add(_ rule: RelationRule, _ on: String?, off: String, needs: String? = nil) {
      rows.append(
        RecognisedRelation(
          operation: shape.operation, rule: rule, state: on == nil ? .off : .on, reason: on ?? off, needs: needs))
    }
    let array = shape.items.isEmpty ? "the response is an array" : "the array \(shape.items.joined(separator: "."))"
    let total = shape.total.map { "the total \($0.joined(separator: "."))" }
    let paging = [shape.limit?.name, shape.offset?.name ?? shape.page?.name].compactMap(\.self)
    let paged = shape.isPaged ? "the parameters \(paging.joined(separator: " and ")), \(array)" : nil
    add(
      .pageSize, shape.limit.map { "the parameter \($0.name), \(array)" }, off: "no parameter limits the page size")
    let echoes = shape.echoes.map { $0.path.joined(separator: ".") }
    add(
      .echo, echoes.isEmpty ? nil : "the response repeats \(echoes.joined(separator: ", "))",
      off: "the response repeats no parameter of the page")
    add(.total, total, off: "no total")
    add(
      .lastPage, total == nil || shape.limit == nil ? nil : shape.lastPage.map { "\($0.joined(separator: "."))" },
      off: "a total, but no number of the last page")
    add(.shortPage, paged == nil ? nil : total, off: "no total, or no paging parameters")
    let walk = "a walk over at least two pages"
    let cursor = shape.cursor.map { "the parameter \($0.name) and the field \($0.path.joined(separator: "."))" }
    add(
      .repeats, shape.id == nil ? nil : paged ?? cursor,
      off: shape.id == nil ? "items have no id" : "no paging parameters", needs: walk)
    add(
      .skips, shape.id == nil ? nil : total == nil ? cursor : paged ?? cursor,
      off: shape.id == nil ? "items have no id" : "no total, or no paging parameters", needs: walk)
    let order = shape.standingOrder.map { "the scenario declares items sorted by \($0.field)" }
    add(.order, shape.sort.map(Self.sorts) ?? order, off: "no parameter whose values are fields of an item")
    let filters = shape.filters.map(\.name)
    add(
      .filter, filters.isEmpty ? nil : "fields of an item have the names of \(filters.joined(separator: ", "))",
      off: "no parameter has the name and the type of a field", needs: "a request with a filter")
    add(
      .filtersTogether, filters.count < 2 || total == nil ? nil : filters.joined(separator: ", "),
      off: "a total, but fewer than two filters", needs: "a walk with two filters")
    add(
      .next, shape.next.map { "the link \($0.joined(separator: "."))" }, off: "no link to a next page",
      needs: "a walk over at least two pages")
    if let parent = shape.parent {
      add(
        .parent, "the parameter \(parent.parameter) and the field \(parent.path.joined(separator: ".")) of items",
        off: "")
    }
    if let name = shape.searches.first {
      add(
        .search, shape.id == nil ? nil : "the parameter \(name)", off: "items have no id", needs: "a walk that searches"
      )
    }
    if cursor != nil {
      add(.cursor, shape.id == nil ? nil : cursor, off: "items have no id", needs: "a walk from cursor to cursor")
    }
    let item = items.first { item in item.collection.map { collections[$0].operation == shape.operation } ?? false }
    add(
      .listItem, shape.id == nil ? nil : item.map { "\(contract.operations[$0.operation].id) responses with an item" },
      off: "no operation returns a single item", needs: "a walk that requests items")
    return rows + Self.protocolRows(shape.operation, contract)
  }

  func rows(_ shape: ItemShape, _ contract: Contract) -> [RecognisedRelation] {
    let why = "the parameter \(shape.parameter) and the field \((shape.path + [shape.field]).joined(separator: "."))"
    return [
      Self.on(shape.operation, .identity, why),
      Self.on(shape.operation, .exchanged, why, needs: "requests in flight at the same time"),
    ] + counts(shape, contract) + Self.protocolRows(shape.operation, contract)
  }

  /// The relations of an operation that returns the location of a created resource.
  func created(_ index: Int, _ contract: Contract) -> [RecognisedRelation] {
    let saysWhere = contract.operations[index].responses.contains { response in
      response.status == .exactly(201) && response.headers.contains { $0.name.lowercased() == "location" }
    }
    return saysWhere ? [Self.on(index, .location, "201 with Location", needs: "a response with 201")] : []
  }

  /// The relations of an operation that returns the values it was sent.
  func returned(_ index: Int) -> [RecognisedRelation] {
    guard let shape = returns[index] else { return [] }
    let reason = "body and response both have \(shape.members.joined(separator: ", "))"
    return [Self.on(index, .exchanged, reason, needs: "requests in flight at the same time")]
  }

  private func counts(_ shape: ItemShape, _ contract: Contract) -> [RecognisedRelation] {
    guard !shape.counts.isEmpty else { return [] }
    let names = shape.counts.map { count in
      "\(count.path.joined(separator: ".")) next to \(contract.operations[collections[count.collection].operation].id)"
    }
    return [Self.on(shape.operation, .counts, names.joined(separator: ", "), needs: "a walk that requests both")]
  }

  /// Relations of every GET (RFC 9110).
  private static func protocolRows(_ operation: Int, _ contract: Contract) -> [RecognisedRelation] {
    let walk = "a walk that sends the same request in another form"
    return [
      on(operation, .etag, "GET", needs: "responses with an ETag"),
      on(operation, .notModified, "GET", needs: "responses with an ETag"),
      on(operation, .head, "GET", needs: walk), on(operation, .allow, "GET", needs: walk),
    ] + representations(operation, contract)
  }

  private static func representations(_ operation: Int, _ contract: Contract) -> [RecognisedRelation] {
    let types = contract.operations[operation].responses.first { $0.status == .exactly(200) }?.content ?? []
    guard types.count >= 2 else { return [] }
    let reason = types.map(\.range.text).joined(separator: ", ")
    return [on(operation, .vary, reason, needs: "a walk that requests both")]
  }

  private static func on(
    _ operation: Int, _ rule: RelationRule, _ reason: String, needs: String? = nil
  ) -> RecognisedRelation {
    RecognisedRelation(operation: operation, rule: rule, state: .on, reason: reason, needs: needs)
  }

  private static func sorts(_ sort: CollectionShape.Sort) -> String {
    let fields = Set(sort.keys.values.map(\.field)).sorted()
    return "values of \(sort.name) are fields of an item: \(fields.joined(separator: ", "))"
  }
}
