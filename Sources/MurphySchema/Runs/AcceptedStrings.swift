import Glibc

/// Strings that satisfied a format, so that equal strings are not checked again: responses repeat URLs and addresses,
/// and equality takes a tenth of the time.
///
/// The table has a fixed number of places; a string replaces the one at its place. The memory belongs to one
/// ``SchemaScratch``, and so to one thread.
struct AcceptedStrings {
  private static let places = 64
  /// The maximum length of a string in bytes. Each place has four bytes for the length and four for the format.
  private static let longest = 120
  private static let size = longest + 8

  private let memory: UnsafeMutableRawPointer

  init() {
    memory = .allocate(byteCount: Self.places * Self.size, alignment: 8)
    memset(memory, 0, Self.places * Self.size)
  }

  func deallocate() { memory.deallocate() }

  /// True if a string on a tape has the format.
  func accepts(_ bytes: UnsafeRawBufferPointer, _ format: Format) -> Bool {
    guard format.isSlow, let start = bytes.baseAddress, bytes.count <= Self.longest else {
      return format.accepts(bytes)
    }
    let place = memory + Int(truncatingIfNeeded: TapeText(bytes).hash) & (Self.places - 1) * Self.size
    // No format is 0 here, so that an empty place matches no string.
    let key = UInt64(bytes.count) << 32 | UInt64(format.rawValue)
    if place.load(as: UInt64.self) == key, memcmp(place + 8, start, bytes.count) == 0 { return true }
    guard format.accepts(bytes) else { return false }
    place.storeBytes(of: key, as: UInt64.self)
    memcpy(place + 8, start, bytes.count)
    return true
  }
}

extension Format {
  /// True if a check of the grammar takes longer than a comparison with a string that was checked before.
  @inline(__always)
  fileprivate var isSlow: Bool {
    switch self {
    case .dateTime, .date, .time, .duration, .ipv4, .uuid, .int32, .int64: false
    default: true
    }
  }
}
