import MurphyModel

extension ContractRelations {
  /// What a collection's shape shows, and what it does not.
  func rows(_ shape: CollectionShape, _ contract: Contract) -> [RecognisedRelation] {
    var rows: [RecognisedRelation] = []
    func add(_ rule: RelationRule, _ on: String?, off: String, needs: String? = nil) {
      rows.append(
        RecognisedRelation(
          operation: shape.operation, rule: rule, state: on == nil ? .off : .on, reason: on ?? off, needs: needs))
    }
    let array = shape.items.isEmpty ? "the answer is an array" : "the array \(shape.items.joined(separator: "."))"
    let total = shape.total.map { "the total \($0.joined(separator: "."))" }
    let paging = [shape.limit?.name, shape.offset?.name ?? shape.page?.name].compactMap(\.self)
    let paged = shape.isPaged ? "the parameters \(paging.joined(separator: " and ")), \(array)" : nil
    add(
      .pageSize, shape.limit.map { "the parameter \($0.name), \(array)" }, off: "no integer parameter bounds the page")
    let echoes = shape.echoes.map { $0.path.joined(separator: ".") }
    add(
      .echo, echoes.isEmpty ? nil : "the answer repeats \(echoes.joined(separator: ", "))",
      off: "the answer repeats no parameter of the page")
    add(.total, paged == nil ? nil : total, off: shape.total == nil ? "no total" : "no parameters of a page")
    add(
      .lastPage, total == nil || shape.limit == nil ? nil : shape.lastPage.map { "\($0.joined(separator: "."))" },
      off: "no number of the last page beside a total")
    add(.shortPage, paged == nil ? nil : total, off: "no total, or no parameters of a page")
    let walk = "a walk over at least two pages"
    add(
      .repeats, shape.id == nil ? nil : paged, off: shape.id == nil ? "items have no id" : "no parameters of a page",
      needs: walk)
    add(
      .skips, shape.id == nil || total == nil ? nil : paged,
      off: shape.id == nil ? "items have no id" : "no total, or no parameters of a page", needs: walk)
    add(.order, shape.sort.map(Self.sorts), off: "no parameter whose values are fields of an item")
    let filters = shape.filters.map(\.name)
    add(
      .filter, filters.isEmpty ? nil : "fields of an item have the names of \(filters.joined(separator: ", "))",
      off: "no parameter has the name and the type of a field", needs: "a request with a filter")
    add(
      .filtersTogether, filters.count < 2 || total == nil ? nil : filters.joined(separator: ", "),
      off: "fewer than two filters beside a total", needs: "a walk that asks by two filters")
    add(
      .next, shape.next.map { "the link \($0.joined(separator: "."))" }, off: "no link to a next page",
      needs: "a walk over at least two pages")
    let item = items.first { item in item.collection.map { collections[$0].operation == shape.operation } ?? false }
    add(
      .listItem, shape.id == nil ? nil : item.map { "\(contract.operations[$0.operation].id) answers with an item" },
      off: "no operation answers with one of the items", needs: "a walk that asks for items")
    return rows + Self.protocolRows(shape.operation)
  }

  func rows(_ shape: ItemShape, _ contract: Contract) -> [RecognisedRelation] {
    let why = "the parameter \(shape.parameter) and the member \((shape.path + [shape.field]).joined(separator: "."))"
    return [
      RecognisedRelation(operation: shape.operation, rule: .identity, state: .on, reason: why),
      RecognisedRelation(
        operation: shape.operation, rule: .exchanged, state: .on, reason: why,
        needs: "requests under way at the same time"),
    ] + Self.protocolRows(shape.operation)
  }

  /// What holds for every GET (RFC 9110).
  private static func protocolRows(_ operation: Int) -> [RecognisedRelation] {
    let walk = "a walk that asks the same in another way"
    return [
      RecognisedRelation(operation: operation, rule: .etag, state: .on, reason: "GET", needs: "answers with an ETag"),
      RecognisedRelation(
        operation: operation, rule: .notModified, state: .on, reason: "GET", needs: "answers with an ETag"),
      RecognisedRelation(operation: operation, rule: .head, state: .on, reason: "GET", needs: walk),
      RecognisedRelation(operation: operation, rule: .allow, state: .on, reason: "GET", needs: walk),
    ]
  }

  private static func sorts(_ sort: CollectionShape.Sort) -> String {
    let fields = Set(sort.keys.values.map(\.field)).sorted()
    return "values of \(sort.name) are fields of an item: \(fields.joined(separator: ", "))"
  }
}
