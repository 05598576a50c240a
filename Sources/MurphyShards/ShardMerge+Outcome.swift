import MurphyEngine
import MurphyModel

extension ShardMerge {
  /// What was merged, with what is known of each shard.
  package struct Outcome: Sendable {
    package var part: RunPart
    package var shards: MergedShards
  }

  /// A shard that begins later than this after the others is late, seconds.
  private static let latest = 1.0

  /// - Parameters:
  ///   - part: all that was merged.
  ///   - lost: shards that may be missing, late or cut short without making the run invalid.
  package static func outcome(_ part: RunPart, of shard: RunShard, tolerating lost: Int) -> Outcome {
    var part = part
    let present = Set(part.logs.map(\.shard))
    let missing = (1...shard.of).filter { !present.contains($0) }
    let alignment = ClockAlignment(part.logs.compactMap(\.info.shard))
    let late = part.logs.filter { alignment.lateness(of: $0.shard) > Self.latest }.map(\.shard)
    let cut = part.logs.filter(\.info.cutShort).map(\.shard)
    for log in part.logs {
      let span = alignment.span(of: log.shard)
      part.shift(shard: log.shard, low: span.low, high: span.high)
    }
    var merged = MergedShards(
      of: shard.of, plan: shard.plan, shards: part.logs.compactMap { Self.result($0, alignment) }, missing: missing,
      impaired: Array(Set(late + cut)).sorted())
    merged.sessionsOfAll = shard.sessionsOfAll
    merged.sessions = part.logs.reduce(0) { $0 + Self.judged($1) }
    merged.reference = alignment.reference
    merged.uncertainty = alignment.uncertainty.map { ($0 * 10_000).rounded() / 10 }
    if missing.count + merged.impaired.count > lost {
      merged.doubts = sentences(missing, late, cut, alignment, of: shard.of, tolerated: lost)
    } else {
      part.tolerate(cut: cut, isIncomplete: !missing.isEmpty)
    }
    return Outcome(part: part, shards: merged)
  }

  /// Sessions of the plan that a shard came to.
  private static func judged(_ log: ProcessLog) -> Int {
    let own = log.info.shard?.sessions ?? 0
    return log.info.cutShort ? min(own, log.begun) : own
  }

  private static func sentences(
    _ missing: [Int], _ late: [Int], _ cut: [Int], _ alignment: ClockAlignment, of all: Int, tolerated: Int
  ) -> [String] {
    var sentences: [String] = []
    if !missing.isEmpty {
      sentences.append(
        "\(named(missing)) of \(all) \(missing.count == 1 ? "is" : "are") missing: "
          + "\(missing.count == 1 ? "its" : "their") requests may have been sent, and nobody can say what came of them."
      )
    }
    for number in late {
      sentences.append(
        "Shard \(number) began \(Duration.saturating(seconds: (alignment.lateness(of: number) * 10).rounded() / 10).text) late: "
          + "the load did not have the shape of the plan.")
    }
    for number in cut { sentences.append("Shard \(number) was cut short.") }
    if tolerated > 0 { sentences.append("--tolerate-lost allows \(tolerated).") }
    return sentences
  }

  /// `Shard 3`, `Shards 3, 4 and 7`
  private static func named(_ numbers: [Int]) -> String {
    let shown = numbers.prefix(20).map(String.init)
    let rest = numbers.count - shown.count
    if numbers.count == 1 { return "Shard \(numbers[0])" }
    if rest > 0 { return "Shards \(shown.joined(separator: ", ")) and \(rest) more" }
    return "Shards \(shown.dropLast().joined(separator: ", ")) and \(shown.last ?? "")"
  }

  private static func result(_ log: ProcessLog, _ alignment: ClockAlignment) -> ShardResult? {
    guard let shard = log.info.shard else { return nil }
    var result = ShardResult(shard, log.info, log.generator, requests: log.requests, course: log.course)
    result.late = alignment.lateness(of: log.shard)
    if let clock = alignment.clock(of: log.shard) {
      result.clockLow = (clock.low * 10_000).rounded() / 10
      result.clockHigh = (clock.high * 10_000).rounded() / 10
    }
    return result
  }
}
