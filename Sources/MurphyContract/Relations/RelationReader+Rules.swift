import MurphyModel
import MurphySchema

/// The rules that one page can violate on its own.
extension RelationReader {
  func check(_ count: Int, _ plan: CollectionPlan, _ query: CollectionQuery) {
    let offset = Int64(query.offset)
    countTrials(count, query)
    if query.most >= 0, count > query.most {
      raise(.pageSize, .plain, "\(count) items were received, but at most \(query.most) were requested")
    }
    for (place, wanted) in query.echoes.enumerated() {
      guard let wanted, echoed[place] != .min else { continue }
      let echo = plan.shape.echoes[place]
      let name = echo.path.joined(separator: ".")
      if echoed[place] == Int64(wanted) {
        query.agreed |= 1 << UInt8(place)
      } else if echo.role == .limit, Int64(count) > echoed[place], echoed[place] >= 0 {
        raise(.echo, .plain, "\(name) is \(echoed[place]), but the page shows \(count) items", key: name)
      } else {
        raise(
          .echo, echo.isSynonym ? .synonym : .plain, "\(name) is \(echoed[place]), but \(wanted) was requested",
          first: Int64(wanted), second: echoed[place],
          place: echo.role == .page && isWithin(count, query) ? UInt64(bitPattern: ids.first ?? 0) : 0, key: name)
      }
    }
    guard page.total >= 0 else { return }
    if offset >= 0, count > 0, offset + Int64(count) > page.total {
      raise(
        .total, .snapshot,
        "the total is \(page.total), but the page shows \(count) items, starting at number \(offset + 1)",
        second: page.total, place: UInt64(query.offset), key: query.isFiltered ? "filtered" : "")
    }
    if query.limit > 0, offset >= 0, count < query.limit, offset + Int64(count) < page.total {
      raise(
        .shortPage, .snapshot,
        "only \(count) of \(query.limit) requested items were received, although the total is \(page.total) and the "
          + "page begins after \(offset) items", second: page.total, place: query.filtersHash,
        key: query.isFiltered ? "filtered" : "")
    }
    if let hasMore, offset >= 0, hasMore != (offset + Int64(count) < page.total), !hasMore {
      raise(
        .total, .snapshot,
        "the response reports no items after the first \(offset + Int64(count)), but the total is \(page.total)",
        second: page.total, place: UInt64(query.offset), key: query.isFiltered ? "filtered" : "")
    }
    if lastPage >= 0, query.limit > 0 {
      let pages = (page.total + Int64(query.limit) - 1) / Int64(query.limit)
      if lastPage != pages, !(pages == 0 && lastPage == 1) {
        raise(
          .lastPage, .plain,
          "the reported last page is \(lastPage), but a total of \(page.total) with \(query.limit) items per page "
            + "needs \(pages) pages"
        )
      }
    }
  }

  /// True if the requested page exists, so that the server need not return another one instead, such as the last.
  private func isWithin(_ count: Int, _ query: CollectionQuery) -> Bool {
    guard query.offset >= 0, count > 0 else { return false }
    return page.total >= 0 ? Int64(query.offset + count) <= page.total : count == query.limit
  }

  /// Counts the checks in which a fault of the whole page would have been visible.
  private func countTrials(_ count: Int, _ query: CollectionQuery) {
    let end = query.offset >= 0 ? Int64(query.offset + count) : Int64(count)
    if count > 0, end > query.reach { query.reach = end }
    if page.total > query.reach { query.reach = page.total }
    if query.most >= 0, count >= query.most, count > 0 {
      // A list that is not longer than the page looks the same without a limit.
      let isMore =
        count > query.most ? true : hasMore ?? (page.total >= 0 && query.offset >= 0 ? end < page.total : nil)
      if isMore == true {
        query.trials.fullPages += 1
      } else if isMore == nil, query.offset >= 0 {
        query.trials.openPages += 1
      }
    }
    for (place, wanted) in query.echoes.enumerated() where wanted != nil && echoed[place] != .min {
      query.trials.echoed[place] += 1
    }
    if page.total > 0, lastPage >= 0, query.limit > 0 { query.trials.lastPages += 1 }
  }

  func checkFilters(_ tape: Tape, _ id: Int64, _ query: CollectionQuery) {
    for (place, filter) in query.filters.enumerated() where found[filter.slot] >= 0 {
      check(filter, place, TapeScalar(tape, at: found[filter.slot]), id, query)
    }
  }

  private func check(
    _ filter: CollectionQuery.Filter, _ place: Int, _ value: TapeScalar, _ id: Int64, _ query: CollectionQuery
  ) {
    switch (filter.wanted, value) {
    case (.integer, .integer), (.bool, .bool), (.text, .text): query.trials.filtered[place] += 1
    default: break
    }
    switch (filter.wanted, value) {
    case (.integer(let wanted), .integer(let found)) where wanted == found: return
    case (.bool(let wanted), .bool(let found)) where wanted == found: return
    case (.text(let wanted), .text(let found)) where found.elementsEqual(wanted): return
    case (_, .null), (_, .absent), (_, .other): return
    case (.text(let wanted), .text(let found)) where Self.isAlike(wanted, found): return
    case (.integer, .double), (.integer, .text), (.bool, .text): return
    default: break
    }
    let wanted =
      switch filter.wanted {
      case .integer(let number): String(number)
      case .bool(let truth): String(truth)
      case .text(let bytes): String(decoding: bytes, as: UTF8.self)
      }
    raise(
      .filter, query.groundOfFilters, "an item has \(filter.name) \(value.text), but \(wanted) was requested",
      first: id, key: filter.name)
  }

