import MurphyJudge
import MurphyModel
import MurphyProbe
import Simulation
import Testing

@Suite struct ProberTests {
  static let kinds: [(LimitAlgorithm, countsRefused: Bool)] = [
    (.fixedAligned, false), (.fixed, false), (.slidingLog, false), (.slidingLog, true), (.slidingCounter, false),
    (.tokenBucket, false),
  ]

  struct Score {
    var count = 0
    var algorithm = 0
    var allowance = 0
    var window = 0
    /// Those that are a result.
    var identified = 0
    var requests: [Double] = []
    var windows: [Double] = []

    mutating func add(_ other: Score) {
      count += other.count
      algorithm += other.algorithm
      allowance += other.allowance
      window += other.window
      identified += other.identified
      requests += other.requests
      windows += other.windows
    }

    func line(_ name: String) -> String {
      func share(_ hits: Int) -> String { "\((Double(hits) * 1000 / Double(count)).rounded() / 10) %" }
      func middle(_ values: [Double]) -> Double { (values.sorted()[values.count / 2] * 10).rounded() / 10 }
      return
        "  \(name): \(count) limiters, algorithm \(share(algorithm)), allowance \(share(allowance)), window \(share(window)), result \(share(identified)); requests/L \(middle(requests)), time/W \(middle(windows))"
    }
  }

  static func probe(_ index: Int, declared: Bool = false) async throws -> (score: Score, miss: String?) {
    var random = RandomSource(seed: 21, stream: UInt64(index))
    let kind = kinds[index % kinds.count]
    let allowance = Int(random.logUniform(3, 300).rounded())
    let window = random.logUniform(1, 60)
    var limiter = LimiterModel(
      kind.0, allowance: allowance, window: window, phase: random.uniform(0, window), countsRefused: kind.countsRefused)
    var options = ProbeOptions(maxRequests: 100_000, time: .seconds(100_000))
    if declared {
      options.declared = LimitPolicy(
        name: "voteLaw", operations: ["voteLaw"], allowance: allowance, window: .seconds(window), key: .global)
    }
    var target = VirtualTarget(admits: { _, moment in limiter.admits(at: moment) }, random: random)
    var prober = Prober(operation: "voteLaw", options: options)
    let report = try await prober.run(on: &target)
    #expect(target.earliest >= 0, "something was sent before the last response")
    var score = Score(count: 1)
    let name = kind.countsRefused ? "sliding log that counts refusals" : kind.0.text
    let isRight = report.candidates.first?.algorithm == name
    let foundAllowance = report.allowance?.value ?? 0
    let foundWindow = report.window?.value ?? 0
    score.algorithm = isRight ? 1 : 0
    score.identified = isRight && report.outcome == .identified ? 1 : 0
    score.allowance = isRight && (foundAllowance - Double(allowance)).magnitude <= 0.01 * Double(allowance) ? 1 : 0
    score.window = isRight && (foundWindow / window - 1).magnitude <= 0.03 ? 1 : 0
    score.requests = [Double(report.requests) / Double(allowance)]
    score.windows = [report.duration.inSeconds / window]
    let isHit = score.algorithm + score.allowance + (declared ? 1 : score.window) == 3
    return (
      score, isHit ? nil : "    missed \(name) \(allowance) per \(window): \(report.sentences.first ?? "nothing")"
    )
  }

  @Test(arguments: [false, true])
  func `limiters nobody described are identified`(_ declared: Bool) async throws {
    let count = SimulationSize.count(declared ? 200 : 600, least: 30)
    var scores = [Score](repeating: Score(), count: Self.kinds.count)
    var misses: [String] = []
    try await withThrowingTaskGroup(of: (Int, Score, String?).self) { group in
      for index in 0..<count {
        group.addTask {
          let (score, miss) = try await Self.probe(index, declared: declared)
          return (index % Self.kinds.count, score, miss)
        }
      }
      for try await (kind, score, miss) in group {
        scores[kind].add(score)
        if let miss { misses.append(miss) }
      }
    }
    print(declared ? "prober, allowance and window declared:" : "prober, black box:")
    var all = Score()
    for (kind, score) in zip(Self.kinds, scores) {
      print(score.line(kind.countsRefused ? "sliding log that counts refusals" : kind.0.text))
      all.add(score)
    }
    print(all.line("all"))
    misses.forEach { print($0) }
    // Three standard errors below what is promised of 600.
    func floor(_ share: Double) -> Double { share - 3 * (share * (1 - share) / Double(count)).squareRoot() }
    #expect(Double(all.algorithm) / Double(count) >= (count >= 600 ? 0.98 : floor(0.98)))
    if !declared {
      // Of 480, 471 were before a trial had its four parts, and 476 since.
      #expect(Double(all.identified) / Double(count) >= floor(0.98))
      #expect(Double(all.allowance) / Double(count) >= (count >= 600 ? 0.97 : floor(0.97)))
      #expect(Double(all.window) / Double(count) >= (count >= 600 ? 0.95 : floor(0.95)))
    }
  }
}
