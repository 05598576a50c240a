import MurphyJudge
import MurphyModel
import Simulation
import Testing

/// Tokens of logins as keys: new only where the target provably makes one for each response.
@Suite struct IssuedKeyTests {
  /// How the simulated server comes by the token of a login.
  enum Issuing: String, CaseIterable, Sendable {
    case minted = "a new one for each login"
    case perUser = "one for the one user of all sessions"
    case perRow = "one for each user of a feed"
    case cached = "one for the user, renewed every five seconds"
    case ofTheSecond = "made of the user's name and the second"
    case perServer = "one for the user on each of twelve servers"

    /// What was asked, and the token: who else asks the same gets the same where it is not minted.
    func login(_ number: Int, at moment: Double, _ random: inout RandomSource) -> (request: String, token: String) {
      switch self {
      case .minted: ("user", "token-of-login-\(number)")
      case .perUser: ("user", "token-of-the-user")
      case .perRow: ("row \(number % 40)", "token-of-row-\(number % 40)")
      case .cached: ("user", "token-of-span-\(Int((moment / 5).rounded(.down)))")
      case .ofTheSecond: ("user", "token-of-second-\(Int(moment.rounded(.down)))")
      case .perServer: ("user", "token-of-server-\(Int(random.unit() * 12))")
      }
    }
  }

  enum Limiting: String, CaseIterable, Sendable { case conforming, nothingAdmitted = "nothing is admitted" }

  /// One run's verdict; other clients have used the tokens that they share before and during it.
  private static func isAccused(_ issuing: Issuing, _ limiting: Limiting, _ random: inout RandomSource) -> Bool {
    let algorithm = LimitAlgorithm.concrete[Int(random.unit() * Double(LimitAlgorithm.concrete.count))]
    let allowance = 2 + Int(random.unit() * 6)
    // Longer than the run, so that no key has been quiet for a window before its first request.
    let window = [120.0, 300][Int(random.unit() * 2)]
    let rate = limiting == .conforming ? random.uniform(1, 20) : random.uniform(3, 20)
    var log = LimitLog(start: Instant(nanoseconds: 0))
    log.operations = ["listItems"]
    func instant(_ seconds: Double) -> Instant { Instant(nanoseconds: Int64(seconds * 1e9)) }
    var requests: [(sent: Double, decided: Double, settled: Double, token: String, isOurs: Bool)] = []
    var moment = 0.0
    var known: Set<String> = []
    for number in 0..<(35 + Int(random.unit() * 40)) {
      moment += random.exponential(mean: 1 / rate)
      let decided = moment + random.exponential(mean: 0.01)
      let login = issuing.login(number, at: decided, &random)
      var next = decided + random.exponential(mean: 0.01)
      log.issues.append(
        IssuedValue(
          value: login.token, issuer: "login $.token", request: login.request, sent: instant(moment),
          answered: instant(next)))
      if issuing != .minted, known.insert(login.token).inserted {
        // Another client of the same user, a moment before this run knew of the token.
        for _ in 0..<(allowance + 1) {
          let earlier = decided - random.exponential(mean: 0.2)
          if issuing.login(number, at: earlier, &random).token == login.token {
            requests.append((earlier, earlier, earlier, login.token, false))
          }
        }
      }
      for _ in 0..<(1 + Int(random.unit() * 4)) {
        let sent = next + random.exponential(mean: 0.05)
        let decided = sent + random.exponential(mean: 0.01)
        next = decided + random.exponential(mean: 0.01)
        requests.append((sent, decided, next, login.token, true))
      }
    }
    var limiters: [String: LimiterModel] = [:]
    var identities: [String: UInt32] = [:]
    let phase = random.uniform(0, window)
    var answered: [(sent: Double, settled: Double, token: String, isAdmitted: Bool)] = []
    for request in requests.sorted(by: { $0.decided < $1.decided }) {
      var limiter =
        limiters[request.token] ?? LimiterModel(algorithm, allowance: allowance, window: window, phase: phase)
      let isAdmitted = limiter.admits(at: request.decided + 1000) && limiting == .conforming
      limiters[request.token] = limiter
      if request.isOurs { answered.append((request.sent, request.settled, request.token, isAdmitted)) }
    }
    for request in answered.sorted(by: { $0.sent < $1.sent }) {
      if identities[request.token] == nil {
        identities[request.token] = UInt32(log.identities.count)
        log.identities.append(
          ClientIdentity(
            sourceAddress: "", headers: [HeaderField("authorization", "Bearer \(request.token)")]))
      }
      log.observations.append(
        LimitObservation(
          operation: 0, identity: identities[request.token]!, sent: instant(request.sent),
          answered: instant(request.settled), status: request.isAdmitted ? 200 : 429))
    }
    let policy = LimitPolicy(
      name: "items", operations: ["listItems"], algorithm: algorithm, allowance: allowance, window: .seconds(window),
      key: .token)
    return LimitJudge.judge(log: log, policies: [policy]).rows[0].verdict == .overThrottling
  }

