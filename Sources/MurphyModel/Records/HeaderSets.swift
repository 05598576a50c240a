/// Header fields of answers as they came, equal sets once; they are read when a judge asks for them.
///
/// A set takes its bytes and twelve more. Names are in lower case, values without blanks around them.
public struct HeaderSets: Sendable, RandomAccessCollection {
  private var bytes: [UInt8] = []
  /// Where each set ends in `bytes`.
  private var ends: [Int] = []
  /// By hash: the newest set that has it.
  private var newest: [Int: Int32] = [:]

  public init() {}

  /// Of all sets together.
  package var byteCount: Int { bytes.count }

  public var startIndex: Int { 0 }
  public var endIndex: Int { ends.count }

  public subscript(index: Int) -> [HeaderField] {
    bytes[range(index)].withUnsafeBytes { [HeaderField](lines: $0) }
  }

  public mutating func append(_ fields: [HeaderField]) {
    bytes += Self.lines(fields)
    ends.append(bytes.count)
  }

  private static func lines(_ fields: [HeaderField]) -> [UInt8] {
    fields.flatMap { Array("\($0.name): \($0.value)".utf8).map { $0 == 10 ? 32 : $0 } + [10] }
  }

  /// The number of a set; equal ones have the same.
  package mutating func number(of fields: [HeaderField]) -> Int32 {
    let begin = bytes.count
    bytes += Self.lines(fields)
    return interned(from: begin)
  }

  /// The sets of another log behind one's own.
  package mutating func append(contentsOf others: HeaderSets) {
    let offset = bytes.count
    bytes += others.bytes
    ends += others.ends.map { $0 + offset }
  }

  /// The number of a set of field lines, each with its line feed; -1 for none.
  ///
  /// - Parameter isKept: whether a line belongs to it.
  package mutating func number(
    of block: UnsafeRawBufferPointer, where isKept: (UnsafeRawBufferPointer) -> Bool
  ) -> Int32 {
    let begin = bytes.count
    var start = block.startIndex
    while start < block.endIndex {
      var end = start
      while end < block.endIndex, block[end] != 10 { end += 1 }
      let line = UnsafeRawBufferPointer(rebasing: block[start..<end])
      if isKept(line) {
        bytes.append(contentsOf: line)
        bytes.append(10)
      }
      start = end + 1
    }
    guard bytes.count > begin else { return -1 }
    return interned(from: begin)
  }

  /// The number of the set that stands at the end of `bytes`; what is there already is taken away again.
  private mutating func interned(from begin: Int) -> Int32 {
    // Of two sets with one hash the newer is known: the other gets a second copy when it comes again.
    var hasher = Hasher()
    bytes[begin...].withUnsafeBytes { hasher.combine(bytes: $0) }
    let hash = hasher.finalize()
    if let known = newest[hash], bytes[range(Int(known))].elementsEqual(bytes[begin...]) {
      bytes.removeSubrange(begin...)
      return known
    }
    let number = Int32(ends.count)
    ends.append(bytes.count)
    newest[hash] = number
    return number
  }

  private func range(_ index: Int) -> Range<Int> { (index == 0 ? 0 : ends[index - 1])..<ends[index] }
}

extension LimitLog {
  /// Whether a judge reads a header field of an answer; its name in lower case.
  package static func keeps(header name: String, refused: Bool) -> Bool {
    var line = name + ":"
    return line.withUTF8 { keeps(line: UnsafeRawBufferPointer($0), refused: refused) }
  }

  /// Whether a judge reads a field line of an answer: `Retry-After` and all whose name holds `ratelimit`, and of a
  /// refusal its date and the type of its content.
  package static func keeps(line: UnsafeRawBufferPointer, refused: Bool) -> Bool {
    var start = 0
    // Names are short: one pass that looks for what they begin with.
    while start < line.count, line[start] != 58 {
      switch line[start] | 0x20 {
      case 0x72:  // r
        if start == 0, holds(line, "retry-after:", at: 0) { return true }
        if holds(line, "ratelimit", at: start) { return true }
      case 0x64 where refused && start == 0:  // d
        if holds(line, "date:", at: 0) { return true }
      case 0x63 where refused && start == 0:  // c
        if holds(line, "content-type:", at: 0) { return true }
      default: break
      }
      start += 1
    }
    return false
  }

  /// Whether `word`, in lower case, stands at a place, in any case.
  private static func holds(_ line: UnsafeRawBufferPointer, _ word: StaticString, at start: Int) -> Bool {
    guard line.count - start >= word.utf8CodeUnitCount else { return false }
    for index in 0..<word.utf8CodeUnitCount {
      let byte = line[start + index]
      guard (byte >= 0x41 && byte <= 0x5A ? byte | 0x20 : byte) == word.utf8Start[index] else { return false }
    }
    return true
  }
}
