import MurphyModel
import MurphySchema

extension CollectionQuery {
  /// Counts of samples that could have shown a fault of each kind.
  struct Trials {
    /// Pages with at least the requested number of items, if more items are known to follow.
    var fullPages = 0
    /// The same, if only other pages can show whether more items follow.
    var openPages = 0
    /// By echo: responses that have it.
    var echoed: [Int] = []
    var lastPages = 0
    /// Pairs of neighbours with certainly different values, except strings.
    var ordered = 0
    /// Pairs of neighbouring strings with a certain order.
    var comparable = 0
    /// The inverted ones among these pairs.
    var inverted = 0
    /// By filter: items with a comparable value of the field.
    var filtered: [Int] = []
    /// Responses with several items that all have a parent field.
    var parented = 0

    /// Adds the difference of two counts.
    mutating func add(_ after: Trials, without before: Trials) {
      fullPages += after.fullPages - before.fullPages
      openPages += after.openPages - before.openPages
      lastPages += after.lastPages - before.lastPages
      ordered += after.ordered - before.ordered
      comparable += after.comparable - before.comparable
      inverted += after.inverted - before.inverted
      parented += after.parented - before.parented
      for place in echoed.indices { echoed[place] += after.echoed[place] - before.echoed[place] }
      for place in filtered.indices { filtered[place] += after.filtered[place] - before.filtered[place] }
    }
  }
}

/// What a response without doubts showed. Equal bytes in response to the same target give the same reading.
enum RelationReading {
  case page(Page)
  case item(operation: Int, id: Int64)

  struct Page {
    let query: CollectionQuery
    let page: RelationReader.PageReading
    let ids: [Int64]
    let rows: Int
    let before: CollectionQuery.Trials
    let after: CollectionQuery.Trials
  }
}

extension RelationReader {
  /// Reads a response as ``read(_:operation:target:)`` does.
  ///
  /// - Returns: what it showed, if the same can be said of an equal response; nil after the first response to a target.
  func readForRepeats(_ tape: Tape, operation: Int, target: String) -> RelationReading? {
    let place = relations.collectionOf[operation]
    guard place >= 0 else {
      read(tape, operation: operation, target: target)
      return subject == .item && doubts.isEmpty ? .item(operation: operation, id: got) : nil
    }
    let plan = collections[place]
    let asked = plan.query(target)
    let (before, rows, isFirst) = (asked.trials, plan.rows, asked.responses == 0)
    read(tape, operation: operation, target: target)
    guard subject == .page, doubts.isEmpty, !isFirst, query === asked else { return nil }
    return .page(
      RelationReading.Page(
        query: asked, page: page, ids: ids, rows: plan.rows - rows, before: before, after: asked.trials))
  }

  /// Reads a response that is equal to an earlier one.
  ///
  /// - Returns: false if the target is another one, so that the response must be read.
  func repeatReading(_ reading: RelationReading, operation: Int, target: String) -> Bool {
    switch reading {
    case .page(let known):
      let place = relations.collectionOf[operation]
      guard place >= 0, known.query === collections[place].query(target) else { return false }
      if !doubts.isEmpty { doubts.removeAll(keepingCapacity: true) }
      ids.removeAll(keepingCapacity: true)
      ids.append(contentsOf: known.ids)
      (query, page, subject) = (known.query, known.page, .page)
      known.query.responses += 1
      known.query.trials.add(known.after, without: known.before)
      collections[place].rows += known.rows
    case .item(let earlier, let id):
      guard earlier == operation, relations.itemOf[operation] >= 0 else { return false }
      let plan = items[relations.itemOf[operation]]
      guard plan.requestedID(target) == id else { return false }
      if !doubts.isEmpty { doubts.removeAll(keepingCapacity: true) }
      found(id, requested: id, of: plan)
    }
    return true
  }
}
