/// FNV-1a, 64 bits: equal numbers have the same hash in every process.
package struct FNV1a: Sendable {
  /// The hash of all that was added.
  package var value: UInt64 = 0xcbf2_9ce4_8422_2325

  @inlinable package init() {}

  /// Adds a number as a single unit, not byte by byte.
  @inlinable package mutating func add(_ number: UInt64) { value = (value ^ number) &* 0x100_0000_01b3 }

  /// Adds the bytes one by one.
  @inlinable package mutating func add(_ bytes: some Sequence<UInt8>) { for byte in bytes { add(UInt64(byte)) } }
}
