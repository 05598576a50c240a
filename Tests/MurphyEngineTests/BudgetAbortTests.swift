import MurphyEngine
import MurphyModel
import Testing

/// When a budget ends the load, on simulated runs of 60 s with 50 requests a second.
@Suite struct BudgetAbortTests {
  static let seconds = 60
  static let rate = 50

  static func budget(_ metric: Budget.Metric, _ limit: Budget.Limit) -> Budget {
    Budget(operation: "listLaws", metric: metric, limit: limit)
  }

  static func watch(_ budget: Budget, demand: Double? = Double(seconds * rate)) -> BudgetAbort? {
    BudgetAbort(
      [budget], operations: ["getLaw", "listLaws"], demand: { $0 == "listLaws" ? demand : nil },
      arrivals: seconds * rate, begin: .seconds(2))
  }

  /// A run whose requests are slow as the closure says; the second at which it is ended, and the share that was slow.
  static func run(_ watch: BudgetAbort, limit: Duration, isSlow: (Int) -> Bool) -> (ended: Int?, slow: Int) {
    var account = LatencyAccount(
      bounds: BoundCount.bounds(of: [budget(.latency(percentile: 95), .atMost(limit))]))
    var ended: Int?
    var slow = 0
    for number in 0..<seconds * rate {
      let late = isSlow(number)
      slow += late ? 1 : 0
      account.countResponse(latency: late ? 2 * limit.nanoseconds : limit.nanoseconds / 2, service: 1000)
      guard ended == nil, (number + 1).isMultiple(of: rate) else { continue }
      var standing = BudgetStanding()
      var operation = BudgetStanding.Operation()
      operation.seen = number + 1
      operation.errors = slow
      operation.bounds = account.bounds
      standing.operations[1] = operation
      standing.endedSessions = number + 1
      if watch.lost(standing, at: .seconds(number + 1) / rate) != nil { ended = (number + 1) / rate }
    }
    return (ended, slow)
  }

  @Test func `a server that is slow from the start ends the load soon`() throws {
    let watch = try #require(Self.watch(Self.budget(.latency(percentile: 95), .atMost(.milliseconds(300)))))
    let run = Self.run(watch, limit: .milliseconds(300)) { _ in true }
    // 5 % of the whole load of 3,000 requests and a margin, at 50 a second.
    #expect(run.ended.map { 3...5 ~= $0 } == true, "\(run)")
  }

  /// Stalls come in stretches, which a test that takes requests for independent would be wrong about.
  @Test func `no run that keeps its budget is ever ended`() throws {
    let watch = try #require(Self.watch(Self.budget(.latency(percentile: 95), .atMost(.milliseconds(300)))))
    var (kept, lost, ended, independent) = (0, 0, 0, 0)
    for seed in 0..<2000 {
      var random = RandomSource(seed: UInt64(seed), stream: 3)
      func draw() -> Double { Double(random.next() >> 11) / Double(1 << 53) }
      // A stall of up to six seconds at any place, and some slow requests everywhere.
      let (begin, length) = (Int(draw() * 2700), Int(draw() * 300))
      let noise = draw() * 0.03
      let slow = (0..<Self.seconds * Self.rate).map { number in
        (begin..<begin + length).contains(number) || draw() < noise
      }
      let run = Self.run(watch, limit: .milliseconds(300)) { slow[$0] }
      if run.slow * 20 <= Self.seconds * Self.rate {
        kept += 1
        #expect(run.ended == nil, "seed \(seed): ended after \(run.ended ?? 0) s with \(run.slow) slow requests")
        independent += Self.wouldEnd(slow) ? 1 : 0
      } else {
        lost += 1
        ended += run.ended == nil ? 0 : 1
      }
    }
    print("kept \(kept), none of them ended; lost \(lost), \(ended) of them ended early")
    print("a sequential test for independent requests would have ended \(independent) of the \(kept)")
    #expect(kept > 500 && ended > lost / 2)
    #expect(independent > kept / 50, "the reason not to use it")
  }

  /// Wald's test of 5 % against 10 %, error 0.1 %, as if requests were independent.
  private static func wouldEnd(_ slow: [Bool]) -> Bool {
    var evidence = 0.0
    for (number, isSlow) in slow.enumerated() {
      evidence += isSlow ? 0.6931 : -0.0541
      if number > 100, evidence > 6.9 { return true }
    }
    return false
  }

  @Test func `errors count against the whole load`() throws {
    let watch = try #require(Self.watch(Self.budget(.errors, .share(0.01))))
    #expect(Self.run(watch, limit: .seconds(1)) { $0 < 29 }.ended == nil)
    #expect(Self.run(watch, limit: .seconds(1)) { $0 < 60 }.ended != nil)
  }

  @Test func `what nobody can count ends nothing`() {
    #expect(Self.watch(Self.budget(.latency(percentile: 95), .atMost(.milliseconds(300))), demand: nil) == nil)
    let mean = Self.watch(Self.budget(.meanLatency, .atMost(.milliseconds(300))))
    #expect(mean.map { Self.run($0, limit: .milliseconds(300)) { _ in true }.ended == nil } == true)
  }

  @Test func `the begin is respected`() throws {
    let watch = try #require(
      BudgetAbort(
        [Self.budget(.maxLatency, .atMost(.milliseconds(300)))], operations: ["getLaw", "listLaws"],
        demand: { _ in 3000 }, arrivals: 3000, begin: .seconds(20)))
    #expect(Self.run(watch, limit: .milliseconds(300)) { $0 == 0 }.ended == 20)
  }
}
