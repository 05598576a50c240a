import MurphyModel
import Testing

@Suite struct PhaseAccountTests {
  /// Responses whose phases are recorded, and plain ones of which only the service time is.
  private func account(of count: Int, seed: UInt64) -> (
    PhaseAccount, service: LatencyHistogram, first: LatencyHistogram
  ) {
    var random = RandomSource(seed: seed)
    var account = PhaseAccount()
    var (service, first) = (LatencyHistogram(), LatencyHistogram())
    for _ in 0..<count {
      var phases = ServicePhases(firstByte: Int64.random(in: 1..<5_000_000, using: &random))
      if Bool.random(using: &random) {
        phases.body = Int64.random(in: 0..<1_000_000, using: &random)
        if Bool.random(using: &random) { phases.connect = Int64.random(in: 1..<300_000, using: &random) }
        account.record(phases)
      }
      service.record(phases.total)
      first.record(phases.firstByte)
    }
    return (account, service, first)
  }

  @Test(arguments: 0..<20) func `what is not recorded is a wait for the first byte`(_ seed: Int) {
    let (account, service, first) = account(of: 2_000, seed: UInt64(seed))
    let told = account.firstByte(of: service)
    #expect(told.count == first.count)
    let percents = [1.0, 25, 50, 75, 95, 99, 100]
    for (one, other) in zip(told.percentiles(percents), first.percentiles(percents)) {
      // A bucket is 0.1 % wide.
      #expect(abs(one - other) <= other / 500, "\(one) and \(other)")
    }
    #expect(account.body(of: service).count == service.count)
    #expect(account.body(of: service).min == 0)
  }

  @Test func `parts add up to the whole`() {
    let parts = (0..<5).map { account(of: 500, seed: UInt64($0)) }
    var (whole, service, first) = (PhaseAccount(), LatencyHistogram(), LatencyHistogram())
    for part in parts {
      whole.merge(part.0)
      service.merge(part.service)
      first.merge(part.first)
    }
    #expect(whole.firstByte(of: service).count == first.count)
    #expect(whole.connect.count == parts.reduce(0) { $0 + $1.0.connect.count })
  }

  @Test func `without anything recorded all is a wait`() {
    var service = LatencyHistogram()
    for value in [1_000_000, 2_000_001, 7_000_003] as [Int64] { service.record(value) }
    let told = PhaseAccount().firstByte(of: service)
    #expect((told.min, told.max, told.count) == (service.min, service.max, 3))
    #expect(PhaseSummary(PhaseAccount(), service: LatencyHistogram()) == nil)
  }
}
