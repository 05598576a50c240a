import MurphyModel

/// Statistics over the responses of a loop: samples that could have shown a fault, by the finding that they would have
/// caused (docs/relations.md, "Trials").
extension RelationReader {
  /// Adds what this reader counted to the log.
  package func fill(_ log: inout RelationLog) {
    for plan in collections { fill(&log, plan) }
    for plan in items where plan.responses > 0 {
      let operation = Int32(plan.shape.operation)
      log.trials[.init(operation, .identity, .identity, plan.shape.parameter), default: 0] += plan.responses
      log.trials[.init(operation, .exchanged, .identity, plan.shape.parameter), default: 0] += plan.meetings
      log.right[operation, default: []].formUnion(plan.right)
    }
  }

  private func fill(_ log: inout RelationLog, _ plan: CollectionPlan) {
    let operation = Int32(plan.shape.operation)
    let queries = plan.queries.values.filter { $0.responses > 0 }
    guard !queries.isEmpty else { return }
    func add(_ rule: RelationRule, _ ground: RelationLog.Doubt.Ground, _ key: String, _ count: Int) {
      log.trials[.init(operation, rule, ground, key), default: 0] += count
    }
    log.rows[operation, default: 0] += plan.rows
    // The known length of each list, from all of its pages.
    let reach = Dictionary(queries.map { ($0.filtersHash, $0.reach) }, uniquingKeysWith: max)
    for query in queries {
      if query.most >= 0 {
        let hasMore = reach[query.filtersHash, default: 0] > Int64(query.offset + query.most)
        add(.pageSize, .plain, "", query.trials.fullPages + (hasMore ? query.trials.openPages : 0))
      }
      for (place, echo) in plan.shape.echoes.enumerated() {
        guard let wanted = query.echoes[place] else { continue }
        let name = echo.path.joined(separator: ".")
        add(.echo, echo.isSynonym ? .synonym : .plain, name, query.trials.echoed[place])
        if echo.isSynonym, query.agreed >> UInt8(place) & 1 == 1 {
          log.agreements[.init(operation, name), default: []].insert(wanted)
        }
      }
      if plan.shape.total != nil, plan.shape.lastPage != nil, query.limit > 0 {
        add(.lastPage, .plain, "", query.trials.lastPages)
      }
      if let sort = query.sort {
        add(.order, .row, sort.key, query.trials.ordered)
        if query.trials.comparable > 0 { add(.order, .texts, sort.key, query.trials.comparable) }
        if query.trials.inverted > 0 { log.inverted[.init(operation, sort.key), default: 0] += query.trials.inverted }
      }
      for (place, filter) in query.filters.enumerated() {
        add(.filter, query.groundOfFilters, filter.name, query.trials.filtered[place])
      }
      if query.parent != nil, let parent = plan.shape.parent {
        add(.parent, .parent, parent.name, query.trials.parented)
      }
    }
    for (name, slot) in plan.filterSlots { log.addValues(plan.values[slot], operation, name) }
    if let parent = plan.shape.parent { log.addValues(plan.parents, operation, parent.pathName) }
  }
}

extension RelationLog {
  fileprivate mutating func addValues(_ values: TwoValues, _ operation: Int32, _ name: String) {
    guard !values.all.isEmpty else { return }
    self.values[.init(operation, name), default: []].formUnion(values.all)
  }
}

extension CollectionShape.Parent {
  /// For messages: `contact.id`.
  package var name: String { path.joined(separator: ".") }
  /// The parameter's name, distinct from a field of the same name.
  package var pathName: String { "/\(parameter)" }
}

extension CollectionQuery.Sort {
  /// Sort field and direction: equal for doubts about the same order.
  var key: String { "\(field) \(way)" }

  var way: String { isDescending.map { $0 ? "descending" : "ascending" } ?? "one way or the other" }
}
