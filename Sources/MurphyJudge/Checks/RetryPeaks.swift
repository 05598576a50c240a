import Foundation
import MurphyModel

/// Clients that `Retry-After` sends back in the same second (docs/recovery.md).
///
/// H₀: each client returns at an independent random time in the half of the announced wait that follows it, as with
/// jitter. Then the number of clients that return in a second is a sum of independent trials. Its expectation is at
/// most μ, the largest over all seconds, and by Chernoff's bound, for N > μ and a run of k seconds,
///
///     P(some second has N or more) ≤ k · e^(N − μ) · (μ/N)^N
package enum RetryPeaks {
  private static let chance = 0.001
  /// Fewer clients harm no API.
  private static let fewest = 10
  /// As a multiple of the usual requests per second.
  private static let harm = 2.0

  /// - Parameter rate: the usual requests per second.
  package static func finding(in record: RunRecord, rate: Double) -> Finding? {
    let waits = waits(record.limitLog)
    let length = Int(saturating: record.info.duration.inSeconds)
    var returns = [Int](repeating: 0, count: length)
    var spread = [Double](repeating: 0, count: length)
    for (from, wait) in waits where from + wait < Double(length) {
      let first = from + wait
      returns[Int(saturating: first)] += 1
      let last = first + max(wait / 2, 0.001)
      for second in Int(saturating: first)...Int(saturating: last) where second < length {
        let overlap = min(last, Double(second + 1)) - max(first, Double(second))
        spread[second] += max(overlap, 0) / (last - first)
      }
    }
    guard let peak = returns.indices.max(by: { returns[$0] < returns[$1] }), let most = spread.max(),
      returns[peak] >= fewest, Double(returns[peak]) >= harm * rate
    else { return nil }
    let count = Double(returns[peak])
    let bound = log(Double(length)) + count - most + count * log(most / count)
    guard count > most, bound < log(chance) else { return nil }
    let values = Dictionary(grouping: waits.map(\.wait)) { $0 }
    guard let usual = values.max(by: { ($0.value.count, $1.key) < ($1.value.count, $0.key) }) else { return nil }
    let moment = Duration.saturating(seconds: Double(peak))
    return Finding(
      kind: .trafficRetryPeak, operation: nil,
      message: "`Retry-After` sends \(counted(returns[peak], "client")) back in the same second, at "
        + "\(Figure.time(moment).text); the usual load is \(Figure.rate(rate).text) requests",
      details: [
        "\(usual.value.count.text) of \(counted(waits.count, "response")) with `Retry-After` announce a wait of "
          + "\(Figure.time(.saturating(seconds: usual.key)).text).",
        "If the waits were spread over 50% of their length, at most \(Int(saturating: most.rounded(.up)).text) clients "
          + "would return in one second.",
      ], count: returns[peak], firstSeen: moment, lastSeen: moment, discriminator: "retry-peak")
  }

  /// The time of each response that announces a wait, and the wait, in seconds.
  private static func waits(_ log: LimitLog) -> [(from: Double, wait: Double)] {
    var known: [Int32: Double?] = [:]
    return log.observations.compactMap { observation in
      guard let answered = observation.answered, [429, 503].contains(observation.status), observation.headers >= 0
      else {
        return nil
      }
      let wait: Double?
      if let read = known[observation.headers] {
        wait = read
      } else {
        let headers = log.headerSets[Int(observation.headers)]
        wait = RetryAfter.wait(headers, now: 0).map(\.inSeconds)
        known[observation.headers] = wait
      }
      return wait.map { (Double(answered - log.start) / 1e9, $0) }
    }
  }
}
