import MurphyJudge
import MurphyModel
import Simulation
import Testing

/// A conforming limiter is never accused: the property that everything else rests on.
@Suite struct SoundnessTests {
  static let seed: UInt64 = 2026

  @Test(arguments: LimitAlgorithm.concrete)
  func `a conforming log is never accused`(_ algorithm: LimitAlgorithm) {
    var random = RandomSource(seed: Self.seed, stream: UInt64(algorithm.rawValue.count))
    let logs = SimulationSize.count(4000, part: 1)
    var alarms = 0
    var requests = 0
    for _ in 0..<logs {
      let (allowance, window) = random.terms()
      let traffic = SimulatedTraffic(allowance: allowance, window: window, &random)
      var limiter = LimiterModel(algorithm, allowance: allowance, window: window, phase: random.uniform(0, window))
      let admitted = traffic.decisions { limiter.admits(at: $0) }
      requests += admitted.count
      let terms = LimitTerms(allowance: allowance, window: window)
      if !LimitCheck.outcome(of: traffic.trace(admitted), algorithm: algorithm, terms: terms).isConsistent {
        alarms += 1
      }
    }
    print(
      "soundness \(algorithm.rawValue): \(alarms) false alarms in \(logs) logs, \(requests) requests, seed \(Self.seed)"
    )
    #expect(alarms == 0)
  }

  @Test(arguments: LimitAlgorithm.concrete)
  func `delays as long as the window accuse nobody`(_ algorithm: LimitAlgorithm) {
    var random = RandomSource(seed: Self.seed + 1, stream: UInt64(algorithm.rawValue.count))
    let logs = SimulationSize.count(1400, part: 1)
    var alarms = 0
    for _ in 0..<logs {
      let allowance = 2 + Int(random.unit() * 39)
      let traffic = SimulatedTraffic(
        allowance: allowance, window: 1, length: 10, slow: [0.05, 0.2, 0.5][Int(random.unit() * 3)] / 2, &random)
      var limiter = LimiterModel(algorithm, allowance: allowance, window: 1, phase: random.unit())
      let admitted = traffic.decisions { limiter.admits(at: $0) }
      let terms = LimitTerms(allowance: allowance, window: 1)
      if !LimitCheck.outcome(of: traffic.trace(admitted), algorithm: algorithm, terms: terms).isConsistent {
        alarms += 1
      }
    }
    print("soundness, slow network, \(algorithm.rawValue): \(alarms) false alarms in \(logs) logs")
    #expect(alarms == 0)
  }

  @Test(arguments: LimitAlgorithm.concrete)
  func `a server clock that ticks once a second accuses nobody`(_ algorithm: LimitAlgorithm) {
    var random = RandomSource(seed: Self.seed + 2, stream: UInt64(algorithm.rawValue.count))
    let logs = SimulationSize.count(500, part: 1)
    var alarms = 0
    var naive = 0
    for _ in 0..<logs {
      let allowance = 3 + Int(random.unit() * 58)
      let window = Double(5 + Int(random.unit() * 26))
      let traffic = SimulatedTraffic(allowance: allowance, window: window, &random)
      let offset = random.unit()
      let phase = (random.unit() * window).rounded(.down) - offset
      var limiter = LimiterModel(algorithm, allowance: allowance, window: window, phase: phase)
      let admitted = traffic.decisions(clock: { ($0 + offset).rounded(.down) - offset }) { limiter.admits(at: $0) }
      let trace = traffic.trace(admitted)
      var terms = LimitTerms(allowance: allowance, window: window, tick: 1)
      if !LimitCheck.outcome(of: trace, algorithm: algorithm, terms: terms).isConsistent { alarms += 1 }
      terms.tick = 0
      if !LimitCheck.outcome(of: trace, algorithm: algorithm, terms: terms).isConsistent { naive += 1 }
    }
    print(
      "soundness, 1 s clock, \(algorithm.rawValue): \(alarms) false alarms in \(logs) logs; without the tick \(naive)")
    #expect(alarms == 0)
  }

