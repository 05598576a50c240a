import Foundation
import MurphyModel

/// The parameters of one request to a collection, parsed from its target once and cached: most targets repeat.
final class CollectionQuery {
  /// The maximum number of items in the response; -1 if unknown.
  private(set) var most = -1
  /// The number of items on a full page; -1 if unknown.
  private(set) var limit = -1
  /// The number of items before the page; -1 if unknown.
  private(set) var offset = -1
  private(set) var filters: [Filter] = []
  private(set) var sort: Sort?
  /// Another parameter narrows the rows, so that the fields of a row do not show the whole filter.
  private(set) var isNarrowedOtherwise = false
  /// The request has a free-text search, or an order that may differ between two requests.
  private(set) var isSearch = false
  var isFiltered: Bool { isNarrowedOtherwise || isSearch || !filters.isEmpty }
  /// Expected values of the shape's echoes, in their order; nil if unknown.
  private(set) var echoes: [Int?] = []
  /// Slots of the item's fields that are needed from a response, one bit each; the id's is the first.
  private(set) var slots: UInt64 = 1
  /// The parent of all items; nil if the path does not name it, or items have no such field.
  private(set) var parent: Int64?
  private(set) var filtersHash: UInt64 = 0
  private(set) var partHashes: [UInt64] = []
  private(set) var orderHash: UInt64 = 0

  // Statistics of its responses (docs/relations.md, "Trials").
  var responses = 0
  /// The minimum length of the list that is known, from the end of a page or its total.
  var reach: Int64 = 0
  var trials = Trials()
  /// By echo: responses in which a synonym had the requested value.
  var agreed: UInt8 = 0
  /// Its number in the log; -1 before the first logged page.
  var request: Int32 = -1

  struct Filter {
    let slot: Int
    let name: String
    let wanted: Wanted
  }

  enum Wanted {
    case integer(Int64)
    case bool(Bool)
    case text([UInt8])
  }

  struct Sort {
    /// The summed fields: slots of numbers, or the one slot of another type.
    let terms: [(slot: Int, isNegative: Bool)]
    let field: String
    /// Nil if both directions are allowed.
    let isDescending: Bool?

    /// Nil if one of the fields has no slot.
    init?(_ key: CollectionShape.Sort.Key, _ plan: CollectionPlan, isDescending: Bool?) {
      let named = key.terms.isEmpty ? [ListOrder.Term(field: key.field)] : key.terms
      let terms = named.compactMap { term in plan.fieldSlots[term.field].map { ($0, term.isNegative) } }
      guard terms.count == named.count else { return nil }
      self.terms = terms
      field = key.field
      self.isDescending = isDescending
    }
  }

  /// The maximum count: a request can name any number, and sums of larger ones would overflow.
  private static let mostCounted = Int(Int32.max)

