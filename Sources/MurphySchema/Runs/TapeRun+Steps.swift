extension TapeRun {
  mutating func runStep(
    _ step: UnsafePointer<TapeStep>, _ position: Int, _ evaluated: UnsafeMutablePointer<UInt64>?
  ) -> Bool {
    switch step.pointee.kind {
    case .enumeration: return isListed(program.pointee.enumerations + Int(step.pointee.first), position)
    case .reference: return holds(step.pointee.first, position, evaluated)
    case .dynamicReference: return holds(dynamicTarget(step.pointee.first, step.pointee.second), position, evaluated)
    case .all:
      for index in step.pointee.list.range where !holds(program.pointee.lists[index], position, evaluated) {
        return false
      }
      return true
    case .any: return anyHolds(step.pointee.list, position, evaluated)
    case .one: return oneHolds(step.pointee.list, position, evaluated)
    case .chosen: return chosenHolds(step, position, evaluated)
    case .not:
      negations &+= 1
      defer { negations &-= 1 }
      return !holds(step.pointee.first, position, nil) && !isOpen
    case .conditional:
      let condition = attempt(step.pointee.first, position, evaluated)
      if isOpen { return false }
      let next = condition ? step.pointee.second : step.pointee.third
      return next < 0 || holds(next, position, evaluated)
    case .unevaluatedItems: return restHolds(step.pointee.first, position, evaluated, type: UInt8(ascii: "["))
    case .unevaluatedProperties: return restHolds(step.pointee.first, position, evaluated, type: UInt8(ascii: "{"))
    case .undocumented:
      guard let evaluated, tape.type(at: position) == UInt8(ascii: "{"), evaluated[0] & 1 != 0 else { return true }
      return firstUnevaluated(position, evaluated) == nil
    case .content: return tape.type(at: position) != UInt8(ascii: "\"") || leaveOpen()
    case .unchecked: return leaveOpen()
    }
  }

  /// Applies a schema that may fail without failing the whole. Its evaluated properties only count if it holds.
  private mutating func attempt(
    _ node: Int32, _ position: Int, _ evaluated: UnsafeMutablePointer<UInt64>?
  ) -> Bool {
    negations &+= 1
    defer { negations &-= 1 }
    guard let evaluated else { return holds(node, position, nil) }
    let mark = arena.pointee.mark
    defer { arena.pointee.release(mark) }
    let count = bitCount(position)
    let own = arena.pointee.takeWords(count)
    guard holds(node, position, own) else { return false }
    for word in 0..<count { evaluated[word] |= own[word] }
    return true
  }

  private mutating func anyHolds(
    _ list: Slice, _ position: Int, _ evaluated: UnsafeMutablePointer<UInt64>?
  ) -> Bool {
    var isHeld = false
    for index in list.range {
      let holdsHere = attempt(program.pointee.lists[index], position, evaluated)
      if isOpen { return false }
      if holdsHere, evaluated == nil { return true }
      isHeld = isHeld || holdsHere
    }
    return isHeld
  }

  private mutating func oneHolds(
    _ list: Slice, _ position: Int, _ evaluated: UnsafeMutablePointer<UInt64>?
  ) -> Bool {
    var count = 0
    for index in list.range {
      if attempt(program.pointee.lists[index], position, evaluated) { count &+= 1 }
      if isOpen || count > 1 { return false }
    }
    return count == 1
  }

  /// Reads the property that distinguishes the branches, and applies the only branch that can match.
  private mutating func chosenHolds(
    _ step: UnsafePointer<TapeStep>, _ position: Int, _ evaluated: UnsafeMutablePointer<UInt64>?
  ) -> Bool {
    guard tape.type(at: position) == UInt8(ascii: "{") else {
      return step.pointee.second == 1
        ? oneHolds(step.pointee.list, position, evaluated) : anyHolds(step.pointee.list, position, evaluated)
    }
    let chosen = program.pointee.switches + Int(step.pointee.first)
    var value = 0
    var index = position + 1
    let end = tape.contents(at: position).upperBound
    while index < end {
      budget &-= 1
      if isName(chosen.pointee.name, index) {
        if value != 0 { return leaveOpen() }
        value = index + 1
      }
      index = tape.next(after: index + 1)
    }
    if value == 0 { return false }
    let branch: Int32
    switch tape.type(at: value) {
    case UInt8(ascii: "\""):
      var found = chosen.pointee.anyString
      for index in chosen.pointee.strings.range where isName(program.pointee.cases[index].value, value) {
        found = program.pointee.cases[index].node
      }
      branch = found
    case UInt8(ascii: "n"): branch = chosen.pointee.null
    case UInt8(ascii: "t"), UInt8(ascii: "f"): branch = chosen.pointee.boolean
    case UInt8(ascii: "{"): branch = chosen.pointee.object
    case UInt8(ascii: "["): branch = chosen.pointee.array
    default: branch = chosen.pointee.number
    }
    return branch >= 0 && holds(branch, position, evaluated)
  }

  /// Applies a schema to the members or items that no schema has evaluated.
  private mutating func restHolds(
    _ node: Int32, _ position: Int, _ evaluated: UnsafeMutablePointer<UInt64>?, type: UInt8
  ) -> Bool {
    guard tape.type(at: position) == type, let evaluated else { return true }
    let width = type == UInt8(ascii: "{") ? 1 : 0
    var index = position + 1
    var count = 0
    let end = tape.contents(at: position).upperBound
    while index < end {
      let bit: UInt64 = 1 << UInt64(count & 63)
      if evaluated[1 + count >> 6] & bit == 0 {
        if !holds(node, index + width, nil) { return negations > 0 && width == 1 ? refuse(position) : false }
        evaluated[1 + count >> 6] |= bit
      }
      count &+= 1
      index = tape.next(after: index + width)
    }
    budget &-= count
    // Bits are by position, so a repeated name needs the tree.
    // If a schema has compared the names, it has checked for repeated ones.
    if width == 1, evaluated[0] & 2 == 0, hasRepeatedName(position) { return leaveOpen() }
    return true
  }

  private mutating func firstUnevaluated(_ position: Int, _ evaluated: UnsafeMutablePointer<UInt64>) -> Int? {
    let count = Int(words[position] >> 32 & 0xFF_FFFF)
    // The tape's count saturates at this value.
    if count == 0xFF_FFFF {
      isOpen = true
      return 0
    }
    return (0..<count).first { evaluated[1 + $0 >> 6] & 1 << UInt64($0 & 63) == 0 }
  }
}
