/// Header fields of answers as they came, equal sets once; they are read when a judge asks for them.
///
/// A set takes its bytes and twelve more. Names are in lower case, values without blanks around them.
package struct HeaderSets: Sendable, RandomAccessCollection {
  private var bytes: [UInt8] = []
  /// Where each set ends in `bytes`.
  private var ends: [Int] = []
  /// By hash: the newest set that has it.
  private var newest: [Int: Int32] = [:]

  package init() {}

  /// Of all sets together.
  package var byteCount: Int { bytes.count }

  package var startIndex: Int { 0 }
  package var endIndex: Int { ends.count }

  package subscript(index: Int) -> [HeaderField] {
    bytes[range(index)].withUnsafeBytes { [HeaderField](lines: $0) }
  }

  package mutating func append(_ fields: [HeaderField]) {
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

  /// The number of the set of those field lines that a judge reads; -1 for none.
  ///
  /// - Parameters:
  ///   - refused: the answer may be a refusal: its date and the type of its content are kept too.
  ///   - names: further fields that tell a refusal, in lower case.
  package mutating func number(of table: FieldTable, refused: Bool, names: [String] = []) -> Int32 {
    guard table.hasLimitFields || refused else { return -1 }
    let begin = bytes.count
    for line in table.lines
    where line.concernsLimits
      || refused
        && (line.is(.date) || line.is(.contentType) || names.contains { ASCIICase.matches(line.name, Array($0.utf8)) })
    {
      bytes.append(contentsOf: line.name)
      bytes.append(58)
      bytes.append(contentsOf: line.value)
      bytes.append(10)
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