  /// True if two strings differ only in the case of ASCII letters, such as spellings of one UUID.
  static func isAlike(_ left: [UInt8], _ right: UnsafeRawBufferPointer) -> Bool {
    left.count == right.count
      && zip(left, right).allSatisfy { a, b in a == b || ((a | 0x20) == (b | 0x20) && (a | 0x20) &- 0x61 < 26) }
  }

  func doubt(
    _ sort: CollectionQuery.Sort, _ before: TapeScalar, _ value: TapeScalar, _ first: Int64, _ second: Int64,
    _ isText: Bool
  ) {
    if isText { query?.trials.inverted += 1 }
    raise(
      .order, isText ? .texts : .row,
      "\(sort.field) \(value.text) comes after \(before.text), but \(sort.way) order was requested",
      first: first, second: second, place: before.hash &* 31 ^ value.hash, key: sort.key)
  }

  /// Reports that all items of the response belong to one parent other than the path's.
  func doubt(_ others: OtherOwners, _ parent: Int64, _ plan: CollectionPlan) {
    guard let named = plan.shape.parent, let other = others.other else { return }
    let name = named.name
    let requested =
      named.isInteger ? ", but \(named.parameter) \(parent) was requested" : ", but another one was requested"
    let found = named.isInteger ? "\(name) \(other)" : "one other \(name)"
    raise(
      .parent, .parent,
      others.count == 1 ? "the item has \(found)\(requested)" : "all \(others.count) items have \(found)\(requested)",
      first: parent, second: other, place: UInt64(others.count), key: name)
  }

  static let doubtsOfAResponse = 4

  func raise(
    _ rule: RelationRule, _ ground: RelationLog.Doubt.Ground, _ message: String, first: Int64 = 0, second: Int64 = 0,
    place: UInt64 = 0, key: String = ""
  ) {
    guard doubts.count(where: { $0.rule == rule }) < Self.doubtsOfAResponse else { return }
    var doubt = RelationLog.Doubt(operation: 0, rule: rule, ground: ground, message: message)
    (doubt.first, doubt.second, doubt.place, doubt.key) = (first, second, place, key)
    doubts.append(doubt)
  }
}

extension CollectionQuery {
  /// A server may combine several filters with "or".
  var groundOfFilters: RelationLog.Doubt.Ground {
    filters.count == 1 && !isNarrowedOtherwise ? .row : .rowOfSeveral
  }
}

extension RelationReader {
  func recordValues(_ tape: Tape, _ plan: CollectionPlan) {
    for slot in plan.filterSlots.values where found[slot] >= 0 {
      let value = TapeScalar(tape, at: found[slot])
      switch value {
      case .null, .absent, .other: continue
      default: plan.values[slot].add(value.hash)
      }
    }
  }

  @inline(__always)
  func scalar(_ tape: Tape, _ slot: Int) -> TapeScalar {
    found[slot] >= 0 ? TapeScalar(tape, at: found[slot]) : .absent
  }

  /// The value of the field, or the sum of several; absent if one of them is not a number.
  @inline(__always)
  func sortedBy(_ sort: CollectionQuery.Sort, _ tape: Tape) -> TapeScalar {
    if sort.terms.count == 1 { return scalar(tape, sort.terms[0].slot) }
    var whole: Int64 = 0
    var sum = 0.0
    var isWhole = true
    for term in sort.terms {
      switch scalar(tape, term.slot) {
      case .integer(let number):
        whole = term.isNegative ? whole &- number : whole &+ number
        sum += term.isNegative ? -Double(number) : Double(number)
      case .double(let number):
        isWhole = false
        sum += term.isNegative ? -number : number
      default: return .absent
      }
    }
    return isWhole ? .integer(whole) : .double(sum)
  }

  /// The parent of an item; nil if it has no parent field.
  func parent(_ tape: Tape, _ plan: CollectionPlan, _ position: Int) -> Int64? {
    guard position >= 0 else { return nil }
    let place = plan.parentID.map { Self.member($0, of: position, tape) } ?? position
    return place >= 0 ? TapeScalar(tape, at: place).id : nil
  }

  /// Finds the needed members of an item: at the positions of the item before, otherwise by comparing all names.
  @inline(__always)
  func find(_ tape: Tape, _ item: Int, _ plan: CollectionPlan, _ slots: UInt64) {
    let contents = tape.contents(at: item)
    var index = contents.lowerBound
    var place = 0
    var left = slots
    while left != 0, index < contents.upperBound, place < 64 {
      let slot = Int(plan.expected[place])
      if slot >= 0, slots >> UInt64(slot) & 1 == 1, plan.fields[slot].isName(at: index, of: tape) {
        found[slot] = index + 1
        left &= ~(1 << UInt64(slot))
      }
      index = tape.next(after: index + 1)
      place += 1
    }
    if left != 0 { search(tape, item, plan) }
  }

  func search(_ tape: Tape, _ item: Int, _ plan: CollectionPlan) {
    for slot in plan.fields.indices { found[slot] = -1 }
    for place in plan.expected.indices { plan.expected[place] = -1 }
    let contents = tape.contents(at: item)
    var index = contents.lowerBound
    var place = 0
    while index < contents.upperBound {
      if let slot = plan.fields.firstIndex(where: { $0.isName(at: index, of: tape) }) {
        found[slot] = index + 1
        if place < 64 { plan.expected[place] = Int8(slot) }
      }
      index = tape.next(after: index + 1)
      place += 1
    }
  }
}
