import Glibc

/// The number of different paths, queries and seconds of the checked responses of one operation. It limits the faults
/// in single resources that they could have missed (docs/strength.md §2).
package struct CheckedUnits: Sendable, Codable {
  /// Different paths of checked responses.
  package private(set) var paths = DistinctCount()
  /// Different queries of checked responses.
  package private(set) var queries = DistinctCount()
  /// One bit for each second of the run with a response.
  private var seconds: [UInt64] = []

  private static let longest = 86_400

  package init() {}

  /// The number of seconds with at least one checked response.
  package var secondCount: Int { seconds.reduce(0) { $0 + $1.nonzeroBitCount } }

  /// Counts a checked response.
  ///
  /// - Parameters:
  ///   - target: the target of its request: the path, and the query after a question mark.
  ///   - second: the second of the run in which it was complete.
  package mutating func count(_ target: String, second: Int) {
    let second = min(max(second, 0), Self.longest)
    let word = second >> 6
    while seconds.count <= word { seconds.append(0) }
    seconds[word] |= 1 << UInt64(second & 63)
    let hashes = target.utf8.withContiguousStorageIfAvailable { Self.hashes(UnsafeRawBufferPointer($0)) }
    guard let hashes else { return }
    paths.insert(hashes.path)
    queries.insert(hashes.query)
  }

  /// The hashes of the path and of the query after it; 0 without a query.
  private static func hashes(_ bytes: UnsafeRawBufferPointer) -> (path: UInt32, query: UInt32) {
    guard let start = bytes.baseAddress, let found = memchr(start, CInt(UInt8(ascii: "?")), bytes.count) else {
      return (hash(bytes), 0)
    }
    let mark = UnsafeRawPointer(found) - start
    return (hash(.init(rebasing: bytes[..<mark])), hash(.init(rebasing: bytes[(mark + 1)...])))
  }

  /// Hashes eight bytes at a time, with the multiplication and the fold of wyhash (Wang Yi, 2019).
  private static func hash(_ bytes: UnsafeRawBufferPointer) -> UInt32 {
    var hash = 0xa076_1d64_78bd_642f ^ UInt64(bytes.count)
    func mix(_ word: UInt64) {
      let product = (hash ^ word).multipliedFullWidth(by: 0xe703_7ed1_a0b4_28db)
      hash = product.high ^ product.low
    }
    var index = 0
    while index + 8 <= bytes.count {
      mix(bytes.loadUnaligned(fromByteOffset: index, as: UInt64.self))
      index += 8
    }
    var rest: UInt64 = 0
    while index < bytes.count {
      rest = rest << 8 | UInt64(bytes[index])
      index += 1
    }
    mix(rest)
    return UInt32(truncatingIfNeeded: hash ^ hash >> 32)
  }

  /// Adds the units of another loop or shard. A unit in both counts once.
  package mutating func merge(_ other: CheckedUnits) {
    paths.merge(other.paths)
    queries.merge(other.queries)
    for (index, word) in other.seconds.enumerated() {
      if index < seconds.count { seconds[index] |= word } else { seconds.append(word) }
    }
  }
}

/// The number of different hashes, exact up to `most`: then it stays there, which understates the coverage.
package struct DistinctCount: Sendable {
  /// The count from which the number is a lower bound.
  package static let most = 2_048
  private static let places = 4_096

  /// Exact while it is less than ``most``.
  package private(set) var count = 0
  /// Open addressing; 0 is a free slot. Allocated with the first hash.
  private var table: [UInt32] = []

  package init() {}

  /// Has no effect for a hash that is already counted, or when the count is ``most``.
  package mutating func insert(_ hash: UInt32) {
    guard count < Self.most else { return }
    if table.isEmpty { table = Array(repeating: 0, count: Self.places) }
    let value = hash == 0 ? 1 : hash
    var place = Int((value &* 0x9E37_79B1) >> 20)
    while table[place] != 0 {
      if table[place] == value { return }
      place = (place + 1) & (Self.places - 1)
    }
    table[place] = value
    count += 1
  }

  /// Adds the hashes of the other count. A hash in both counts once.
  package mutating func merge(_ other: DistinctCount) { for value in other.table where value != 0 { insert(value) } }
}

extension CheckedUnits {
  private enum CodingKeys: String, CodingKey { case paths, queries, seconds }

  package init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: CodingKeys.self)
    paths = try values.decode(DistinctCount.self, forKey: .paths)
    queries = try values.decode(DistinctCount.self, forKey: .queries)
    seconds = try values.decode(PackedNumbers.self, forKey: .seconds).values(as: UInt64.self)
  }

  package func encode(to encoder: any Encoder) throws {
    var values = encoder.container(keyedBy: CodingKeys.self)
    try values.encode(paths, forKey: .paths)
    try values.encode(queries, forKey: .queries)
    try values.encode(PackedNumbers(column: seconds), forKey: .seconds)
  }
}

extension DistinctCount: Codable {
  package init(from decoder: any Decoder) throws {
    for hash in try PackedNumbers(from: decoder).values(as: UInt32.self) { insert(hash) }
  }

  package func encode(to encoder: any Encoder) throws {
    try PackedNumbers(column: table.filter { $0 != 0 }).encode(to: encoder)
  }
}
