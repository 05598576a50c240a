/// Memory for bit sets, taken and given back like a stack. Blocks never move; they are kept for the next run.
struct WordArena: ~Copyable {
  private var blocks: [UnsafeMutableBufferPointer<UInt64>] = []
  private var block = 0
  private var used = 0

  /// A state to return to.
  struct Mark {
    fileprivate let block: Int
    fileprivate let used: Int
  }

  init() { blocks.append(.allocate(capacity: 4096)) }

  deinit { for block in blocks { block.deallocate() } }

  @inline(__always)
  var mark: Mark { Mark(block: block, used: used) }

  @inline(__always)
  mutating func release(_ mark: Mark) {
    block = mark.block
    used = mark.used
  }

  mutating func releaseAll() {
    block = 0
    used = 0
    // A document of unusual size shall not be paid for ever.
    while blocks.count > 1, blocks[blocks.count - 1].count > 1 << 16 { blocks.removeLast().deallocate() }
  }

  /// `count` words of zero.
  @inline(__always)
  mutating func take(_ count: Int) -> UnsafeMutablePointer<UInt64> {
    if used + count > blocks[block].count { grow(count) }
    // A block has at least one word, so it has an address.
    let words = blocks[block].baseAddress.unsafelyUnwrapped + used
    used += count
    words.update(repeating: 0, count: count)
    return words
  }

  private mutating func grow(_ count: Int) {
    block += 1
    used = 0
    if block == blocks.count {
      blocks.append(.allocate(capacity: max(4096, count)))
    } else if blocks[block].count < count {
      blocks[block].deallocate()
      blocks[block] = .allocate(capacity: count)
    }
  }
}
