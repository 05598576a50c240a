/// A seeded generator: xoshiro256** (Blackman and Vigna, 2021), seeded through SplitMix64.
///
/// The same seed gives the same values on every machine. `init(seed:stream:)` makes independent streams, so that the
/// values of one session never depend on those of another session.
public struct RandomSource: RandomNumberGenerator, Sendable {
  private var s0: UInt64
  private var s1: UInt64
  private var s2: UInt64
  private var s3: UInt64

  /// The same seed gives the same numbers on every machine.
  package init(seed: UInt64) {
    var mixer = SplitMix(state: seed)
    s0 = mixer.next()
    s1 = mixer.next()
    s2 = mixer.next()
    s3 = mixer.next()
  }

  /// Creates stream number `index` under `seed`.
  package init(seed: UInt64, stream index: UInt64) {
    var mixer = SplitMix(state: index &* 0xD1B5_4A32_D192_ED03 &+ 0x8CB9_2BA7_2F3D_8DD7)
    self.init(seed: seed ^ mixer.next())
  }

  /// The next 64 bits of the stream.
  public mutating func next() -> UInt64 {
    let result = rotate(s1 &* 5, 7) &* 9
    let shifted = s1 << 17
    s2 ^= s0
    s3 ^= s1
    s1 ^= s2
    s0 ^= s3
    s2 ^= shifted
    s3 = rotate(s3, 45)
    return result
  }

  /// Uniform in [0, 1), from the upper 53 bits.
  public mutating func unit() -> Double { Double(next() >> 11) * 0x1p-53 }

  private func rotate(_ value: UInt64, _ by: UInt64) -> UInt64 { (value << by) | (value >> (64 - by)) }
}

/// SplitMix64 (Steele, Lea and Flood, OOPSLA 2014).
private struct SplitMix {
  var state: UInt64

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var z = state
    z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
    z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
    return z ^ (z >> 31)
  }
}

extension RandomSource {
  /// A random UUID (RFC 9562 §5.4, version 4), lower case.
  ///
  /// - Parameter salt: another salt gives another UUID from the same random numbers, and uses as many of them.
  public mutating func uuid(salt: UInt64? = nil) -> String {
    var pad = salt.map { RandomSource(seed: $0) }
    let high = ((next() ^ (pad?.next() ?? 0)) & 0xFFFF_FFFF_FFFF_0FFF) | 0x4000
    let low = ((next() ^ (pad?.next() ?? 0)) & 0x3FFF_FFFF_FFFF_FFFF) | 0x8000_0000_0000_0000
    let alphabet = Array("0123456789abcdef".utf8)
    var bytes: [UInt8] = []
    bytes.reserveCapacity(36)
    for nibble in 0..<32 {
      if [8, 12, 16, 20].contains(nibble) { bytes.append(UInt8(ascii: "-")) }
      let word = nibble < 16 ? high : low
      bytes.append(alphabet[Int((word >> UInt64(60 - 4 * (nibble % 16))) & 15)])
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}

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
