import MurphyHTTP
import MurphyJudge
import MurphyModel
import MurphyProbe
import Simulation
import Testing

/// No sentence of a probe is false of what the probed API does: simulated limiters of all kinds, by address, by header and
/// by both, two at once, with declared terms and without.
@Suite struct LimitTruthTests {
  static let device = LimitKey.header("x-device-id")
  static let keys: [LimitKey] = [
    device, .sourceAddress, .global, .token, LimitKey([.sourceAddress, .header("x-device-id")]),
  ]

  enum World: CaseIterable {
    case one, countsRefused, countsFailed, usedBefore, trustsForwarded, twoOnOneKey, twoKeys
  }

  /// What is declared of the limits: all, or one where there is another.
  enum Declaration: CaseIterable { case nothing, all, one, otherKey, otherTerms }

  static func subject() -> ProbeSubject {
    var subject = ProbeSubject(
      operation: "voteLaw",
      base: HTTPRequest(
        method: "POST", target: "/laws/9/vote",
        headers: [HeaderField("X-Device-ID", "me"), HeaderField("Authorization", "Bearer me")]))
    subject.hasOtherAddresses = true
    subject.otherDevices = (0..<64).map { [HeaderField("X-Device-ID", "other-\($0)")] }
    subject.otherTokens = (0..<64).map { HeaderField("Authorization", "Bearer other-\($0)") }
    subject.keyHeaders = ["authorization", "x-device-id"]
    subject.invalid = subject.base
    return subject
  }

  static func truth(_ world: World, _ random: inout RandomSource) -> LimitTruth {
    let algorithm = LimitAlgorithm.concrete[Int(random.next() % 5)]
    let key = keys[Int(random.next() % UInt64(keys.count))]
    let window = [2.0, 4, 10, 30][Int(random.next() % 4)]
    let allowance = 3 + Int(random.next() % 30)
    let first = LimitTruth.Limit(
      algorithm: algorithm, allowance: allowance, window: window, key: key, phase: random.uniform(0, window))
    var truth = LimitTruth(limits: [first])
    truth.tells = LimitTruth.Telling.allCases[Int(random.next() % 4)]
    switch world {
    case .one: break
    case .countsRefused: (truth.limits[0].algorithm, truth.limits[0].countsRefused) = (.slidingLog, true)
    case .countsFailed: truth.countsFailed = true
    case .usedBefore: truth.earlier = 1 + Int(random.next() % UInt64(allowance))
    case .trustsForwarded: (truth.limits[0].key, truth.trustsForwarded) = (.sourceAddress, true)
    case .twoOnOneKey, .twoKeys:
      var second = first
      second.algorithm = LimitAlgorithm.concrete[Int(random.next() % 5)]
      second.window = window * [6.0, 10][Int(random.next() % 2)]
      second.allowance = allowance * (2 + Int(random.next() % 4))
      if world == .twoKeys { second.key = key == .sourceAddress ? device : .sourceAddress }
      truth.limits.append(second)
    }
    return truth
  }

  private static func policy(_ limit: LimitTruth.Limit, named: Bool, _ truth: LimitTruth) -> LimitPolicy {
    LimitPolicy(
      name: "votes", operations: ["voteLaw"], algorithm: named ? limit.algorithm : .any, allowance: limit.allowance,
      window: .seconds(limit.window), key: limit.key,
      counts: LimitCounting(failed: .no, refused: .no))
  }

  static func declared(
    _ declaration: Declaration, of truth: LimitTruth, _ random: inout RandomSource
  ) -> [LimitPolicy] {
    let named = random.next() % 3 > 0
    var policies = truth.limits.map { policy($0, named: named, truth) }
    // Which of two is probed.
    if random.next() % 2 == 0 { policies.reverse() }
    switch declaration {
    case .nothing: return []
    case .all: break
    case .one: policies = [policies[0]]
    case .otherKey:
      policies = [policies[0]]
      policies[0].key = keys[(keys.firstIndex(of: policies[0].key)! + 1) % keys.count]
    case .otherTerms:
      policies = [policies[0]]
      if random.next() % 2 == 0 {
        policies[0].allowance += 1 + Int(random.next() % 5)
      } else {
        policies[0].window = policies[0].window * (random.next() % 2 == 0 ? 0.7 : 1.5)
      }
    }
    return policies
  }

  static func probed(
    _ truth: LimitTruth, _ policies: [LimitPolicy], seed: UInt64
  ) async throws -> (limit: ProbedLimit, sentences: LimitSentences) {
    let subject = subject()
    var options = ProbeOptions(
      time: .seconds(900), declared: policies.first, dimensions: subject.dimensions, triesInvalid: true, triesRace: true
    )
    options.deviceHeaders = subject.deviceHeaderNames
    options.startsQuiet = truth.earlier == 0
    options.rivals = Array(policies.dropFirst())
    options.rivalsStartQuiet = options.startsQuiet
    var api = LimitedAPI(truth, subject, seed: seed)
    var prober = Prober(operation: subject.operation, options: options)
    let report = try await prober.run(on: &api)
    let outcome = ProbeSession.Log(report: report, log: api.log, variants: api.variants, responses: api.responses)
    var judging = LimitJudgeOptions()
    judging.startsQuiet = options.startsQuiet
    judging.sharesClock = true
    judging.tick = .milliseconds(1)
    var choice = ProbeChoice(operation: 0, policy: policies.first, name: "votes")
    choice.rivals = options.rivals
    let limit = ProbedLimit(choice, outcome, judging)
    return (limit, LimitSentences(truth: truth, declared: policies.first, log: api.log, report: report))
  }

  @Test(arguments: World.allCases, Declaration.allCases)
  func `no sentence is false`(_ world: World, _ declaration: Declaration) async throws {
    let count = SimulationSize.count(120, least: 6)
    var falsehoods: [String] = []
    var tolerated = 0
    for index in 0..<count {
      var random = RandomSource(seed: 77, stream: UInt64(index))
      let truth = Self.truth(world, &random)
      let policies = Self.declared(declaration, of: truth, &random)
      let (limit, sentences) = try await Self.probed(truth, policies, seed: UInt64(index))
      let told = limit.report.sentences + limit.findings.map(\.message) + [limit.row?.sentence].compactMap(\.self)
      let lies = told.compactMap { sentences.falsehood($0) }
      let name = "\(index) \(truth), declared \(policies.map(\.text)): "
      // A response is called sure from 99 % on.
      if !lies.isEmpty, lies.allSatisfy({ $0.contains(" among the six known kinds; ") }) {
        tolerated += 1
      } else {
        falsehoods += lies.map { name + $0 }
      }
      if limit.verdict == .pass, let policy = policies.first, !truth.holds(policy) {
        falsehoods.append(name + "PASS")
      }
    }
    #expect(falsehoods.isEmpty, "\(falsehoods.joined(separator: "\n"))")
    #expect(tolerated <= max(1, count / 30))
  }
}
