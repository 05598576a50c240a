import MurphyHTTP
import MurphyModel

/// Makes the trace ids of one run.
///
/// An id is a permutation of the request's number, operation and loop under a key of the run. So a receiver of spans
/// gets the operation from the id alone, without a table of all requests. The other half of the id is a function of the
/// first half: an id that another client made does not match it.
package struct TraceKey: Sendable, Hashable {
  /// The part of a request that its trace id contains.
  package struct Request: Sendable, Hashable {
    /// Index into the contract's operations.
    package var operation: Int
    /// The number of the loop that sent the request.
    package var loop: Int
    /// The number of the request on its loop, from 1.
    package var number: UInt64

    package init(operation: Int, loop: Int, number: UInt64) {
      (self.operation, self.loop, self.number) = (operation, loop, number)
    }
  }

  /// The number of the run in `tracestate`.
  let run: UInt32
  private let order: UInt64
  private let tag: UInt64
  private let parent: UInt64

  /// - Parameter start: nanoseconds since 1970. Two runs with the same seed and salt have different ids.
  package init(seed: UInt64, salt: UInt64, start: Int64) {
    var random = RandomSource(seed: seed ^ Self.mixed(salt), stream: UInt64(bitPattern: start))
    (order, tag, parent) = (random.next(), random.next(), random.next())
    run = UInt32(truncatingIfNeeded: random.next())
  }

  /// - Parameter threshold: the share of the sampled requests, times 2^64.
  package func context(_ request: Request, session: UInt32, sampledBelow threshold: UInt64) -> TraceContext {
    let packed =
      request.number << 28 | UInt64(truncatingIfNeeded: request.loop & 0xFFF) << 16
      | UInt64(truncatingIfNeeded: request.operation & 0xFFFF)
    let low = Self.mixed(packed ^ order)
    let high = Self.mixed(low &+ tag)
    return TraceContext(
      high: high, low: low, parent: parent(of: low), isSampled: threshold == .max || high < threshold,
      run: run, session: session)
  }

  /// The span id of the request with a trace id.
  package func parent(of low: UInt64) -> UInt64 { Self.mixed(low ^ parent) | 1 }

  /// The request with a trace id; nil for an id that this run did not make.
  package func request(high: UInt64, low: UInt64) -> Request? {
    guard high == Self.mixed(low &+ tag) else { return nil }
    let packed = Self.unmixed(low) ^ order
    return Request(operation: Int(packed & 0xFFFF), loop: Int(packed >> 16 & 0xFFF), number: packed >> 28)
  }

  /// The last step of SplitMix64 (Steele, Lea and Flood, OOPSLA 2014): a permutation of the 64-bit numbers.
  private static func mixed(_ number: UInt64) -> UInt64 {
    var z = (number ^ (number >> 30)) &* 0xBF58_476D_1CE4_E5B9
    z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
    return z ^ (z >> 31)
  }

  /// The inverse of ``mixed(_:)``. The factors are the inverses modulo 2^64.
  private static func unmixed(_ number: UInt64) -> UInt64 {
    var z = (number ^ (number >> 31) ^ (number >> 62)) &* 0x3196_42B2_D24D_8EC3
    z = (z ^ (z >> 27) ^ (z >> 54)) &* 0x96DE_1B17_3F11_9089
    return z ^ (z >> 30) ^ (z >> 60)
  }
}

/// The trace ids of the requests of one loop.
struct Tracer {
  private let key: TraceKey
  private let loop: Int
  private let threshold: UInt64
  private var number: UInt64 = 0

  /// - Parameter share: the share of the requests whose traces the target should record, from 0 to 1.
  init(key: TraceKey, loop: Int, share: Double) {
    self.key = key
    self.loop = loop
    threshold = share >= 1 ? .max : UInt64(max(share, 0) * 0x1p64)
  }

  mutating func next(_ operation: Int, session: Int) -> TraceContext {
    number += 1
    return key.context(
      TraceKey.Request(operation: operation, loop: loop, number: number),
      session: UInt32(truncatingIfNeeded: session), sampledBelow: threshold)
  }
}
