import MurphyJSON

extension TapeRun {
  @inline(__always)
  func isName(_ name: TapeName, _ position: Int) -> Bool {
    let found = tape.utf8(at: position)
    guard found.count == name.length else { return false }
    let bytes = found.baseAddress.unsafelyUnwrapped.assumingMemoryBound(to: UInt8.self)
    let head = TapeName.head(bytes, found.count)
    return name.matches(bytes, found.count, head, TapeName.tail(bytes, found.count, head), text: text)
  }

  mutating func isListed(_ check: UnsafePointer<EnumerationCheck>, _ position: Int) -> Bool {
    switch tape.type(at: position) {
    case UInt8(ascii: "\""):
      if check.pointee.table.count > 0 { return isInTable(check, position) }
      for index in check.pointee.strings.range where isName(program.names[index], position) { return true }
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
    let found = tape.utf8(at: position)
    let bytes = found.baseAddress.unsafelyUnwrapped.assumingMemoryBound(to: UInt8.self)
    let head = TapeName.head(bytes, found.count)
    let tail = TapeName.tail(bytes, found.count, head)
    let table = program.tables + Int(check.pointee.table.start)
    let mask = Int(check.pointee.table.count) - 1
    let names = program.names + Int(check.pointee.strings.start)
    var place = Int(truncatingIfNeeded: TapeName.hash(found.count, head, tail)) & mask
    while table[place] >= 0 {
      if names[Int(table[place])].matches(bytes, found.count, head, tail, text: text) { return true }
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
      if program.integers[middle] == value { return true }
      if program.integers[middle] < value { low = middle + 1 } else { high = middle }
    }
    return false
  }
}