  @Test(arguments: LimitAlgorithm.concrete)
  func `lost responses accuse nobody`(_ algorithm: LimitAlgorithm) {
    var random = RandomSource(seed: Self.seed + 3, stream: UInt64(algorithm.rawValue.count))
    let logs = SimulationSize.count(1000, part: 1)
    var alarms = 0
    var found = 0
    for index in 0..<(2 * logs) {
      let mutant = index >= logs
      let (allowance, window) = random.terms()
      let traffic = SimulatedTraffic(allowance: allowance, window: window, &random)
      var limiter = LimiterModel(
        algorithm, allowance: allowance + (mutant ? 1 : 0), window: window, phase: random.uniform(0, window))
      let admitted = traffic.decisions { limiter.admits(at: $0) }
      let trace = LimitTrace(
        traffic.requests.indices.map { index in
          let request = traffic.requests[index]
          let lost = random.unit() < 0.03
          return LimitTrace.Request(
            sent: request.sent, settled: lost ? max(request.sent + 3, request.decided) : request.settled,
            role: lost ? .possible : admitted[index] ? .certain : .refused, id: index)
        })
      let terms = LimitTerms(allowance: allowance, window: window)
      if !LimitCheck.outcome(of: trace, algorithm: algorithm, terms: terms).isConsistent {
        if mutant { found += 1 } else { alarms += 1 }
      }
    }
    print(
      "soundness, 3 % lost, \(algorithm.rawValue): \(alarms) false alarms in \(logs) logs; limit+1 found in",
      "\(found * 100 / logs) %")
    #expect(alarms == 0)
  }

  @Test(arguments: LimitAlgorithm.concrete)
  func `a limiter in use before the log began is not accused`(_ algorithm: LimitAlgorithm) {
    var random = RandomSource(seed: Self.seed + 4, stream: UInt64(algorithm.rawValue.count))
    let logs = SimulationSize.count(1500, part: 1)
    var alarms = 0
    for _ in 0..<logs {
      let (allowance, window) = random.terms()
      let traffic = SimulatedTraffic(allowance: allowance, window: window, &random)
      var limiter = LimiterModel(algorithm, allowance: allowance, window: window, phase: random.uniform(0, window))
      let admitted = traffic.decisions { limiter.admits(at: $0) }
      let begin = random.uniform(0.3, 4) * window
      let seen = traffic.requests.indices.filter { traffic.requests[$0].sent >= begin }
      // What was in flight when the log begins is not seen either, but decided after it: keep only clean cuts.
      if traffic.requests.contains(where: { $0.sent < begin && $0.decided >= begin }) { continue }
      let trace = LimitTrace(
        seen.map {
          LimitTrace.Request(
            sent: traffic.requests[$0].sent, settled: traffic.requests[$0].settled,
            role: admitted[$0] ? .certain : .refused, id: $0)
        }, startsQuiet: false)
      let terms = LimitTerms(allowance: allowance, window: window)
      if !LimitCheck.outcome(of: trace, algorithm: algorithm, terms: terms).isConsistent { alarms += 1 }
    }
    print("soundness, used before, \(algorithm.rawValue): \(alarms) false alarms in \(logs) logs")
    #expect(alarms == 0)
  }

  @Test(arguments: LimitAlgorithm.concrete)
  func `a limit that counts what the next one rejects is not accused`(_ algorithm: LimitAlgorithm) {
    var random = RandomSource(seed: Self.seed + 6, stream: UInt64(algorithm.rawValue.count))
    var alarms: [String] = []
    for _ in 0..<SimulationSize.count(400, part: 0.2) {
      let (allowance, window) = random.terms()
      let traffic = SimulatedTraffic(allowance: allowance, window: window, length: 12, &random)
      let phase = random.uniform(0, window)
      var short = LimiterModel(algorithm, allowance: allowance, window: window, phase: phase)
      var long = LimiterModel(algorithm, allowance: 3 * allowance, window: 8 * window, phase: phase)
      var builder = LogBuilder()
      builder.add(traffic, traffic.decisions { short.admits(at: $0) && long.admits(at: $0) })
      let policies = [(allowance, window), (3 * allowance, 8 * window)].map {
        LimitJudgeTests.policy(algorithm, $0, window: .seconds($1), tick: .milliseconds(1))
      }
      let judged = LimitJudge.judge(log: builder.log, policies: policies, options: LimitJudgeTests.fresh)
      alarms += judged.findings.filter { $0.severity == .error }.map(\.message)
    }
    #expect(alarms.isEmpty, "\(alarms.prefix(3))")
  }

