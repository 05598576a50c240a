/// The results of the requests of one operation for each second: shows a drift with the load or over time
/// (docs/drift.md).
///
/// 24 bytes per second, for a day at most: later requests count in the last second.
package struct OperationCourse: Sendable {
  /// The requests that came due in one second.
  package struct Second: Sendable {
    /// The requests that ended, except cancelled ones.
    package var ends: UInt32 = 0
    /// Those of them without a response or with an error status.
    package var errors: UInt32 = 0
    /// The errors that the request cannot explain: without a response, or with a status of 5xx.
    package var faults: UInt32 = 0
    /// Those of them whose outcome is ok; rejections and errors may be quicker than real work.
    package var timed: UInt32 = 0
    /// The sum of the latencies of the timed ones, in ``LogarithmicStep``s.
    package var steps: UInt64 = 0

    package init() {}

    /// Adds counts with wraparound: counters are too wide to overflow in a day.
    package static func += (sum: inout Second, other: Second) {
      sum.ends &+= other.ends
      sum.errors &+= other.errors
      sum.faults &+= other.faults
      sum.timed &+= other.timed
      sum.steps &+= other.steps
    }
  }

  /// Index is the second since the run's start.
  package private(set) var seconds: [Second] = []

  private static let longest = 86_400

  package init() {}

  /// Counts a response.
  ///
  /// - Parameters:
  ///   - latency: its lower bound in nanoseconds; nil if the outcome is not ok.
  ///   - isFault: an error with a status of 5xx.
  package mutating func countResponse(latency: Int64?, isError: Bool, isFault: Bool = false, second: Int) {
    let second = open(second)
    seconds[second].ends &+= 1
    if isError { seconds[second].errors &+= 1 }
    if isFault { seconds[second].faults &+= 1 }
    guard let latency else { return }
    seconds[second].timed &+= 1
    seconds[second].steps &+= UInt64(LogarithmicStep.of(latency))
  }

  /// Counts a request without a response.
  package mutating func fail(second: Int) { countResponse(latency: nil, isError: true, isFault: true, second: second) }

  /// The index of a second of the run.
  private mutating func open(_ second: Int) -> Int {
    let second = min(max(second, 0), Self.longest - 1)
    while seconds.count <= second { seconds.append(Second()) }
    return second
  }

  /// Adds the seconds of another loop or shard one by one.
  package mutating func merge(_ other: OperationCourse) {
    for (index, second) in other.seconds.enumerated() {
      let place = open(index)
      seconds[place] += second
    }
  }
}

extension OperationCourse: Codable {
  package init(from decoder: any Decoder) throws {
    let numbers = try PackedNumbers(from: decoder).numbers
    guard numbers.count.isMultiple(of: 5), numbers.count / 5 <= Self.longest else {
      throw DecodingError.dataCorrupted(
        .init(
          codingPath: decoder.codingPath,
          debugDescription: "expected five numbers for each second, and at most one day"))
    }
    for start in stride(from: 0, to: numbers.count, by: 5) {
      var second = Second()
      second.ends = UInt32(truncatingIfNeeded: numbers[start])
      second.errors = UInt32(truncatingIfNeeded: numbers[start + 1])
      second.faults = UInt32(truncatingIfNeeded: numbers[start + 2])
      second.timed = UInt32(truncatingIfNeeded: numbers[start + 3])
      second.steps = UInt64(bitPattern: numbers[start + 4])
      seconds.append(second)
    }
  }

  package func encode(to encoder: any Encoder) throws {
    try PackedNumbers(
      seconds.flatMap {
        [Int64($0.ends), Int64($0.errors), Int64($0.faults), Int64($0.timed), Int64(bitPattern: $0.steps)]
      }
    ).encode(to: encoder)
  }
}

/// A scale of latency on which equal steps are nearly equal ratios, 64 per octave: the mean of steps represents the
/// geometric mean of latencies, to 6 %.
///
///     step of v = 64 · ⌊log₂ v⌋ + the six bits of v below its highest
package enum LogarithmicStep {
  private static let perOctave = 64
  private static let bits: Int64 = 6

  /// Durations below the smallest step have the smallest step.
  @inline(__always)
  package static func of(_ nanoseconds: Nanoseconds) -> Int {
    let value = UInt64(max(nanoseconds, 1 << bits))
    let exponent = 63 - value.leadingZeroBitCount
    return exponent * perOctave + Int(value >> UInt64(exponent - Int(bits))) & (perOctave - 1)
  }

  /// The latency at a position of the scale, in nanoseconds.
  package static func nanoseconds(_ step: Double) -> Double {
    let octave = (step / Double(perOctave)).rounded(.down)
    let rest = step / Double(perOctave) - octave
    return Double(sign: .plus, exponent: Int(saturating: octave), significand: 1 + rest)
  }
}
