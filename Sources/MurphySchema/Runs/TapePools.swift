import MurphyRegex

/// A tape program in the making.
struct TapePools {
  var nodes: [TapeNode] = []
  var steps: [TapeStep] = []
  var numbers: [NumberCheck] = []
  var bounds: [NumberBound] = []
  var divisors: [NumberDivisor] = []
  var strings: [StringCheck] = []
  var arrays: [ArrayCheck] = []
  var objects: [ObjectCheck] = []
  var slots: [PropertySlot] = []
  var tables: [Int32] = []
  var bits: [UInt64] = []
  var patternSlots: [PatternSlot] = []
  var dependencies: [Dependency] = []
  var lists: [Int32] = []
  var switches: [Switch] = []
  var cases: [SwitchCase] = []
  var enumerations: [EnumerationCheck] = []
  var names: [TapeName] = []
  var integers: [Int64] = []
  var text: [UInt8] = []
  var patterns: [ECMAPattern] = []
  var dynamicTargets: [Int32] = []
  var resourceCount = 0
  var hasDynamicScope = false

  mutating func name(_ string: String) -> TapeName {
    let offset = text.count
    let bytes = Array(string.utf8)
    text += bytes
    // Eight bytes are always read.
    let padded = bytes + [UInt8](repeating: 0, count: 8)
    return padded.withUnsafeBufferPointer { buffer in
      guard let start = buffer.baseAddress else { return TapeName(length: 0, head: 0, tail: 0, offset: offset) }
      let head = TapeName.head(start, bytes.count)
      return TapeName(length: bytes.count, head: head, tail: TapeName.tail(start, bytes.count, head), offset: offset)
    }
  }

  /// Appends to a pool and gives the slice.
  static func append<Element>(_ elements: [Element], to pool: inout [Element]) -> Slice {
    let slice = Slice(start: Int32(pool.count), count: Int32(elements.count))
    pool += elements
    return slice
  }
}
