/// Applies schemas to a tape. Returns `true` only if the tree would return valid. The tree decides everything else:
/// invalid values, repeated names, numbers that need their digits, patterns that exceed their limit.
///
/// Lives for one document, on one thread. It holds plain pointers that its caller keeps alive.
struct TapeRun: ~Copyable {
  let program: UnsafePointer<TapeTables>
  let nodes: UnsafePointer<TapeNode>
  let tape: Tape
  let words: UnsafePointer<UInt64>
  let text: UnsafePointer<UInt8>
  let arena: UnsafeMutablePointer<WordArena>
  unowned(unsafe) let regex: RegexScratch
  let accepted: AcceptedStrings
  private let scope: UnsafeMutablePointer<Int32>
  private var depth = 0
  private var scopeCount = 0
  /// The remaining budget.
  var budget: Int
  /// The tape cannot decide some part.
  var isOpen = false
  /// The nesting depth of `not`, `oneOf` and similar keywords, where a failing schema may make the whole valid.
  var negations = 0

  /// The maximum number of schemas entered and names visited, for documents of any length: about a second.
  static let mostWork = 100_000_000
  /// The maximum nesting of schemas.
  static let maximumDepth = 1000

  // Inlined, so that it takes over no reference.
  @inline(__always)
  init(_ program: UnsafePointer<TapeTables>, _ tape: Tape, _ scratch: SchemaScratch) {
    self.program = program
    self.tape = tape
    arena = scratch.arena
    regex = scratch.regex
    accepted = scratch.accepted
    scope = scratch.scope
    nodes = program.pointee.nodes
    words = tape.words
    text = program.pointee.text
    // Like the tree's budget, in words of the tape.
    budget = min(200_000 + 100 * tape.payload(at: 0), Self.mostWork)
  }

  var isExhausted: Bool { budget <= 0 }

  /// True if the value at `position` satisfies the schema.
  ///
  /// - Parameter evaluated: the output for evaluated properties or items: a word of flags (1: `properties` applied to
  ///   this object, 2: its names were compared) and a bit for each.
  mutating func holds(_ id: Int32, _ position: Int, _ evaluated: UnsafeMutablePointer<UInt64>?) -> Bool {
    let node = nodes + Int(id)
    if node.pointee.isTrivial || behind(node, position) > 0 { return true }
    if node.pointee.isPlain {
      // Fast path for the most frequent values.
      let types = TypeSet(rawValue: node.pointee.types)
      switch tape.type(at: position) {
      case UInt8(ascii: "\""):
        guard types.contains(.string) else { return false }
        return (node.pointee.string < 0 || isString(program.pointee.strings + Int(node.pointee.string), position))
          && isListed(node, position)
      case UInt8(ascii: "l"):
        guard !types.isDisjoint(with: [.number, .integer, .writtenInteger]) else { return false }
        return (node.pointee.number < 0 || isInteger(program.pointee.numbers + Int(node.pointee.number), position))
          && isListed(node, position)
      default: break
      }
    }
    return holdsInDepth(node, position, evaluated)
  }

  /// The position after a string or an integer that satisfies the schema by its length or size alone; otherwise 0.
  @inline(__always)
  func behind(_ node: UnsafePointer<TapeNode>, _ position: Int) -> Int {
    switch tape.type(at: position) {
    case UInt8(ascii: "\""):
      let length = tape.text(at: position).loadUnaligned(as: UInt32.self)
      return length >= node.pointee.leastBytes && length <= node.pointee.mostBytes ? position &+ 1 : 0
    case UInt8(ascii: "l"):
      let value = Int64(bitPattern: words[position &+ 1])
      return value >= node.pointee.least && value <= node.pointee.most ? position &+ 2 : 0
    default: return 0
    }
  }

  @inline(__always)
  private mutating func isListed(_ node: UnsafePointer<TapeNode>, _ position: Int) -> Bool {
    node.pointee.enumeration < 0 || isListed(program.pointee.enumerations + Int(node.pointee.enumeration), position)
  }

  @inline(never)
  private mutating func holdsInDepth(
    _ node: UnsafePointer<TapeNode>, _ position: Int, _ evaluated: UnsafeMutablePointer<UInt64>?
  ) -> Bool {
    budget &-= 1
    depth &+= 1
    guard budget > 0, depth < Self.maximumDepth else { return leaveOpen() }
    let isHeld: Bool
    if program.pointee.hasDynamicScope || node.pointee.hasUnevaluated {
      isHeld = holdsWithContext(node, position, evaluated)
    } else {
      isHeld = holdsPlainly(node, position, evaluated)
    }
    depth &-= 1
    return isHeld
  }

