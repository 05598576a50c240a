import MurphyModel

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
      .pageSize, shape.limit.map { "the parameter \($0.name), \(array)" }, off: "no integer parameter bounds the page")
    let echoes = shape.echoes.map { $0.path.joined(separator: ".") }
    add(
      .echo, echoes.isEmpty ? nil : "the response repeats \(echoes.joined(separator: ", "))",
      off: "the response repeats no parameter of the page")
    add(.total, paged == nil ? nil : total, off: shape.total == nil ? "no total" : "no parameters of a page")
    add(
      .lastPage, total == nil || shape.limit == nil ? nil : shape.lastPage.map { "\($0.joined(separator: "."))" },
      off: "a total, but no number of the last page")
    add(.shortPage, paged == nil ? nil : total, off: "no total, or no parameters of a page")
    let walk = "a walk over at least two pages"
    let cursor = shape.cursor.map { "the parameter \($0.name) and the field \($0.path.joined(separator: "."))" }
    add(
      .repeats, shape.id == nil ? nil : paged ?? cursor,
      off: shape.id == nil ? "items have no id" : "no parameters of a page", needs: walk)
    add(
      .skips, shape.id == nil ? nil : total == nil ? cursor : paged ?? cursor,
      off: shape.id == nil ? "items have no id" : "no total, or no parameters of a page", needs: walk)
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
      off: "no operation returns one of the items", needs: "a walk that requests items")
    return rows + Self.protocolRows(shape.operation, contract)
  }

  func rows(_ shape: ItemShape, _ contract: Contract) -> [RecognisedRelation] {
    let why = "the parameter \(shape.parameter) and the field \((shape.path + [shape.field]).joined(separator: "."))"
    return [
      Self.on(shape.operation, .identity, why),
      Self.on(shape.operation, .exchanged, why, needs: "requests under way at the same time"),
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
    return [Self.on(index, .exchanged, reason, needs: "requests under way at the same time")]
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
    let walk = "a walk that requests the same in another way"
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
