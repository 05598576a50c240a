import Glibc

/// A tape program under construction.
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
    text += string.utf8
    // Eight bytes are always read.
    return (Array(string.utf8) + [UInt8](repeating: 0, count: 8)).withUnsafeBytes { padded in
      let text = TapeText(UnsafeRawBufferPointer(rebasing: padded.dropLast(8)))
      return TapeName(
        head: text.head, tail: text.tail, mask: TapeText.mask(text.length), length: UInt32(text.length),
        tailStart: UInt32(max(0, text.length - 8)), offset: offset)
    }
  }

  /// Appends to a pool and returns the slice.
  static func append<Element>(_ elements: [Element], to pool: inout [Element]) -> Slice {
    let slice = Slice(start: Int32(pool.count), count: Int32(elements.count))
    pool += elements
    return slice
  }
}

/// A string that is compared with strings on the tape: its length, first and last eight bytes. The rest is stored
/// elsewhere.
///
/// For up to 16 bytes the two words are the whole string.
struct TapeName {
  let head: UInt64
  let tail: UInt64
  /// The bits of a word that belong to the string.
  let mask: UInt64
  let length: UInt32
  /// The start of the last eight bytes; 0 for a shorter string.
  let tailStart: UInt32
  /// The offset of the bytes in the program's text.
  let offset: Int

  /// - Parameters:
  ///   - found: a string on the tape, with its length.
  ///   - text: the program's text.
  @inline(__always)
  func matches(_ found: UnsafeRawPointer, text: UnsafePointer<UInt8>) -> Bool {
    let bytes = found + 4
    guard found.loadUnaligned(as: UInt32.self) == length, bytes.loadUnaligned(as: UInt64.self) & mask == head,
      (bytes + Int(tailStart)).loadUnaligned(as: UInt64.self) & mask == tail
    else { return false }
    return length <= 16 || memcmp(bytes + 8, text + (offset + 8), Int(length) - 16) == 0
  }

  var hash: UInt64 { Self.hash(Int(length), head, tail) }

  @inline(__always)
  fileprivate static func hash(_ length: Int, _ head: UInt64, _ tail: UInt64) -> UInt64 {
    // Odd constants of the golden ratio and of SplitMix64 spread the bits; the upper ones are used.
    var hash = (head ^ (tail &* 0x9E37_79B9_7F4A_7C15)) &+ UInt64(truncatingIfNeeded: length)
    hash = (hash ^ (hash >> 29)) &* 0xBF58_476D_1CE4_E5B9
    return hash ^ (hash >> 32)
  }
}

/// A string on the tape with its words. simdjson keeps at least 64 readable bytes after each string.
struct TapeText {
  let length: Int
  let head: UInt64
  let tail: UInt64

  @inline(__always)
  init(_ text: UnsafeRawBufferPointer) {
    // A string on the tape always has an address.
    let start = text.baseAddress.unsafelyUnwrapped
    length = text.count
    head = start.loadUnaligned(as: UInt64.self) & Self.mask(length)
    tail = length > 8 ? (start + (length - 8)).loadUnaligned(as: UInt64.self) : head
  }

  /// The bits of the first word that belong to a string.
  @inline(__always)
  static func mask(_ length: Int) -> UInt64 {
    length >= 8 ? .max : (1 &<< (UInt64(truncatingIfNeeded: length) &* 8)) &- 1
  }

  @inline(__always)
  var hash: UInt64 { TapeName.hash(length, head, tail) }
}

/// Memory for bit sets, allocated and released like a stack. Blocks never move; they are kept for the next run.
struct WordArena: ~Copyable {
  private var blocks: [UnsafeMutableBufferPointer<UInt64>] = []
  private var block = 0
  /// The free part of the block in use.
  private var top: UnsafeMutablePointer<UInt64>
  private var limit: UnsafeMutablePointer<UInt64>

  /// A state to return to.
  struct Mark {
    fileprivate let block: Int
    fileprivate let top: UnsafeMutablePointer<UInt64>
  }

  private static let blockSize = 4096

  init() {
    top = .allocate(capacity: Self.blockSize)
    limit = top + Self.blockSize
    blocks.append(UnsafeMutableBufferPointer(start: top, count: Self.blockSize))
  }

  deinit { for block in blocks { block.deallocate() } }

  @inline(__always)
  var mark: Mark { Mark(block: block, top: top) }

  @inline(__always)
  mutating func release(_ mark: Mark) {
    if block != mark.block { use(mark.block) }
    top = mark.top
  }

  mutating func releaseAll() {
    use(0)
    // Releases the extra memory of an unusually large document.
    while blocks.count > 1, blocks[blocks.count - 1].count > 1 << 16 { blocks.removeLast().deallocate() }
  }

  /// `count` words of zero.
  @inline(__always)
  mutating func takeWords(_ count: Int) -> UnsafeMutablePointer<UInt64> {
    if count > limit - top { grow(count) }
    let words = top
    top += count
    // Most sets have one word, which needs no call.
    if count == 1 { words[0] = 0 } else { for word in 0..<count { words[word] = 0 } }
    return words
  }

  private mutating func use(_ index: Int) {
    block = index
    // A block has at least one word, so it has an address.
    top = blocks[index].baseAddress.unsafelyUnwrapped
    limit = top + blocks[index].count
  }

  @inline(never)
  private mutating func grow(_ count: Int) {
    let next = block + 1
    if next == blocks.count {
      blocks.append(.allocate(capacity: max(Self.blockSize, count)))
    } else if blocks[next].count < count {
      blocks[next].deallocate()
      blocks[next] = .allocate(capacity: count)
    }
    use(next)
  }
}
