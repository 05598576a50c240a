/// What the known server does with the requests for one path.
package enum KnownBehaviour: Sendable {
  /// Answers after a delay of its own for each request.
  case delay(DelayDistribution)
  /// Admits so many requests of a key, by the header `X-Key`, in a window that begins with the key's first request; 429
  /// with an honest `Retry-After` for all others.
  case limit(admitted: Int, window: Duration)
  /// Answers at once; the body of one answer in so many breaks the schema.
  case breakSchema(oneIn: Int)
}

/// What the known server did, by its own clock (`CLOCK_MONOTONIC`, the one that murphy reads).
package struct KnownLog: Sendable {
  /// By path: from the moment at which a request was read to the one at which its answer was written, nanoseconds, in
  /// the order of the answers.
  package var imposed: [String: [Int64]] = [:]
  /// When the server stood still.
  package var freezes: [ClosedRange<Int64>] = []
  /// Answers that broke the schema.
  package var broken = 0
  /// Requests that a limit admitted, and those that it refused.
  package var admitted = 0
  package var refused = 0

  package init() {}

  /// How long the server stood still for whoever asked at `instant` (nanoseconds): until the freeze's end, or 0.
  package func frozen(at instant: Int64) -> Int64 {
    freezes.first { $0.contains(instant) }.map { $0.upperBound - instant } ?? 0
  }
}