  init(_ target: String, _ plan: CollectionPlan) {
    let shape = plan.shape
    if shape.id == nil { slots = 0 }
    var pairs: [(name: String, value: String)] = []
    let parts = target.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
    for part in parts.dropFirst().first?.split(separator: "&") ?? [] {
      let pair = part.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      pairs.append((Self.decoded(pair[0]), pair.count > 1 ? Self.decoded(pair[1]) : ""))
    }
    /// The value of a parameter that occurs exactly once.
    func single(_ name: String?) -> String? {
      guard let name else { return nil }
      let values = pairs.filter { $0.name == name }
      return values.count == 1 ? values[0].value : nil
    }
    /// The same as a number within the limits of a count.
    func number(_ name: String?) -> Int? {
      single(name).flatMap { Int($0) }.flatMap { $0 <= Self.mostCounted ? $0 : nil }
    }
    func has(_ name: String?) -> Bool { name.map { name in pairs.contains { $0.name == name } } ?? false }

    var pageNumber: Int?
    if let bound = shape.limit {
      if has(bound.name) {
        if let sent = number(bound.name), sent >= max(bound.minimum ?? 1, 1) {
          if let maximum = bound.maximum {
            most = min(sent, maximum)
            if sent <= maximum { limit = sent }
          } else {
            most = sent
            // A server may have a limit that its contract does not state.
            if let standard = bound.standard, sent <= standard { limit = sent }
          }
        }
      } else if let standard = bound.standard, standard > 0 {
        (most, limit) = (standard, standard)
      }
    }
    let hasCursor = shape.cursors.contains { has($0) }
    if hasCursor {
      offset = -1
    } else if let bound = shape.offset, has(bound.name) {
      if !has(shape.page?.name), let sent = number(bound.name), sent >= 0 { offset = sent }
    } else if let page = shape.page, has(page.name) {
      if let sent = number(page.name) {
        pageNumber = sent
        if let first = page.first, sent >= first, limit > 0 { offset = (sent - first) * limit }
      }
    } else {
      offset = 0
      pageNumber = shape.page?.first
    }
    readOrder(plan, single, has)
    if let named = shape.parent, let slot = plan.parentSlot {
      let segments = parts[0].split(separator: "/")
      if named.segment < segments.count {
        parent = RelationHash.id(Self.decoded(segments[named.segment]), isInteger: named.isInteger)
      }
      if parent != nil { slots |= 1 << UInt64(slot) }
    }
    let paging = Set(
      [shape.limit?.name, shape.offset?.name, shape.page?.name, shape.sort?.name, shape.direction?.name].compactMap(
        \.self)
        + shape.cursors)
    let others = pairs.filter { !paging.contains($0.name) }
    for pair in others where !shape.views.contains(pair.name) {
      if shape.searches.contains(pair.name) { isSearch = isSearch || !pair.value.isEmpty }
      guard let slot = plan.filterSlots[pair.name], single(pair.name) != nil,
        let filter = shape.filters.first(where: { $0.name == pair.name }), let wanted = Self.wanted(pair.value, filter)
      else {
        isNarrowedOtherwise = true
        continue
      }
      filters.append(Filter(slot: slot, name: pair.name, wanted: wanted))
      slots |= 1 << UInt64(slot)
    }
    if sort == nil, orderHash == 0, let order = shape.standingOrder {
      sort = Sort(order, plan, isDescending: order.isDescending)
    }
    // A search may have its own order, unless the request sets one.
    if isSearch, !has(shape.sort?.name) { sort = nil }
    for term in sort?.terms ?? [] { slots |= 1 << UInt64(term.slot) }
    let named = others.map { "\($0.name)=\($0.value)" }.sorted()
    filtersHash = RelationHash.of(([String(parts[0])] + named).joined(separator: "\n"))
    if named.count <= 2, others.count == filters.count {
      partHashes = named.map { RelationHash.of([String(parts[0]), $0].joined(separator: "\n")) }.sorted()
    }
    echoes = shape.echoes.map { echo in
      switch echo.role {
      case .limit: limit > 0 ? limit : nil
      case .offset: offset >= 0 && has(shape.offset?.name) ? offset : nil
      case .page: has(shape.page?.name) ? pageNumber : nil
      }
    }
    trials.echoed = Array(repeating: 0, count: echoes.count)
    trials.filtered = Array(repeating: 0, count: filters.count)
  }

  private func readOrder(_ plan: CollectionPlan, _ single: (String?) -> String?, _ has: (String?) -> Bool) {
    let shape = plan.shape
    let sent = has(shape.sort?.name) ? single(shape.sort?.name) : nil
    let way = has(shape.direction?.name) ? single(shape.direction?.name) : nil
    orderHash = sent == nil && way == nil ? 0 : RelationHash.of("\(sent ?? "")\n\(way ?? "")")
    if let sent, RelationNames.unstable.contains(RelationNames.norm(sent)) { isSearch = true }
    guard let rule = shape.sort, let value = has(rule.name) ? sent : rule.standard, let key = rule.keys[value] else {
      return
    }
    var isDescending = key.isDescending
    if let direction = shape.direction {
      let said = has(direction.name) ? way : direction.standard
      guard has(direction.name) == (way != nil), said == nil || direction.values[said ?? ""] != nil else { return }
      // A sign and a direction at once are ambiguous.
      if isDescending != nil, said != nil, has(direction.name) { return }
      isDescending = isDescending ?? said.flatMap { direction.values[$0] }
    }
    sort = Sort(key, plan, isDescending: isDescending)
  }

  private static func wanted(_ text: String, _ filter: CollectionShape.Filter) -> Wanted? {
    switch filter.form {
    // 0 and below often mean all, or none.
    case .integer: Int64(text).flatMap { $0 > 0 ? .integer($0) : nil }
    case .boolean: text == "true" ? .bool(true) : text == "false" ? .bool(false) : nil
    case .text:
      text.isEmpty || text.contains(",") || !(filter.values.isEmpty || filter.values.contains(text))
        ? nil : .text(Array(text.utf8))
    }
  }

  private static func decoded(_ text: Substring) -> String {
    let spaced = String(text).escaping(["+": " "])
    return spaced.contains("%") ? spaced.removingPercentEncoding ?? spaced : spaced
  }
}
