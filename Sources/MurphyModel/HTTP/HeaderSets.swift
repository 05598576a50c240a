/// Headers of responses as received; equal sets are stored once. They are parsed when a judge reads them.
///
/// A set takes its bytes and twelve more. Names are in lower case, values without surrounding spaces.
package struct HeaderSets: Sendable, RandomAccessCollection {
  private var bytes: [UInt8] = []
  /// The end of each set in `bytes`.
  private var ends: [Int] = []
  /// By hash: the newest set with that hash.
  private var newest: [Int: Int32] = [:]

  package init() {}

  /// The bytes of all sets together.
  package var byteCount: Int { bytes.count }

  package var startIndex: Int { 0 }
  /// The number of stored sets.
  package var endIndex: Int { ends.count }

  package subscript(index: Int) -> [HeaderField] {
    bytes[range(index)].withUnsafeBytes { [HeaderField](lines: $0) }
  }

  /// Stores a set, even if an equal one exists.
  package mutating func append(_ fields: [HeaderField]) {
    bytes += Self.lines(fields)
    ends.append(bytes.count)
  }

  private static func lines(_ fields: [HeaderField]) -> [UInt8] {
    fields.flatMap { Array("\($0.name): \($0.value)".utf8).map { $0 == 10 ? 32 : $0 } + [10] }
  }

  /// The number of a set; equal sets have the same number.
  package mutating func number(of fields: [HeaderField]) -> Int32 {
    let begin = bytes.count
    bytes += Self.lines(fields)
    return interned(from: begin)
  }

  /// Appends the sets of another log.
  package mutating func append(contentsOf others: HeaderSets) {
    let offset = bytes.count
    bytes += others.bytes
    ends += others.ends.map { $0 + offset }
  }

  /// The number of the set of those header lines that a judge reads; -1 for none.
  ///
  /// - Parameters:
  ///   - refused: true if the response may be a rejection: then its date and content type are kept too.
  ///   - names: further headers that identify a rejection, in lower case.
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

  /// The number of the set at the end of `bytes`; a duplicate is removed again.
  private mutating func interned(from begin: Int) -> Int32 {
    // Of two sets with one hash only the newer is indexed: the other gets a second copy when it occurs again.
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

extension HeaderSets: Codable {
  package init(from decoder: any Decoder) throws {
    self.init()
    for fields in try [[HeaderField]](from: decoder) { append(fields) }
  }

  package func encode(to encoder: any Encoder) throws { try Array(self).encode(to: encoder) }
}