  @Test(arguments: Issuing.allCases)
  func `a server that shares tokens among clients is not accused of what they used up`(_ issuing: Issuing) {
    var random = RandomSource(seed: 2607, stream: UInt64(issuing.rawValue.utf8.count))
    let runs = SimulationSize.count(2000, least: 100)
    let accused = (0..<runs).count { _ in Self.isAccused(issuing, .conforming, &random) }
    print("issued keys, \(issuing.rawValue): \(accused) of \(runs) conforming runs accused, seed 2607")
    #expect(accused == 0)
  }

  @Test func `new tokens that are rejected are proof`() {
    var random = RandomSource(seed: 2608)
    let runs = SimulationSize.count(1000, least: 50)
    let accused = (0..<runs).count { _ in Self.isAccused(.minted, .nothingAdmitted, &random) }
    print("issued keys, nothing admitted: \(accused) of \(runs) runs found, seed 2608")
    #expect(accused == runs)
    // Without the proof of minting the same refusals prove nothing.
    for issuing in Issuing.allCases where issuing != .minted {
      let shared = (0..<20).count { _ in Self.isAccused(issuing, .nothingAdmitted, &random) }
      #expect(shared == 0, "\(issuing.rawValue)")
    }
  }

  @Test func `the sentence says who made the key, and a value that was sent before its response is not new`() throws {
    var log = LimitLog(start: Instant(nanoseconds: 0))
    log.operations = ["listItems"]
    func instant(_ seconds: Double) -> Instant { Instant(nanoseconds: Int64(seconds * 1e9)) }
    for number in 0..<40 {
      let moment = 10 + Double(number) * 0.1
      log.issues.append(
        IssuedValue(
          value: "token-number-\(number)", issuer: "login", request: "same", sent: instant(moment),
          answered: instant(moment + 0.01)))
      log.identities.append(
        ClientIdentity(
          sourceAddress: "", headers: [HeaderField("authorization", "Bearer token-number-\(number)")]))
      log.observations.append(
        LimitObservation(
          operation: 0, identity: UInt32(number), sent: instant(moment + 0.02), answered: instant(moment + 0.03),
          status: number == 7 ? 429 : 200))
    }
    let policy = LimitPolicy(
      name: "items", operations: ["listItems"], algorithm: .fixed, allowance: 5, window: .seconds(60), key: .token)
    let judged = LimitJudge.judge(log: log, policies: [policy])
    #expect(judged.rows[0].verdict == .overThrottling)
    #expect(judged.rows[0].sentence.contains("; the target issued the key's value in this run"))
    #expect(try #require(judged.findings.first).details.contains { $0.contains("32 or more equal requests") })
    log.observations.append(
      LimitObservation(
        operation: 0, identity: 7, sent: instant(5), answered: instant(5.01), status: 200))
    log.observations.sort { $0.sent < $1.sent }
    #expect(LimitJudge.judge(log: log, policies: [policy]).rows[0].verdict == .inconclusive)
    log.observations.removeFirst()
    log.missesIssues = true
    #expect(LimitJudge.judge(log: log, policies: [policy]).rows[0].verdict == .inconclusive)
  }
}
