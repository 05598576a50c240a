import MurphyModel
import MurphySchema

/// Numbers that represent strings: the same in every loop and run.
package enum RelationHash {
  /// Equal bytes have equal hashes in every process.
  @inline(__always)
  package static func of(_ bytes: UnsafeRawBufferPointer) -> UInt64 {
    var hash = FNV1a()
    hash.add(bytes)
    return hash.value
  }

  /// The hash of the bytes in UTF-8.
  package static func of(_ text: String) -> UInt64 {
    // Avoids a copy, which would count references.
    if let hash = text.utf8.withContiguousStorageIfAvailable({ of(UnsafeRawBufferPointer($0)) }) { return hash }
    var text = text
    return text.withUTF8 { of(UnsafeRawBufferPointer($0)) }
  }

  /// The hash of a string that is long enough to identify its sender; 0 for anything else.
  package static func of(nonce value: JSONValue?) -> UInt64 {
    guard let text = value?.string, text.utf8.count >= 8 else { return 0 }
    return of(text)
  }

  /// The number of an item: its id if that is an integer, otherwise a hash of the string.
  package static func id(_ text: String, isInteger: Bool) -> Int64? {
    isInteger ? Int64(text) : Int64(bitPattern: of(text))
  }
}
