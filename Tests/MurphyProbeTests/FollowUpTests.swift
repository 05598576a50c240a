import MurphyJudge
import MurphyModel
import MurphyProbe
import Simulation
import Testing

@Suite struct FollowUpTests {
  /// A limiter with one counter per key value, behind a proxy that may trust what clients claim.
  final class KeyedLimiter {
    let dimensions: Set<ProbeDimension>
    let trustsForwarded: Bool
    let make: () -> LimiterModel
    private var counters: [String: LimiterModel] = [:]

    init(_ dimensions: Set<ProbeDimension>, trustsForwarded: Bool, make: @escaping () -> LimiterModel) {
      self.dimensions = dimensions
      self.trustsForwarded = trustsForwarded
      self.make = make
    }

    func admits(_ request: ProbeRequest, _ moment: Double) -> Bool {
      var parts: [String] = []
      for dimension in dimensions.sorted(by: { $0.rawValue < $1.rawValue }) {
        var value = "base"
        if let variant = request.variant ?? request.client {
          if variant.dimension == dimension { value = "\(variant.number)" }
          if dimension == .sourceAddress, trustsForwarded, variant.dimension == .forwardedFor {
            value = "claimed \(variant.number)"
          }
        }
        parts.append(value)
      }
      return counters[parts.joined(separator: "|"), default: make()].admits(at: moment)
    }
  }

  static let dimensions: [ProbeDimension] = [.sourceAddress, .forwardedFor, .device, .token, .route, .method]

  @Test func `the dimensions of random keys are found, and what clients can forge`() async throws {
    let count = SimulationSize.count(600, least: 24)
    var right = 0
    var wrong: [String] = []
    var allRight = 0
    var bypasses = (found: 0, of: 0, false: 0)
    for index in 0..<count {
      var random = RandomSource(seed: 7, stream: UInt64(index))
      let kind = ProberTests.kinds[index % ProberTests.kinds.count]
      let allowance = Int(random.logUniform(5, 300).rounded())
      let window = random.logUniform(1, 60)
      let phase = random.uniform(0, window)
      var key: Set<ProbeDimension> = []
      for dimension in [ProbeDimension.sourceAddress, .device, .token, .route, .method]
      where random.unit() < (dimension == .sourceAddress || dimension == .device ? 0.6 : 0.25) {
        key.insert(dimension)
      }
      let limiter = KeyedLimiter(key, trustsForwarded: random.unit() < 0.4) {
        LimiterModel(kind.0, allowance: allowance, window: window, phase: phase, countsRefused: kind.countsRefused)
      }
      let options = ProbeOptions(
        maxRequests: 100_000, time: .seconds(100_000),
        declared: LimitPolicy(
          name: "voteLaw", operations: ["voteLaw"], allowance: allowance, window: .seconds(window), key: .global),
        dimensions: Self.dimensions)
      var target = VirtualTarget(admits: limiter.admits, random: random)
      var prober = Prober(operation: "voteLaw", options: options)
      let report = try await prober.run(on: &target)
      var good = 0
      for finding in report.keys {
        let dimension = finding.dimension
        let truth =
          dimension == .forwardedFor ? key.contains(.sourceAddress) && limiter.trustsForwarded : key.contains(dimension)
        if finding.separates == truth { good += 1 }
        if finding.separates == !truth {
          wrong.append("\(index) \(kind.0.text) \(allowance) per \(window): \(dimension.rawValue), key \(key)")
        }
        if dimension == .forwardedFor {
          if truth { bypasses.of += 1 }
          if finding.bypasses { if truth { bypasses.found += 1 } else { bypasses.false += 1 } }
        }
      }
      right += good
      if good == Self.dimensions.count { allRight += 1 }
    }
    let total = count * Self.dimensions.count
    print(
      "keys: \(right) of \(total) dimensions right, all six of \(allRight) in \(count) limiters; bypass found",
      "\(bypasses.found) of \(bypasses.of), \(bypasses.false) false; \(wrong.count) wrong")
    wrong.forEach { print("    wrong: \($0)") }
    #expect(100 * wrong.count <= total, "\(wrong)")
    #expect(Double(right) >= 0.94 * Double(total))
  }

  @Test func `a race is seen and an atomic limiter is not accused of one`() async throws {
    for isRacy in [false, true] {
      var seen = 0
      let count = SimulationSize.count(20, least: 8)
      for index in 0..<count {
        var random = RandomSource(seed: 12, stream: UInt64(index))
        let allowance = 10 + Int(random.unit() * 50)
        var atomic = FixedWindowLimiter(allowance: allowance, window: 3)
        var window = (start: -100.0, written: [Double]())
        var target = VirtualTarget(
          admits: { _, moment in
            guard isRacy else { return atomic.admits(at: moment) }
            // Reads what was written 4 ms ago.
            if moment >= window.start + 3 { window = (moment, []) }
            let count = window.written.count { $0 <= moment - 0.004 }
            guard count < allowance else { return false }
            window.written.append(moment)
            return true
          }, random: random)
        let declared = LimitPolicy(
          name: "voteLaw", operations: [], algorithm: .fixed, allowance: allowance, window: .seconds(3), key: .global)
        var prober = Prober(
          operation: "voteLaw", options: ProbeOptions(time: .seconds(1000), declared: declared, triesRace: true))
        let report = try await prober.run(on: &target)
        if report.raceExcess ?? 0 > 0 || (isRacy && report.agreesWithDeclared == false) { seen += 1 }
      }
      print("race: \(isRacy ? "racy" : "atomic") limiters accused \(seen) of \(count)")
      #expect(isRacy ? 2 * seen >= count : seen == 0)
    }
  }