  @inline(__always)
  private mutating func holdsPlainly(
    _ node: UnsafePointer<TapeNode>, _ position: Int, _ evaluated: UnsafeMutablePointer<UInt64>?
  ) -> Bool {
    let types = TypeSet(rawValue: node.pointee.types)
    switch tape.type(at: position) {
    case UInt8(ascii: "\""):
      guard types.contains(.string) else { return false }
      if node.pointee.string >= 0, !isString(program.pointee.strings + Int(node.pointee.string), position) {
        return false
      }
    case UInt8(ascii: "l"):
      guard !types.isDisjoint(with: [.number, .integer, .writtenInteger]) else { return false }
      if node.pointee.number >= 0, !isInteger(program.pointee.numbers + Int(node.pointee.number), position) {
        return false
      }
    case UInt8(ascii: "d"), UInt8(ascii: "u"):
      guard types.contains(.number) || isWhole(types, position) else { return false }
      if node.pointee.number >= 0, !isNumber(program.pointee.numbers + Int(node.pointee.number), position) {
        return false
      }
    case UInt8(ascii: "{"):
      guard types.contains(.object) else { return false }
      if node.pointee.object >= 0, !isObject(program.pointee.objects + Int(node.pointee.object), position, evaluated) {
        return false
      }
    case UInt8(ascii: "["):
      guard types.contains(.array) else { return false }
      if node.pointee.array >= 0, !isArray(program.pointee.arrays + Int(node.pointee.array), position, evaluated) {
        return false
      }
    case UInt8(ascii: "n"): guard types.contains(.null) else { return false }
    default: guard types.contains(.boolean) else { return false }
    }
    if !isListed(node, position) { return false }
    for index in node.pointee.steps.range {
      if !runStep(program.pointee.steps + index, position, evaluated) { return false }
    }
    return true
  }

  /// With the resource on the dynamic scope, and with a separate bit set if the node needs the evaluated members.
  private mutating func holdsWithContext(
    _ node: UnsafePointer<TapeNode>, _ position: Int, _ outer: UnsafeMutablePointer<UInt64>?
  ) -> Bool {
    let entered = program.pointee.hasDynamicScope && (scopeCount == 0 || scope[scopeCount - 1] != node.pointee.resource)
    if entered {
      scope[scopeCount] = node.pointee.resource
      scopeCount += 1
    }
    defer { if entered { scopeCount -= 1 } }
    let isContainer = tape.kind(at: position) == .object || tape.kind(at: position) == .array
    guard node.pointee.hasUnevaluated, isContainer else { return holdsPlainly(node, position, outer) }
    let mark = arena.pointee.mark
    defer { arena.pointee.release(mark) }
    let count = bitCount(position)
    let own = arena.pointee.takeWords(count)
    guard holdsPlainly(node, position, own) else { return false }
    if let outer { for word in 0..<count { outer[word] |= own[word] } }
    return true
  }

  /// The number of words of a bit set for the members or items of a value, including the word of flags.
  func bitCount(_ position: Int) -> Int {
    // The tape's own count saturates. Each member has at least two words, each item one.
    let count = Int(words[position] >> 32 & 0xFF_FFFF)
    let known = count == 0xFF_FFFF ? tape.contents(at: position).count : count
    return (known + 63) / 64 + 1
  }

  /// The tape cannot decide it; the tree does.
  @inline(never)
  mutating func leaveOpen() -> Bool {
    isOpen = true
    return false
  }

  /// The anchor's node in the outermost entered resource that has it, or the initial target.
  func dynamicTarget(_ table: Int32, _ initial: Int32) -> Int32 {
    let targets = program.pointee.dynamicTargets + Int(table) * program.pointee.resourceCount
    for index in 0..<scopeCount {
      let target = targets[Int(scope[index])]
      if target >= 0 { return target }
    }
    return initial
  }
}

extension TapeRun {
  @inline(__always)
  func isName(_ name: TapeName, _ position: Int) -> Bool {
    name.matches(tape.text(at: position), text: text)
  }

  mutating func isListed(_ check: UnsafePointer<EnumerationCheck>, _ position: Int) -> Bool {
    switch tape.type(at: position) {
    case UInt8(ascii: "\""):
      if check.pointee.table.count > 0 { return isInTable(check, position) }
      for index in check.pointee.strings.range where isName(program.pointee.names[index], position) { return true }
      return false
    case UInt8(ascii: "n"): return check.pointee.allowsNull
    case UInt8(ascii: "t"): return check.pointee.allowsTrue
    case UInt8(ascii: "f"): return check.pointee.allowsFalse
    case UInt8(ascii: "l"):
      let value = Int64(bitPattern: words[position + 1])
      return isInOrder(value, check.pointee.integers)
    case UInt8(ascii: "{"): return check.pointee.hasObjects && leaveOpen()
    case UInt8(ascii: "["): return check.pointee.hasArrays && leaveOpen()
    default:
      let isPossible = check.pointee.hasDecimals || check.pointee.integers.count > 0
      return isPossible && leaveOpen()
    }
  }

  private func isInTable(_ check: UnsafePointer<EnumerationCheck>, _ position: Int) -> Bool {
    let found = TapeText(tape.utf8(at: position))
    let table = program.pointee.tables + Int(check.pointee.table.start)
    let mask = Int(check.pointee.table.count) - 1
    let names = program.pointee.names + Int(check.pointee.strings.start)
    var place = Int(truncatingIfNeeded: found.hash) & mask
    while table[place] >= 0 {
      if isName(names[Int(table[place])], position) { return true }
      place = (place + 1) & mask
    }
    return false
  }

  /// Binary search.
  private func isInOrder(_ value: Int64, _ integers: Slice) -> Bool {
    var low = Int(integers.start)
    var high = low + Int(integers.count)
    while low < high {
      let middle = (low + high) / 2
      if program.pointee.integers[middle] == value { return true }
      if program.pointee.integers[middle] < value { low = middle + 1 } else { high = middle }
    }
    return false
  }
}
