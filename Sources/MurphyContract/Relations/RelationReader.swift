import MurphyModel
import MurphySchema

/// Reads the values that relations compare from the responses of one loop, on the tape that the judge parsed already.
///
/// It allocates nothing for a response that conforms, if the target of its request occurred before.
package final class RelationReader {
  /// The kind of the last response.
  package enum Subject { case none, page, item }

  /// The last page. Its ids are in ``ids``.
  package struct PageReading {
    /// A hash of path and query without limit, offset, page and order.
    package var filters: UInt64 = 0
    /// The hashes of single filters, ascending.
    package var parts: [UInt64] = []
    /// A hash of the sort order; 0 for the server's own order.
    package var order: UInt64 = 0
    /// -1 if unknown.
    package var limit: Int32 = -1
    /// -1 if unknown.
    package var offset: Int64 = -1
    /// -1 without one.
    package var total: Int64 = -1
    /// True if a free text narrows the list.
    package var isSearch = false
  }

  package let relations: ContractRelations
  let collections: [CollectionPlan]
  let items: [ItemPlan]
  package internal(set) var subject = Subject.none
  package internal(set) var page = PageReading()
  /// The ids of the last page's items; empty if some items have none.
  package internal(set) var ids: [Int64] = []
  /// The violations of the last response.
  package internal(set) var doubts: [RelationLog.Doubt] = []
  /// The requested id of the last item.
  package private(set) var requested: Int64 = 0
  /// The id that the last item has.
  package private(set) var got: Int64 = 0
  var query: CollectionQuery?
  private var item: ItemPlan?
  var itemsPosition = -1
  var found = Array(repeating: -1, count: 64)
  var echoed: [Int64] = []
  var lastPage: Int64 = -1
  var hasMore: Bool?

  /// A reader for the responses of one loop.
  package init(_ relations: ContractRelations) {
    self.relations = relations
    collections = relations.collections.map { CollectionPlan($0) }
    items = relations.items.map { ItemPlan($0) }
    ids.reserveCapacity(256)
  }

  /// Clears the results of the last response.
  @inline(__always)
  package func begin() { subject = .none }

  /// True if the last response must be logged: a page, or an item with a doubt.
  package var hasNews: Bool { subject == .page || subject == .item && !doubts.isEmpty }

  func reads(_ operation: Int) -> Bool { relations.collectionOf[operation] >= 0 || relations.itemOf[operation] >= 0 }

  /// The log number of the request of the last page; -1 before it is logged.
  package var request: Int32 {
    get { query?.request ?? -1 }
    set { query?.request = newValue }
  }

  /// Reads a successful response of the operation.
  package func read(_ tape: Tape, operation: Int, target: String) {
    let place = relations.collectionOf[operation]
    if place >= 0 {
      readPage(tape, collections[place], target)
    } else if relations.itemOf[operation] >= 0 {
      readItem(tape, items[relations.itemOf[operation]], target)
    }
  }

  /// Records the times of the request and response of the last item.
  package func recordItem(sent: Int64, answered: Int64) {
    item?.recordResponse(requested, sent: sent, answered: answered)
  }

  // MARK: pages

  private func readPage(_ tape: Tape, _ plan: CollectionPlan, _ target: String) {
    let query = plan.query(target)
    self.query = query
    if !doubts.isEmpty { doubts.removeAll(keepingCapacity: true) }
    ids.removeAll(keepingCapacity: true)
    (page.total, lastPage, hasMore, itemsPosition) = (-1, -1, nil, -1)
    if !plan.shape.echoes.isEmpty {
      echoed.removeAll(keepingCapacity: true)
      for _ in plan.shape.echoes { echoed.append(.min) }
    }
    if plan.shape.items.isEmpty {
      itemsPosition = tape.root
    } else {
      readEnvelope(tape, tape.root, plan.envelope)
    }
    guard itemsPosition >= 0, tape.kind(at: itemsPosition) == .array else { return }
    subject = .page
    query.responses += 1
    let count = readItems(tape, plan, query)
    page.filters = query.filtersHash
    page.parts = query.partHashes
    page.order = query.orderHash
    page.limit = Int32(clamping: query.limit)
    // Without all ids, only the number of rows is known.
    let hasIDs = ids.count == count
    if !hasIDs { ids.removeAll(keepingCapacity: true) }
    page.offset = hasIDs ? Int64(query.offset) : -1
    page.isSearch = query.isSearch
    check(count, plan, query)
  }

  private func readEnvelope(_ tape: Tape, _ position: Int, _ members: [CollectionPlan.Member]) {
    guard tape.kind(at: position) == .object else { return }
    let contents = tape.contents(at: position)
    var index = contents.lowerBound
    while index < contents.upperBound {
      for member in members where member.name.isName(at: index, of: tape) {
        readMember(tape, index + 1, member.meaning)
        break
      }
      index = tape.next(after: index + 1)
    }
  }

  private func readMember(_ tape: Tape, _ position: Int, _ meaning: CollectionPlan.Meaning) {
    switch meaning {
    case .items: itemsPosition = position
    case .total: page.total = count(tape, position)
    case .lastPage: lastPage = count(tape, position)
    case .hasMore: if case .bool(let truth) = TapeScalar(tape, at: position) { hasMore = truth }
    case .echo(let place): echoed[place] = integer(tape, position) ?? .min
    case .group(let members): readEnvelope(tape, position, members)
    }
  }

  /// A number of items, -1 for none. Large numbers are rejected, because a server can send any and sums would overflow.
  private func count(_ tape: Tape, _ position: Int) -> Int64 {
    integer(tape, position).map { min(max($0, -1), 1 << 40) } ?? -1
  }

  private func integer(_ tape: Tape, _ position: Int) -> Int64? {
    if case .integer(let number) = TapeScalar(tape, at: position) { number } else { nil }
  }

  /// Reads ids and checks each row against the filters and the row before; returns the number of rows.
  private func readItems(_ tape: Tape, _ plan: CollectionPlan, _ query: CollectionQuery) -> Int {
    let contents = tape.contents(at: itemsPosition)
    var index = contents.lowerBound
    var count = 0
    var before = TapeScalar.absent
    var beforeID: Int64 = 0
    var others = OtherOwners()
    var rises = false
    var falls = false
    // The variety of values is read once for each target: a filter proves nothing if all items have the same value.
    let isFirst = query.responses == 1
    let slots = isFirst ? query.slots | plan.filterMask : query.slots
    let hasFilters = !query.filters.isEmpty
    while index < contents.upperBound {
      count += 1
      if tape.type(at: index) == UInt8(ascii: "{") {
        find(tape, index, plan, slots)
        if isFirst { recordValues(tape, plan) }
        var id: Int64 = 0
        if query.slots & 1 == 1, found[0] >= 0 {
          id = TapeScalar(tape, at: found[0]).id ?? 0
          if id != 0 { ids.append(id) }
        }
        if hasFilters { checkFilters(tape, id, query) }
        if let parent = query.parent, let slot = plan.parentSlot {
          others.count(self.parent(tape, plan, found[slot]), requested: parent)
        }
        if let sort = query.sort {
          let value = sortedBy(sort, tape)
          let order = SureOrder.of(before, value)
          if order != .open {
            let isText = if case .text(let bytes) = value { !SureOrder.isMoment(bytes) } else { false }
            if isText { query.trials.comparable += 1 }
            // If both directions are allowed, the first pair only determines the direction.
            if !isText, sort.isDescending != nil || rises || falls { query.trials.ordered += 1 }
            if let isDescending = sort.isDescending {
              if (order == .ascending) == isDescending { doubt(sort, before, value, beforeID, id, isText) }
            } else {
              rises = rises || order == .ascending
              falls = falls || order == .descending
              if rises, falls, !isText { doubt(sort, before, value, beforeID, id, false) }
            }
          }
          (before, beforeID) = (value, id)
        }
      }
      index = tape.next(after: index)
    }
    plan.rows += count
    if let parent = query.parent, others.named == count, count >= 2 {
      query.trials.parented += 1
      plan.parents.add(UInt64(bitPattern: parent) | 1 << 63)
    }
    if others.isOfOneOther(count), let parent = query.parent { doubt(others, parent, plan) }
    return count
  }

  // MARK: items

  /// The position of an object's member; -1 if there is none.
  static func member(_ name: TapeMember, of position: Int, _ tape: Tape) -> Int {
    guard position >= 0, tape.kind(at: position) == .object else { return -1 }
    let contents = tape.contents(at: position)
    var index = contents.lowerBound
    var found = -1
    while index < contents.upperBound {
      if name.isName(at: index, of: tape) { found = index + 1 }
      index = tape.next(after: index + 1)
    }
    return found
  }

  /// True if the path has another name of the item.
  private static func isNamed(_ requested: Int64, _ object: Int, _ tape: Tape) -> Bool {
    let contents = tape.contents(at: object)
    var index = contents.lowerBound
    while index < contents.upperBound {
      let name = String(decoding: tape.utf8(at: index), as: UTF8.self)
      if RelationNames.otherNames.contains(name), TapeScalar(tape, at: index + 1).id == requested { return true }
      index = tape.next(after: index + 1)
    }
    return false
  }

  func found(_ id: Int64, requested: Int64, of plan: ItemPlan) {
    got = id
    self.requested = requested
    query = nil
    item = plan
    subject = .item
    plan.responses += 1
    if id == requested { plan.addMatch(requested) }
  }

  private func readItem(_ tape: Tape, _ plan: ItemPlan, _ target: String) {
    guard let requested = plan.requestedID(target) else { return }
    var item = tape.root
    for name in plan.path { item = Self.member(name, of: item, tape) }
    let position = Self.member(plan.field, of: item, tape)
    guard position >= 0 else { return }
    if !doubts.isEmpty { doubts.removeAll(keepingCapacity: true) }
    let value = TapeScalar(tape, at: position)
    guard let id = value.id else { return }
    if plan.shape.isLoose, id != requested, Self.isNamed(requested, item, tape) { return }
    found(id, requested: requested, of: plan)
    if got != requested {
      raise(
        .identity, .identity, "\(plan.shape.field) \(value.text) was returned", first: requested, second: got,
        key: plan.shape.parameter)
    }
  }
}
