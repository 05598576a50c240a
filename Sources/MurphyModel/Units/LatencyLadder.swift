/// Requests of one operation by second and by latency, in steps of a sixteenth octave. They show which slowdown would
/// have broken a budget, and how much the seconds of a run differ (docs/strength.md §3).
///
/// Only operations with a latency budget have one. A record costs a few integer instructions; a second takes a row of
/// about 130 counts for one budget, more if budgets are octaves apart. Rows of long runs span more than a second.
package struct LatencyLadder: Sendable {
  /// The steps: from eight octaves below the smallest limit to the largest; values outside are in the last step on
  /// their side.
  package struct Scale: Sendable, Hashable, Codable {
    /// The absolute step of the first one.
    package let base: Int
    /// The number of steps.
    package let count: Int

    private static let perOctave = 16
    private static let octavesBelow = 8

    /// - Parameter limits: nanoseconds; the result is nil without any.
    package init?(limits: [Int64]) {
      guard let least = limits.min(), let most = limits.max() else { return nil }
      base = max(Self.step(of: least) - Self.octavesBelow * Self.perOctave, 0)
      count = Self.step(of: most) - base + 2
    }

    /// 16 · ⌊log₂ v⌋ and the four bits of v below its highest.
    @inline(__always)
    private static func step(of nanoseconds: Nanoseconds) -> Int {
      let value = UInt64(max(nanoseconds, 16))
      let exponent = 63 - value.leadingZeroBitCount
      return exponent * perOctave + Int(value >> UInt64(exponent - 4)) & 15
    }

    /// A value outside the scale has the first or the last step.
    @inline(__always)
    package func index(of nanoseconds: Nanoseconds) -> Int { min(max(Self.step(of: nanoseconds) - base, 0), count - 1) }

    /// The highest latency in a step, in nanoseconds.
    package func highest(in index: Int) -> Int64 {
      let step = base + index
      let exponent = step / Self.perOctave
      return (Int64(16 + step % Self.perOctave + 1) << Int64(exponent - 4)) - 1
    }
  }

  /// The steps of every row.
  package let scale: Scale
  /// True if times run from the actual send.
  package let isService: Bool
  /// Seconds per row: 1, doubled each time that a run exceeds ``mostRows``.
  package private(set) var width = 1
  /// The counts row by row, each with the steps of the scale.
  package private(set) var counts: [UInt32] = []

  /// The maximum number of rows: half a megabyte for one budget, however long the run.
  package static let mostRows = 1_024

  package init(scale: Scale, isService: Bool) {
    self.scale = scale
    self.isService = isService
  }

  /// The number of seconds with a row.
  package var rows: Int { counts.count / scale.count }

  /// - Parameters:
  ///   - nanoseconds: the lower bound of the latency.
  ///   - second: the second of the run of the request's intended start.
  package mutating func record(_ nanoseconds: Nanoseconds, second: Int) {
    let start = row(of: max(second, 0)) * scale.count
    if start >= counts.count { counts += repeatElement(0, count: start + scale.count - counts.count) }
    counts[start + scale.index(of: nanoseconds)] += 1
  }

  /// Adds the counts of another loop or operation with the same scale.
  package mutating func merge(_ other: LatencyLadder) {
    guard scale == other.scale, isService == other.isService else { return }
    while width < other.width { widen() }
    var other = other
    while other.width < width { other.widen() }
    if other.counts.count > counts.count { counts += repeatElement(0, count: other.counts.count - counts.count) }
    for (index, count) in other.counts.enumerated() { counts[index] = counts[index].adding(count) }
  }

  /// The row of a second; widens the rows until its index is within the limit.
  private mutating func row(of second: Int) -> Int {
    while second / width >= Self.mostRows { widen() }
    return second / width
  }

  /// Adds every second row to the previous one.
  private mutating func widen() {
    let wide = (rows + 1) / 2
    var sums = [UInt32](repeating: 0, count: wide * scale.count)
    for (index, count) in counts.enumerated() {
      let place = index / scale.count / 2 * scale.count + index % scale.count
      sums[place] = sums[place].adding(count)
    }
    counts = sums
    width *= 2
  }

  /// For a row: its requests, and those of them slower than the highest latency of a step.
  package func row(_ row: Int, over step: Int) -> (requests: Int, over: Int) {
    var (requests, over) = (0, 0)
    for index in 0..<scale.count {
      let count = Int(counts[row * scale.count + index])
      requests += count
      if index > step { over += count }
    }
    return (requests, over)
  }
}

extension LatencyLadder: Codable {
  private enum CodingKeys: String, CodingKey { case scale, isService, width, counts }

  package init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: CodingKeys.self)
    scale = try values.decode(Scale.self, forKey: .scale)
    isService = try values.decode(Bool.self, forKey: .isService)
    width = try values.decode(Int.self, forKey: .width)
    counts = try values.decode(PackedNumbers.self, forKey: .counts).values(as: UInt32.self)
    guard scale.count > 0, width > 0, width.nonzeroBitCount == 1, counts.count.isMultiple(of: scale.count),
      rows <= Self.mostRows
    else {
      throw DecodingError.dataCorruptedError(
        forKey: .counts, in: values, debugDescription: "the number of latency counts does not match the scale")
    }
  }

  package func encode(to encoder: any Encoder) throws {
    var values = encoder.container(keyedBy: CodingKeys.self)
    try values.encode(scale, forKey: .scale)
    try values.encode(isService, forKey: .isService)
    try values.encode(width, forKey: .width)
    try values.encode(PackedNumbers(column: counts), forKey: .counts)
  }
}
