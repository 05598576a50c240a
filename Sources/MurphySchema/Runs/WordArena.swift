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
    for word in 0..<count { words[word] = 0 }
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