  @Test(arguments: [false, true], ProberTests.kinds.map(\.0))
  func `whether failed requests count is found out`(_ counts: Bool, _ algorithm: LimitAlgorithm) async throws {
    var right = 0
    for index in 0..<10 {
      var random = RandomSource(seed: 31, stream: UInt64(index))
      let allowance = 5 + Int(random.unit() * 60)
      var limiter = LimiterModel(algorithm, allowance: allowance, window: 5, phase: random.uniform(0, 5))
      var target = VirtualTarget(
        admits: { request, moment in request.isInvalid && !counts ? true : limiter.admits(at: moment) }, random: random)
      let declared = LimitPolicy(
        name: "voteLaw", operations: [], algorithm: algorithm, allowance: allowance, window: .seconds(5), key: .global)
      var prober = Prober(
        operation: "voteLaw", options: ProbeOptions(time: .seconds(1000), declared: declared, triesInvalid: true))
      if try await prober.run(on: &target).countsFailed == counts { right += 1 }
    }
    #expect(right >= 9, "\(right) of 10")
  }

  @Test func `the budget is obeyed and said`() async throws {
    var limiter = FixedWindowLimiter(allowance: 30, window: 60)
    var target = VirtualTarget(admits: { _, moment in limiter.admits(at: moment) }, random: RandomSource(seed: 1))
    var prober = Prober(operation: "voteLaw", options: ProbeOptions(maxRequests: 50, time: .seconds(1000)))
    let few = try await prober.run(on: &target)
    #expect(few.requests <= 50)
    #expect(few.outcome == .unfinished)
    var again = FixedWindowLimiter(allowance: 30, window: 60)
    target = VirtualTarget(admits: { _, moment in again.admits(at: moment) }, random: RandomSource(seed: 1))
    prober = Prober(operation: "voteLaw", options: ProbeOptions(time: .seconds(20)))
    let short = try await prober.run(on: &target)
    #expect(short.outcome == .unfinished)
    #expect(short.duration <= .seconds(20))
    #expect(short.sentences.contains { $0.contains("the time limit of 20 s ended") }, "\(short.sentences)")
  }

  @Test func `what is never rejected is unlimited, and what is delayed is shaping`() async throws {
    var target = VirtualTarget(admits: { _, _ in true }, random: RandomSource(seed: 1))
    var prober = Prober(operation: "listLaws", options: ProbeOptions(maxRequests: 300))
    #expect(try await prober.run(on: &target).outcome == .unlimited)
    var queue = Prober(operation: "listLaws", options: ProbeOptions())
    // One burst may be a server that hardly got a processor: a second one shows the same.
    for _ in 0..<2 {
      let next = queue.next()
      let volley = try #require(next)
      queue.receive(
        (0..<40).map { index in
          let sent = volley.at + Double(index) * 0.001
          let delayed = index <= 20
          return ProbeObservation(
            index: index, sent: sent, settled: delayed ? volley.at + 0.005 + Double(index) * 0.1 : sent + 0.002,
            decision: delayed ? .admitted : .refused, status: delayed ? 200 : 503)
        })
    }
    let third = queue.next()
    #expect(third == nil)
    #expect(queue.report.outcome == .shaping)
    let rate = try #require(queue.report.rate)
    #expect(rate.low <= 10 && 10 <= rate.high && rate.text == "10", "\(rate)")
  }

  @Test func `a client whose first requests are rejected is not taken for one that shares an allowance`() async throws {
    var limiters: [String: LimiterModel] = [:]
    var seen: [String: Int] = [:]
    var target = VirtualTarget(
      admits: { request, moment in
        let client = request.variant.map { "\($0.dimension) \($0.number)" } ?? "base"
        seen[client, default: 0] += 1
        guard seen[client]! > 4 else { return false }
        return limiters[client, default: LimiterModel(.fixed, allowance: 5, window: 10, phase: 0)].admits(at: moment)
      }, random: RandomSource(seed: 5))
    var options = ProbeOptions(
      declared: LimitPolicy(
        name: "listItems", operations: ["listItems"], algorithm: .fixed, allowance: 5, window: .seconds(10), key: .token
      ),
      dimensions: [.token])
    options.startsQuiet = true
    var prober = Prober(operation: "listItems", options: options)
    let report = try await prober.run(on: &target)
    #expect(report.keys.first { $0.dimension == .token }?.separates != false)
    #expect(report.agreesWithDeclared != true, "\(report.sentences)")
    #expect(
      report.facts.contains { fact in
        if case .key(let key) = fact { key.outcome == .open(.newRefused) } else { false }
      }, "\(report.sentences)")
  }
}
