import MurphyModel

extension RelationReader {
  /// Adds what the answers of this loop came to, beside single ones.
  package func fill(_ log: inout RelationLog) {
    for plan in collections {
      let operation = Int32(plan.shape.operation)
      for ask in plan.asks.values where ask.answers > 0 {
        for rule in RelationRule.allCases where ask.rules & rule.bit != 0 {
          log.tested[.init(operation, rule), default: 0] += ask.answers
        }
        if ask.comparable > 0, let sort = ask.sort {
          log.comparable[.init(operation, sort.key), default: 0] += ask.comparable
          log.inverted[.init(operation, sort.key), default: 0] += ask.inverted
        }
        for (place, echo) in plan.shape.echoes.enumerated() where echo.isSynonym && ask.agreed >> UInt8(place) & 1 == 1
        {
          guard let wanted = ask.echoes[place] else { continue }
          log.agreements[.init(operation, echo.path.joined(separator: ".")), default: []].insert(wanted)
        }
      }
    }
    for plan in items where plan.answers > 0 {
      let operation = Int32(plan.shape.operation)
      log.tested[.init(operation, .identity), default: 0] += plan.answers
      log.right[operation, default: []].formUnion(plan.right)
    }
  }
}

extension CollectionAsk.Sort {
  /// What is sorted by, and which way: equal for doubts that speak of the same.
  var key: String { "\(field) \(way)" }

  var way: String { isDescending.map { $0 ? "descending" : "ascending" } ?? "one way or the other" }
}
