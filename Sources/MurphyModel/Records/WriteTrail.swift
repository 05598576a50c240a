/// A write request that succeeded; seconds since the run's start.
package struct CompletedWrite: Sendable, Hashable, Codable {
  /// The index of the operation in the contract.
  package var operation: Int
  /// The status of the response.
  package var status: Int
  /// The time of the send.
  package var sent: Double
  /// The time when the response was complete.
  package var ended: Double

  package init(operation: Int, status: Int, sent: Double, ended: Double) {
    self.operation = operation
    self.status = status
    self.sent = sent
    self.ended = ended
  }
}

/// The times of successful write requests, in bounded memory: the first of each operation, and the last of each time
/// slot.
package struct WriteTrail: Sendable, Hashable {
  /// The kept writes.
  package private(set) var writes: [CompletedWrite] = []
  /// By operation: the index of its first write in `writes`, or -1.
  private var firsts: [Int] = []
  /// The length of a time slot in seconds; doubled when the trail is full.
  private var slot = 0.05
  /// The end of the time slot of the last write.
  private var slotEnd = -Double.infinity
  private static let most = 4_096
  /// The limit in seconds. With longer slots only the first write of each operation would remain.
  private static let longestSlot = 1e6
  /// More than any contract has; the file of a shard may hold any number.
  private static let mostOperations = 1_000_000
  /// The time in seconds before a failure in which the first write of an operation has priority. Later writes of
  /// operations that succeeded before then do not count.
  private static let recently = 2.0

  package init() {}

  /// Keeps the first write of each operation, and the last one of each time slot.
  package mutating func add(_ write: CompletedWrite) {
    guard (0..<Self.mostOperations).contains(write.operation) else { return }
    while firsts.count <= write.operation { firsts.append(-1) }
    let isFirst = firsts[write.operation] < 0
    let last = writes.count - 1
    if !isFirst, write.ended < slotEnd, firsts[writes[last].operation] != last {
      writes[last] = write
      return
    }
    if isFirst { firsts[write.operation] = writes.count }
    writes.append(write)
    slotEnd = ((write.ended / slot).rounded(.down) + 1) * slot
    if writes.count > Self.most, slot < Self.longestSlot { thin() }
  }

  private mutating func clear() {
    writes.removeAll()
    firsts.removeAll()
    slotEnd = -.infinity
  }

  private mutating func thin() {
    slot *= 2
    let all = writes
    clear()
    for write in all { add(write) }
  }

  /// Adds the writes of another loop or shard. The longer time slot applies to both.
  package mutating func merge(_ other: WriteTrail) {
    slot = max(slot, other.slot)
    let all = (writes + other.writes).sorted { ($0.ended, $0.sent) < ($1.ended, $1.sent) }
    clear()
    for write in all { add(write) }
  }

  /// The successful write that may have caused a change at a time: the last one sent before. If an operation succeeded
  /// for the first time shortly before, that write is preferred.
  ///
  /// - Parameter reading: indices of operations that only read.
  package func last(before time: Double, without reading: Set<Int> = []) -> CompletedWrite? {
    let earlier = writes.filter { $0.sent < time && !reading.contains($0.operation) }
    var seen: Set<Int> = []
    let firsts = earlier.filter { seen.insert($0.operation).inserted && $0.ended >= time - Self.recently }
    return (firsts.isEmpty ? earlier : firsts).max { $0.ended < $1.ended }
  }
}

extension WriteTrail: Codable {
  private enum CodingKeys: String, CodingKey { case writes, slot }

  package init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: CodingKeys.self)
    slot = max(try values.decode(Double.self, forKey: .slot), slot)
    for write in try values.decode([CompletedWrite].self, forKey: .writes) { add(write) }
  }

  package func encode(to encoder: any Encoder) throws {
    var values = encoder.container(keyedBy: CodingKeys.self)
    try values.encode(writes, forKey: .writes)
    try values.encode(slot, forKey: .slot)
  }
}
