extension TapeRun {
  mutating func isObject(
    _ check: UnsafePointer<ObjectCheck>, _ position: Int, _ evaluated: UnsafeMutablePointer<UInt64>?
  ) -> Bool {
    let mark = arena.pointee.mark
    defer { arena.pointee.release(mark) }
    let seen = arena.pointee.takeWords(check.pointee.words)
    guard visit(check, position, seen, evaluated) else { return negations == 0 ? false : refuse(position) }
    return hasRequired(check, seen) && satisfies(check, seen, position, evaluated)
  }

  @inline(__always)
  private mutating func visit(
    _ check: UnsafePointer<ObjectCheck>, _ position: Int, _ seen: UnsafeMutablePointer<UInt64>,
    _ evaluated: UnsafeMutablePointer<UInt64>?
  ) -> Bool {
    let end = tape.contents(at: position).upperBound
    let slots = program.pointee.slots + Int(check.pointee.slots.start)
    let slotCount = Int(check.pointee.slots.count)
    let additional = check.pointee.additional
    let names = check.pointee.names
    let hasPatterns = check.pointee.patterns.count > 0
    var index = position + 1
    var guess = 0
    var count = 0
    var unnamed: UInt64 = 0
    var isRepeated = false
    var isSearched = false
    while index < end {
      let name = tape.utf8(at: index)
      let found = TapeText(name)
      var isKnown = false
      var slot = guess
      if guess >= slotCount || !slots[guess].name.matches(found, text: text) {
        slot = find(check, slots, found)
      }
      if slot >= 0 {
        guess = slot &+ 1
        let bit: UInt64 = 1 &<< UInt64(truncatingIfNeeded: slot)
        isRepeated = isRepeated || seen[slot >> 6] & bit != 0
        seen[slot >> 6] |= bit
        isKnown = slots[slot].isDeclared
        let node = slots[slot].node
        if node >= 0, !holds(node, index + 1, nil) { return false }
      } else {
        // Names without a slot: one bit for each, and a full comparison if bits collide.
        let bit: UInt64 = 1 << (found.hash & 63)
        if unnamed & bit != 0, !isSearched {
          isSearched = true
          isRepeated = isRepeated || hasRepeatedName(position)
        }
        unnamed |= bit
      }
      if hasPatterns {
        guard let isMatched = matchesPatterns(check, name, index + 1) else { return false }
        isKnown = isKnown || isMatched
      }
      if !isKnown, additional >= 0 {
        isKnown = true
        if !holds(additional, index + 1, nil) { return false }
      }
      if names >= 0, !holds(names, index, nil) { return false }
      if isKnown, let evaluated { evaluated[1 &+ count >> 6] |= 1 &<< UInt64(truncatingIfNeeded: count) }
      count &+= 1
      index = tape.next(after: index + 1)
    }
    budget &-= count
    if isRepeated { return leaveOpen() }
    if let evaluated { evaluated[0] |= check.pointee.hasProperties ? 3 : 2 }
    return count >= check.pointee.minimum && count <= check.pointee.maximum
  }

  @inline(__always)
  private func find(
    _ check: UnsafePointer<ObjectCheck>, _ slots: UnsafePointer<PropertySlot>, _ name: TapeText
  ) -> Int {
    let table = program.pointee.tables + Int(check.pointee.table.start)
    let mask = Int(check.pointee.table.count) - 1
    var place = Int(truncatingIfNeeded: name.hash) & mask
    while true {
      let slot = Int(table[place])
      if slot < 0 || slots[slot].name.matches(name, text: text) { return slot }
      place = (place + 1) & mask
    }
  }

  /// Nil if the schema of a matching pattern fails; otherwise true if any pattern matched.
  private mutating func matchesPatterns(
    _ check: UnsafePointer<ObjectCheck>, _ name: UnsafeRawBufferPointer, _ value: Int
  ) -> Bool? {
    var isKnown = false
    for index in check.pointee.patterns.range {
      let slot = program.pointee.patternSlots[index]
      if matches(slot.pattern, name) {
        isKnown = true
        if !holds(slot.node, value, nil) { return nil }
      } else if isOpen {
        return nil
      }
    }
    return isKnown
  }

  @inline(__always)
  private func hasRequired(_ check: UnsafePointer<ObjectCheck>, _ seen: UnsafeMutablePointer<UInt64>) -> Bool {
    guard check.pointee.required >= 0 else { return true }
    return contains(seen, program.pointee.bits + Int(check.pointee.required), check.pointee.words)
  }

  @inline(__always)
  private func contains(
    _ seen: UnsafeMutablePointer<UInt64>, _ wanted: UnsafePointer<UInt64>, _ words: Int
  ) -> Bool {
    for word in 0..<words where seen[word] & wanted[word] != wanted[word] { return false }
    return true
  }

  @inline(__always)
  private mutating func satisfies(
    _ check: UnsafePointer<ObjectCheck>, _ seen: UnsafeMutablePointer<UInt64>, _ position: Int,
    _ evaluated: UnsafeMutablePointer<UInt64>?
  ) -> Bool {
    for index in check.pointee.dependencies.range {
      let dependency = program.pointee.dependencies[index]
      let slot = Int(dependency.slot)
      guard seen[slot >> 6] & 1 &<< UInt64(truncatingIfNeeded: slot) != 0 else { continue }
      if dependency.required >= 0, !contains(seen, program.pointee.bits + Int(dependency.required), check.pointee.words)
      {
        return false
      }
      if dependency.node >= 0, !holds(dependency.node, position, evaluated) { return false }
    }
    return true
  }

  /// A failure that could make the whole valid must not depend on a name that a later one replaces.
  @inline(never)
  mutating func refuse(_ position: Int) -> Bool {
    if hasRepeatedName(position) { isOpen = true }
    return false
  }

  /// True if a name occurs twice in the object. Linear, with a table from the arena.
  @inline(never)
  mutating func hasRepeatedName(_ position: Int) -> Bool {
    let mark = arena.pointee.mark
    defer { arena.pointee.release(mark) }
    var size = 8
    // A member needs at least two words.
    while size < tape.contents(at: position).count { size *= 2 }
    let table = arena.pointee.takeWords(size)
    var index = position + 1
    let end = tape.contents(at: position).upperBound
    while index < end {
      let name = tape.utf8(at: index)
      var place = Int(truncatingIfNeeded: TapeText(name).hash) & (size - 1)
      while table[place] != 0 {
        // Hashes can be made to collide on purpose. If the budget is used up, the result is the safe one.
        budget &-= 1
        if budget <= 0 { return true }
        if tape.utf8(at: Int(table[place])).elementsEqual(name) { return true }
        place = (place + 1) & (size - 1)
      }
      table[place] = UInt64(index)
      index = tape.next(after: index + 1)
    }
    return false
  }
}
