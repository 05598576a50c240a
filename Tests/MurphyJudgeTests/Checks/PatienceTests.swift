import MurphyJudge
import MurphyModel
import Testing

/// Searches that a newer query supersedes: patience comes from the plan, so those that had little of it may be left
/// out, answered or not.
@Suite struct PatienceTests {
  private let limit = Duration.milliseconds(300)

  /// 200 searches that the person let wait, `slow` of them over the limit; 200 superseded after 100 ms.
  private func row(slow: Int, patient: Int = 200, reset: Int = 0) -> BudgetRow {
    var account = LatencyAccount(bounds: [BoundCount(isService: false, limit: limit.nanoseconds)])
    for index in 0..<patient {
      let latency: Int64 = index < slow ? 900_000_000 : 20_000_000
      account.countResponse(latency: latency, service: latency, patience: index.isMultiple(of: 2) ? nil : 2_000_000_000)
    }
    for _ in 0..<200 { account.censor(.superseded, waited: 101_000_000, service: 101_000_000, patience: 100_000_000) }
    for _ in 0..<reset { account.censor(.reset, waited: 1_000_000, service: 1_000_000) }
    let budget = Budget(operation: "op", metric: .latency(percentile: 95), limit: .atMost(limit))
    return BudgetJudge.percentileRow(budget, account, limit)
  }

  @Test func `undecided by bounds is decided over those that the person let wait`() {
    let kept = row(slow: 10)
    #expect(kept.verdict == .pass)
    #expect(kept.patient == 200)
    #expect(kept.samples == 400)
    let broken = row(slow: 11)
    #expect(broken.verdict == .fail)
    #expect(broken.patient == 200)
  }

  @Test func `too few patient searches decide nothing`() {
    let open = row(slow: 0, patient: 58)
    #expect(open.verdict == .noData)
    #expect(open.undecided?.cause == .unanswered)
    #expect(open.patient == nil)
    #expect(row(slow: 0, patient: 59).verdict == .pass)
  }

  @Test func `other losses stay unknown among the patient`() {
    #expect(row(slow: 0, reset: 10).verdict == .pass)
    #expect(row(slow: 0, reset: 11).verdict == .noData)
  }

  /// Over many runs with half of the searches superseded, what the counters say of the share over the limit favours
  /// nobody; leaving out only the superseded favours the fast.
  @Test func `leaving out the impatient favours nobody`() throws {
    let (seed, runs, limit) = (UInt64(7), 300, Int64(800_000_000))
    var random = RandomSource(seed: seed)
    var (patientError, answeredError) = (0.0, 0.0)
    for _ in 0..<runs {
      var account = LatencyAccount(bounds: [BoundCount(isService: false, limit: limit)])
      var slow = 0
      for _ in 0..<600 {
        let latency = Int64(250e6 * (1 + 3 * random.unit() * random.unit()))
        let patience = random.unit() < 0.5 ? Int64(3e8 + 1.3e9 * random.unit()) : nil
        if latency > limit { slow += 1 }
        if let patience, patience < latency {
          account.censor(.superseded, waited: patience, service: patience, patience: patience)
        } else {
          account.countResponse(latency: latency, service: latency, patience: patience)
        }
      }
      let bound = try #require(account.bound(isService: false, limit: limit))
      let patient = Double(bound.over - bound.impatientOver) / Double(600 - bound.impatient)
      let answered =
        Double(account.latency.count(within: limit...LatencyHistogram.highest)) / Double(account.latency.count)
      patientError += (patient - Double(slow) / 600) / Double(runs)
      answeredError += (answered - Double(slow) / 600) / Double(runs)
      #expect(bound.maybe == bound.impatientMaybe)
    }
    #expect(abs(patientError) < 0.003, "seed \(seed)")
    #expect(answeredError < -0.004, "seed \(seed)")
  }
}
