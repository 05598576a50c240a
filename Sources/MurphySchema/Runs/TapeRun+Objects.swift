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

  /// What is known about the names of an object while its members are visited.
  private struct Names {
    /// One bit for each name without a slot.
    var unnamed: UInt64 = 0
    /// Not 0 if a name is repeated.
    var repeated: UInt64 = 0
    var isSearched = false

    @inline(__always)
    mutating func see(_ slot: Int, _ seen: UnsafeMutablePointer<UInt64>) {
      let bit: UInt64 = 1 &<< UInt64(truncatingIfNeeded: slot)
      repeated |= seen[slot >> 6] & bit
      seen[slot >> 6] |= bit
    }
  }

  @inline(__always)
  private mutating func visit(
    _ check: UnsafePointer<ObjectCheck>, _ position: Int, _ seen: UnsafeMutablePointer<UInt64>,
    _ evaluated: UnsafeMutablePointer<UInt64>?
  ) -> Bool {
    let end = tape.contents(at: position).upperBound
    let slots = program.pointee.slots + Int(check.pointee.slots.start)
    let slotCount = Int(check.pointee.slots.count)
    let isSimple = check.pointee.patterns.count == 0 && check.pointee.names < 0 && evaluated == nil
    var index = position + 1
    var guess = 0
    var count = 0
    var names = Names()
    while index < end {
      var next = 0
      // Most objects have their members in the order of the schema.
      let isExpected = guess < slotCount && isName(slots[guess].name, index)
      if isExpected, isSimple, slots[guess].node >= 0 {
        let node = slots[guess].node
        names.see(guess, seen)
        guess &+= 1
        next = behind(nodes + Int(node), index &+ 1)
        if next == 0, !holds(node, index &+ 1, nil) { return false }
      } else {
        let slot = isExpected ? guess : find(check, slots, index)
        guard visitMember(check, position, index, slot, count, seen, evaluated, &names) else { return false }
        if slot >= 0 { guess = slot &+ 1 }
      }
      count &+= 1
      index = next > 0 ? next : tape.next(after: index &+ 1)
    }
    budget &-= count
    if names.repeated != 0 { return leaveOpen() }
    if let evaluated { evaluated[0] |= check.pointee.hasProperties ? 3 : 2 }
    return count >= check.pointee.minimum && count <= check.pointee.maximum
  }

  /// Applies all keywords to the member whose name is at `index`, the `count`-th of the object at `position`.
  ///
  /// - Parameter slot: of its name; -1 for none.
  @inline(never)
  private mutating func visitMember(
    _ check: UnsafePointer<ObjectCheck>, _ position: Int, _ index: Int, _ slot: Int, _ count: Int,
    _ seen: UnsafeMutablePointer<UInt64>, _ evaluated: UnsafeMutablePointer<UInt64>?, _ names: inout Names
  ) -> Bool {
    var isKnown = false
    if slot >= 0 {
      names.see(slot, seen)
      let found = program.pointee.slots + (Int(check.pointee.slots.start) + slot)
      isKnown = found.pointee.isDeclared
      let node = found.pointee.node
      if node >= 0, !holds(node, index + 1, nil) { return false }
    } else {
      // A full comparison if bits collide.
      let bit: UInt64 = 1 << (TapeText(tape.utf8(at: index)).hash & 63)
      if names.unnamed & bit != 0, !names.isSearched {
        names.isSearched = true
        if hasRepeatedName(position) { names.repeated = 1 }
      }
      names.unnamed |= bit
    }
    if check.pointee.patterns.count > 0 {
      guard let isMatched = matchesPatterns(check, tape.utf8(at: index), index + 1) else { return false }
      isKnown = isKnown || isMatched
    }
    if !isKnown, check.pointee.additional >= 0 {
      isKnown = true
      if !holds(check.pointee.additional, index + 1, nil) { return false }
    }
    if check.pointee.names >= 0, !holds(check.pointee.names, index, nil) { return false }
    if isKnown, let evaluated { evaluated[1 &+ count >> 6] |= 1 &<< UInt64(truncatingIfNeeded: count) }
    return true
  }

  @inline(never)
  private func find(
    _ check: UnsafePointer<ObjectCheck>, _ slots: UnsafePointer<PropertySlot>, _ position: Int
  ) -> Int {
    let table = program.pointee.tables + Int(check.pointee.table.start)
    let mask = Int(check.pointee.table.count) - 1
    var place = Int(truncatingIfNeeded: TapeText(tape.utf8(at: position)).hash) & mask
    while true {
      let slot = Int(table[place])
      if slot < 0 || isName(slots[slot].name, position) { return slot }
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
