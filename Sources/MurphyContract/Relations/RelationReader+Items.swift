import MurphySchema

extension RelationReader {
  func noteValues(_ tape: Tape, _ plan: CollectionPlan) {
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
