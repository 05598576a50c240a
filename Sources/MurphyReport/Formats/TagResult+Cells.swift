import MurphyModel

extension TagResult {
  /// The columns of every table of tags.
  package static let columns = ["tag", "requests", "errors", "p50", "p95", "p99", "max"]

  /// Behind the name: counts, and latencies of the answers.
  package var figures: [String] {
    let latencies =
      latency.count == 0
      ? Array(repeating: "–", count: 4)
      : [latency.p50, latency.p95, latency.p99, latency.max].map { Figure.latency($0).text }
    return [Figure.count(requests).text, Figure.count(errors).text] + latencies
  }
}
