import Foundation

/// Bodies that conformed to their schema, so that equal bytes are not parsed and validated again.
///
/// Under load most reads return bytes that were judged shortly before. The table has a fixed number of places; a body
/// replaces the one at its place. Belongs to one judge: no locks.
final class KnownBodies {
  private struct Entry {
    /// The media type of a documented response, whose schema the body conforms to.
    var media: ObjectIdentifier
    var hash: UInt64
    var bytes: [UInt8]
    /// What relations read from it.
    var reading: RelationReading?
  }

  private static let places = 256
  /// The maximum total size of the bodies.
  private static let mostBytes = 4 << 20
  /// After this many more bodies without an equal one than expected, most are not kept: a copy costs more than it saves.
  private static let patience = 512
  /// An equal body makes up for this many others.
  private static let worth = 8

  private var entries: [Entry?] = []
  private var size = 0
  private var misses = 0

  /// The media type and hash of a body.
  struct Key {
    fileprivate let media: ObjectIdentifier
    fileprivate let hash: UInt64
    fileprivate let place: Int

    init(_ body: UnsafeRawBufferPointer, _ media: MediaSlot) {
      self.media = ObjectIdentifier(media)
      hash = KnownBodies.hash(body)
      let mixed = (hash ^ UInt64(UInt(bitPattern: self.media))) &* 0x9E37_79B9_7F4A_7C15
      place = Int(mixed >> 32) % KnownBodies.places
    }
  }

  /// The place of the same bytes, if they conformed to the schema of their media type before; nil otherwise.
  func place(of body: UnsafeRawBufferPointer, _ key: Key) -> Int? {
    guard !entries.isEmpty, let start = body.baseAddress else { return nil }
    guard let entry = entries[key.place], entry.hash == key.hash, entry.media == key.media,
      entry.bytes.count == body.count,
      entry.bytes.withUnsafeBytes({ memcmp($0.baseAddress!, start, body.count) == 0 })
    else { return nil }
    misses = max(0, misses - Self.worth)
    return key.place
  }

  func reading(at place: Int) -> RelationReading? { entries[place]?.reading }

  func keep(_ reading: RelationReading?, at place: Int) {
    if let reading { entries[place]?.reading = reading }
  }

  /// Keeps a body that conforms to the schema of its media type.
  func keep(_ body: UnsafeRawBufferPointer, _ key: Key) {
    misses += 1
    guard misses <= Self.patience || misses.isMultiple(of: 16), !body.isEmpty, body.count <= Self.mostBytes else {
      return
    }
    if entries.isEmpty { entries = Array(repeating: nil, count: Self.places) }
    // Taken out, so that the bytes have one owner and their memory is used again.
    var entry = entries[key.place].take() ?? Entry(media: key.media, hash: key.hash, bytes: [], reading: nil)
    size -= entry.bytes.count
    if size + body.count > Self.mostBytes {
      entries = Array(repeating: nil, count: Self.places)
      size = 0
    }
    (entry.media, entry.hash, entry.reading) = (key.media, key.hash, nil)
    entry.bytes.removeAll(keepingCapacity: entry.bytes.capacity < 2 * body.count + 4_096)
    entry.bytes.append(contentsOf: body)
    size += body.count
    entries[key.place] = entry
  }

  /// A hash of the length and of 16 words that are spread over the body. It selects a place; `memcmp` decides.
  private static func hash(_ body: UnsafeRawBufferPointer) -> UInt64 {
    var hash = UInt64(body.count) &* 0x9E37_79B9_7F4A_7C15
    guard body.count >= 8 else {
      for byte in body { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
      return hash
    }
    let last = body.count - 8
    for index in 0..<16 {
      let word = body.loadUnaligned(fromByteOffset: last * index / 15, as: UInt64.self)
      hash = (hash ^ word) &* 0xFF51_AFD7_ED55_8CCD
      hash ^= hash >> 32
    }
    return hash
  }
}