  @Test(arguments: LimitAlgorithm.concrete)
  func `clocks that drift and requests that may not count accuse nobody`(_ algorithm: LimitAlgorithm) {
    var random = RandomSource(seed: Self.seed + 5, stream: UInt64(algorithm.rawValue.count))
    let logs = SimulationSize.count(1500, part: 1)
    var alarms = 0
    for _ in 0..<logs {
      let (allowance, window) = random.terms()
      let traffic = SimulatedTraffic(allowance: allowance, window: window, length: 20, &random)
      let speed = 1 + random.uniform(-5e-5, 5e-5)
      let countsFailed = random.unit() < 0.5
      var limiter = LimiterModel(algorithm, allowance: allowance, window: window, phase: random.uniform(0, window))
      let failed = traffic.requests.map { _ in random.unit() < 0.2 }
      var admitted = [Bool](repeating: false, count: failed.count)
      for index in traffic.requests.indices.sorted(by: { traffic.requests[$0].decided < traffic.requests[$1].decided })
      {
        admitted[index] =
          failed[index] && !countsFailed ? true : limiter.admits(at: traffic.requests[index].decided * speed)
      }
      let trace = LimitTrace(
        traffic.requests.indices.map {
          LimitTrace.Request(
            sent: traffic.requests[$0].sent, settled: traffic.requests[$0].settled,
            role: !admitted[$0] ? .refused : failed[$0] ? .possible : .certain, id: $0)
        })
      let terms = LimitTerms(allowance: allowance, window: window)
      if !LimitCheck.outcome(of: trace, algorithm: algorithm, terms: terms).isConsistent { alarms += 1 }
      if !LimitCheck.outcome(of: trace, algorithm: .any, terms: terms).isConsistent { alarms += 1 }
    }
    print("soundness, drift and failures, \(algorithm.rawValue): \(alarms) false alarms in \(logs) logs")
    #expect(alarms == 0)
  }

  /// HAProxy: after two empty windows, the next request begins one.
  @Test(arguments: [10, 13]) func `a sliding counter whose windows restart after silence conforms`(quota: Int) throws {
    var alarms = 0
    for index in 0..<200 as Range<UInt64> {
      var random = RandomSource(seed: 77, stream: index)
      let model = LimiterModel(.slidingCounter, allowance: quota, window: 2).restarting
      var limiter = try #require(model)
      var moment = 0.0
      var requests: [LimitTrace.Request] = []
      for _ in 0..<12 {
        moment += random.unit() < 0.4 ? random.uniform(4, 6) : random.uniform(0.1, 1.8)
        for _ in 0..<(1 + Int(random.next() % 18)) {
          let decided = moment + random.uniform(0.0005, 0.0015)
          requests.append(
            LimitTrace.Request(
              sent: moment, settled: decided + 0.0005, role: limiter.admits(at: decided) ? .certain : .refused))
          moment += 0.002
        }
      }
      let terms = LimitTerms(allowance: 10, window: 2)
      if !LimitCheck.outcome(of: LimitTrace(requests), algorithm: .slidingCounter, terms: terms).isConsistent {
        alarms += 1
      }
    }
    // With one phase for the whole log, 130 of 200 correct logs were contradicted.
    #expect(quota == 10 ? alarms == 0 : alarms >= 160, "\(alarms)")
  }
}

extension RandomSource {
  /// Allowance log-uniform in 3…120, window of 1, 2, 5 or 10 s.
  mutating func terms() -> (allowance: Int, window: Double) {
    (Int(logUniform(3, 120).rounded()), [1, 2, 5, 10][Int(unit() * 4)])
  }
}
