extension TapeRun {
  mutating func isArray(
    _ check: UnsafePointer<ArrayCheck>, _ position: Int, _ evaluated: UnsafeMutablePointer<UInt64>?
  ) -> Bool {
    let end = tape.contents(at: position).upperBound
    let prefix = check.pointee.prefix
    var index = position + 1
    var count = 0
    var found = 0
    while index < end {
      var isEvaluated = false
      if count < Int(prefix.count) {
        isEvaluated = true
        if !holds(program.pointee.lists[Int(prefix.start) + count], index, nil) { return false }
      } else if check.pointee.rest >= 0 {
        isEvaluated = true
        if !holds(check.pointee.rest, index, nil) { return false }
      }
      if check.pointee.contains >= 0 {
        negations &+= 1
        let isFound = holds(check.pointee.contains, index, nil)
        negations &-= 1
        if isOpen { return false }
        if isFound {
          found &+= 1
          isEvaluated = isEvaluated || check.pointee.containsEvaluates
        }
      }
      if isEvaluated, let evaluated { evaluated[1 + count >> 6] |= 1 << UInt64(count & 63) }
      count &+= 1
      index = tape.next(after: index)
    }
    if count < check.pointee.minimum || count > check.pointee.maximum { return false }
    if check.pointee.contains >= 0, found < check.pointee.containsMinimum || found > check.pointee.containsMaximum {
      return false
    }
    return !check.pointee.isUnique || count < 2 || areUnique(position, count, check.pointee.key)
  }

  /// Equal values have equal signatures. A table of them finds the pairs that need a comparison.
  ///
  /// - Parameter key: the name of a member of all items. If its values differ, nothing else is read.
  private mutating func areUnique(_ position: Int, _ count: Int, _ key: Int32) -> Bool {
    let mark = arena.pointee.mark
    defer { arena.pointee.release(mark) }
    var size = 4
    while size < count * 2 { size *= 2 }
    // Two words for each entry: the signature and the position.
    let table = arena.pointee.takeWords(size * 2)
    let end = tape.contents(at: position).upperBound
    var index = position + 1
    while index < end {
      let signature = key >= 0 ? keySignature(index, key) : signature(index, isInside: false)
      if isOpen { return false }
      var place = Int(truncatingIfNeeded: signature) & (size - 1)
      while table[place * 2 + 1] != 0 {
        // Signatures can be made to collide on purpose; the budget bounds the cost.
        budget &-= 1
        if budget <= 0 { return leaveOpen() }
        if table[place * 2] == signature {
          if key >= 0 { return areUnique(position, count, -1) }
          if !differ(Int(table[place * 2 + 1]), index) { return false }
        }
        place = (place + 1) & (size - 1)
      }
      table[place * 2] = signature
      table[place * 2 + 1] = UInt64(index)
      index = tape.next(after: index)
    }
    return true
  }

  /// Compares two values of equal signature. Strings and numbers are compared here, all others by the tree.
  private mutating func differ(_ left: Int, _ right: Int) -> Bool {
    if tape.type(at: left) == UInt8(ascii: "\""), tape.type(at: right) == UInt8(ascii: "\"") {
      return !tape.utf8(at: left).elementsEqual(tape.utf8(at: right))
    }
    if tape.type(at: left) == UInt8(ascii: "l"), tape.type(at: right) == UInt8(ascii: "l") {
      return words[left + 1] != words[right + 1]
    }
    return leaveOpen()
  }

  /// A hash that is equal for equal values. It covers the type, the number as a double, and the ends of strings. For
  /// objects and arrays it covers the contents, one level deep. The order of members does not count.
  private mutating func signature(_ position: Int, isInside: Bool) -> UInt64 {
    switch tape.type(at: position) {
    case UInt8(ascii: "{") where !isInside: return objectSignature(position)
    case UInt8(ascii: "[") where !isInside:
      var sum: UInt64 = 11
      var index = position + 1
      let end = tape.contents(at: position).upperBound
      while index < end {
        sum = Self.mix(sum &+ signature(index, isInside: true))
        index = tape.next(after: index)
      }
      return sum
    default: return Self.mix(memberWord(position))
    }
  }

  /// Only the value of one member. The schema of the items requires it, and has refused repeated names.
  private func keySignature(_ position: Int, _ key: Int32) -> UInt64 {
    guard tape.type(at: position) == UInt8(ascii: "{") else { return 0 }
    let name = program.pointee.names + Int(key)
    var index = position + 1
    let end = tape.contents(at: position).upperBound
    while index < end {
      if isName(name.pointee, index) { return Self.mix(memberWord(index + 1)) }
      index = tape.next(after: index + 1)
    }
    return 0
  }

  private mutating func objectSignature(_ position: Int) -> UInt64 {
    var sum: UInt64 = 7
    var names: UInt64 = 0
    var isSuspect = false
    var index = position + 1
    let end = tape.contents(at: position).upperBound
    while index < end {
      // One multiplication for each member; colliding values are compared.
      let name = nameWord(index) &* 0x9E37_79B9_7F4A_7C15
      let bit: UInt64 = 1 << (name >> 58)
      isSuspect = isSuspect || names & bit != 0
      names |= bit
      // Both halves of the product, folded: with a plain sum, changes in two members could cancel each other.
      let product = (name ^ memberWord(index + 1)).multipliedFullWidth(by: 0xBF58_476D_1CE4_E5B9)
      sum &+= product.high ^ product.low
      index = tape.next(after: index + 1)
    }
    if isSuspect, hasRepeatedName(position) { isOpen = true }
    return Self.mix(sum)
  }

  @inline(__always)
  private func nameWord(_ position: Int) -> UInt64 {
    let text = TapeText(tape.utf8(at: position))
    return (text.head ^ (text.tail &* 31)) &+ UInt64(truncatingIfNeeded: text.length)
  }

  /// Equal for equal values; only the type for containers.
  @inline(__always)
  private func memberWord(_ position: Int) -> UInt64 {
    switch tape.type(at: position) {
    case UInt8(ascii: "\""): nameWord(position) ^ (nameWord(position) >> 29)
    case UInt8(ascii: "l"): Double(Int64(bitPattern: words[position + 1])).bitPattern >> 7
    case UInt8(ascii: "d"), UInt8(ascii: "u"): (double(position) + 0).bitPattern >> 7
    default: UInt64(tape.type(at: position))
    }
  }

  @inline(__always)
  private static func mix(_ value: UInt64) -> UInt64 {
    // SplitMix64's finaliser.
    var value = (value ^ (value >> 30)) &* 0xBF58_476D_1CE4_E5B9
    value = (value ^ (value >> 27)) &* 0x94D0_49BB_1331_11EB
    return value ^ (value >> 31)
  }
}
