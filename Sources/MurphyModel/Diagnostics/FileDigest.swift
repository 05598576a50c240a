import Synchronization

/// A fingerprint of all files that were read, whatever they are called and in whatever order they were read.
package final class FileDigest: Sendable {
  private let fingerprints = Mutex<Set<String>>([])

  package init() {}

  package func add(_ bytes: [UInt8]) {
    // FNV-1a, as of findings, over eight bytes at a time.
    var hash: UInt64 = 0xcbf2_9ce4_8422_2325 ^ UInt64(bytes.count)
    bytes.withUnsafeBytes { bytes in
      var index = 0
      while index + 8 <= bytes.count {
        hash = (hash ^ bytes.loadUnaligned(fromByteOffset: index, as: UInt64.self)) &* 0x100_0000_01b3
        hash ^= hash >> 29
        index += 8
      }
      while index < bytes.count {
        hash = (hash ^ UInt64(bytes[index])) &* 0x100_0000_01b3
        index += 1
      }
    }
    let text = String(hash, radix: 16)
    _ = fingerprints.withLock { $0.insert(text) }
  }

  package var text: String { Finding.fingerprint(of: fingerprints.withLock { $0.sorted() }) }
}
