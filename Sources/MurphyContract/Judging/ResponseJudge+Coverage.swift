import MurphyModel

extension ResponseJudge {
  /// All items of the contract that can be covered, in its order, with their counts from this judge. Judges of the same
  /// contract return the same items in the same order.
  package func coverage() -> [CoverageItem] {
    var items: [CoverageItem] = []
    for (index, operation) in contract.operations.enumerated() where operation.isDocumented {
      let slot = operations[index]
      items.append(CoverageItem(kind: "operation", operation: operation.id, name: operation.id, count: slot.count))
      for response in slot.responses { items += response.coverage(operation.id) }
    }
    return items
  }
}

extension ResponseSlot {
  fileprivate func coverage(_ operation: String) -> [CoverageItem] {
    let status = promise.status.text
    func item(_ kind: String, _ name: String, _ count: Int) -> CoverageItem {
      CoverageItem(kind: kind, operation: operation, name: name, count: count)
    }
    var items = [item("status", status, count)]
    for media in media { items.append(item("media-type", "\(status) \(media.promise.range.text)", media.count)) }
    for header in headers { items.append(item("header", "\(status) \(header.promise.name)", header.count)) }
    for media in media {
      guard let coverage = media.coverage else { continue }
      items += zip(coverage.catalog.items, coverage.counts).map { item($0.kind, "\(status) \($0.name)", $1) }
    }
    return items
  }
}

extension [CoverageItem] {
  /// Adds the counts of another judge of the same contract, item by item.
  package mutating func merge(_ other: [CoverageItem]) {
    guard !isEmpty else {
      self = other
      return
    }
    for (index, item) in other.enumerated() where index < count && self[index].name == item.name {
      self[index].count += item.count
    }
  }
}
