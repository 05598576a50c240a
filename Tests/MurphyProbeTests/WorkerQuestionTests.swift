import MurphyJudge
import MurphyModel
import MurphyProbe
import Simulation
import Testing

/// A limiter with one counter for each of several processes is named as that.
@Suite struct WorkerQuestionTests {
  /// Each process has its own counter, and gets requests in turn or at random.
  private static func probe(_ index: Int, workers: Int) async throws -> (found: Int?, sentences: [String]) {
    var random = RandomSource(seed: 71, stream: UInt64(index))
    let (allowance, window) = (3 + Int(random.next() % 40), random.uniform(4, 30))
    let algorithm = [LimitAlgorithm.fixed, .fixedAligned, .slidingLog][index % 3]
    let phase = random.uniform(0, window)
    var limiters = (0..<workers).map { _ in
      LimiterModel(algorithm, allowance: allowance, window: window, phase: phase)
    }
    var routes = RandomSource(seed: 72, stream: UInt64(index))
    var number = 0
    var target = VirtualTarget(
      admits: { _, moment in
        number += 1
        let worker = index % 2 == 0 ? number % workers : Int(routes.next() % UInt64(workers))
        return limiters[worker].admits(at: moment)
      }, random: random)
    var options = ProbeOptions(maxRequests: 100_000, time: .seconds(100_000))
    options.declared = LimitPolicy(
      name: "voteLaw", operations: ["voteLaw"], algorithm: algorithm, allowance: allowance, window: .seconds(window),
      key: .global)
    var prober = Prober(operation: "voteLaw", options: options)
    var report = try await prober.run(on: &target)
    if var question = WorkerQuestion(prober, report) { report = try await question.ask(of: &target) }
    let found = report.facts.lazy.compactMap { fact -> Int? in
      if case .counters(let count, _, _) = fact { count } else { nil }
    }.first
    return (found, report.sentences)
  }

  @Test func `the number of counters is right, or not tested`() async throws {
    let count = SimulationSize.count(240, least: 24)
    var right = 0
    for index in 0..<count {
      let workers = 1 + index % WorkerQuestion.most
      let (found, sentences) = try await Self.probe(index, workers: workers)
      #expect(found == nil || found == workers, "\(workers): \(sentences)")
      if found ?? 1 == workers { right += 1 }
    }
    print("workers: \(right) of \(count) right")
    #expect(right * 100 >= count * 95)
  }
}
