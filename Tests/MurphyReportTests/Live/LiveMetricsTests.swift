import MurphyModel
import MurphyReport
import Testing

@Suite("Live metrics")
struct LiveMetricsTests {
  private static func lines(_ result: RunResult, _ operation: String = "getLaw") -> [String] {
    var outcomes = Outcomes()
    outcomes.ok = 12
    return LiveMetrics(
      result, operations: [(operation, outcomes)], elapsed: .seconds(3), latencySum: .milliseconds(250)
    ).text
      .split(separator: "\n").map(String.init)
  }

  @Test func `the histogram only grows from bucket to bucket and ends with all responses`() throws {
    let result = SampleRun(seconds: 8).result(.pass)
    let counts = Self.lines(result).filter { $0.hasPrefix("murphy_latency_seconds_bucket") }
      .compactMap { $0.split(separator: " ").last.flatMap { Double($0) } }
    #expect(counts == counts.sorted())
    let answers = result.timeline.reduce(0.0) { sum, point in
      sum + stride(from: 1, to: point.buckets.count, by: 2).reduce(0) { $0 + point.buckets[$1] }
    }
    #expect(counts.last == answers)
    #expect(Self.lines(result).contains("murphy_latency_seconds_sum 0.25"))
    #expect(answers > 0)
  }

  @Test func `every bucket of the timeline ends at a bound of the histogram`() {
    var result = SampleRun(seconds: 1).result(.pass)
    var tally = LatencyHistogram()
    tally.record(1)
    for octave in 18..<35 {
      for quarter in 5...8 {
        // The upper bound of a bucket, microseconds, as a timeline has it.
        let bound = Double(UInt64(quarter) << UInt64(octave - 2)) / 1000
        result.timeline[0].buckets = [bound, 1]
        let counts = Self.lines(result).filter { $0.hasPrefix("murphy_latency_seconds_bucket") }
          .compactMap { $0.split(separator: " ").last }
        #expect(counts.contains("1") && counts.dropLast().contains("1"), "\(bound)")
      }
    }
  }

  @Test func `the text ends as OpenMetrics does, and a hostile name is no line of its own`() {
    let lines = Self.lines(SampleRun(seconds: 1).result(.pass), "a\"} 1\nmurphy_users 99\\")
    #expect(lines.last == "# EOF")
    #expect(!lines.contains("murphy_users 99\\"))
    #expect(lines.contains { $0.contains("operation=\"a\\\"} 1\\nmurphy_users 99\\\\\"") })
  }
}
