import MurphyModel

/// A run that drives voters through the edges of their windows: one limit holds, one admits too many.
enum LimitSample {
  static let result = make()

  private static func make() -> RunResult {
    var result = SampleRun(seconds: 40).result(.fail)
    result.run.scenario = "Voting bursts"
    result.reasons = ["voteLaw admitted 31 votes of one device within 58.2 s, but only 30 in 60 s are allowed."]
    result.limits = [violated, kept, untested]
    result.findings = [
      Finding(
        kind: .limitOverAdmission, severity: .error, operation: "voteLaw",
        message: "31 requests were admitted within 9.3 s, but only 30 per 10 s are allowed", count: 2,
        firstSeen: .milliseconds(10200),
        lastSeen: .milliseconds(31900), discriminator: "voteLaw 30 per 10s, fixed window, key X-Device-ID",
        evidence: Evidence(
          curl:
            "for i in $(seq 31); do curl -sS -X POST 'http://127.0.0.1:40123/api/v1/laws/7/vote' -H 'X-Device-ID: a'; done"
        )),
      Finding(
        kind: .limitRetryAfterTooShort, severity: .error, operation: "voteLaw",
        message: "a rejection said Retry-After: 1, but a request 1.4 s later was rejected again", count: 41,
        firstSeen: .milliseconds(11100),
        lastSeen: .seconds(38)),
    ]
    result.limits[0].findings = [result.findings[0].fingerprint]
    return result
  }

  private static func concluded(_ verdict: LimitRow.Verdict, trials: Int, _ row: LimitRow) -> LimitRow {
    var row = row
    row.conclude(verdict, trials: trials)
    return row
  }

  private static let violated = concluded(
    .overAdmission, trials: 31,
    LimitRow(
      name: "voteLaw", operations: ["voteLaw"], policy: "30 per 10 s, fixed window, key X-Device-ID",
      declaredBy: .scenario,
      sentence: "31 requests of device 7d1f3f0e were admitted within 9.3 s, but a window of 10 s may admit only 30.",
      keys: 24, requests: 1_811, admitted: 1_522, refused: 288, unknown: 1, allowance: 30, window: 10, tick: 0.05,
      refutes: "The requests shown exclude every fixed window of 9.4 s or longer with a quota of 30 or less.",
      witness: proof,
      strips: [
        strip("7d1f3f0e…", perWindow: 34, seed: 1, proven: true),
        strip("a51c9e22…", perWindow: 27, seed: 2, proven: false),
      ]))

  private static let kept: LimitRow = {
    var row = keptRow
    row.strength = LimitStrength(
      mutants: LimitStrength.WrongLimiter.allCases.map { limiter in
        switch limiter {
        case .keyTooFine, .fourWorkers: .init(limiter, .not, refuted: 0, tried: 20)
        case .twoWorkers: .init(limiter, .perhaps, refuted: 7, tried: 8)
        default: .init(limiter, .surely, refuted: 20, tried: 20)
        }
      }, allowances: .init(low: 100, high: 100), windows: .init(low: 52.1, high: 69.8),
      alsoFits: [.slidingCounter], keys: 3, keysOf: 4)
    return row
  }()

  private static let keptRow = concluded(
    .consistent, trials: 12,
    LimitRow(
      name: "listLaws", operations: ["listLaws", "getLaw"], policy: "100 per 60 s, sliding log, key source address",
      declaredBy: .contract,
      sentence: "All responses to 4 addresses match the policy.", keys: 4, requests: 9_120,
      admitted: 9_120,
      refused: 0, unknown: 0, allowance: 100, window: 60, tick: 1))

  private static let untested = concluded(
    .inconclusive, trials: 0,
    LimitRow(
      name: "submitLaw", operations: ["submitLaw"], policy: "3 per 60 s, any algorithm, key source address",
      declaredBy: .headers, sentence: "Two requests are too few to test a quota of 3 requests.", keys: 1,
      requests: 2, admitted: 2, refused: 0, unknown: 0, allowance: 3, window: 60))

  private static let proof = (0..<31).map { index in
    WitnessRequest(
      operation: "voteLaw", sent: 10.2 + Double(index) * 0.3, answered: 10.206 + Double(index) * 0.3,
      decision: .admitted, status: 200)
  }

  private static func strip(_ key: String, perWindow: Int, seed: UInt64, proven: Bool) -> KeyStrip {
    var random = RandomSource(seed: seed)
    var ticks: [KeyStrip.Tick] = []
    for window in 0..<4 {
      for index in 0..<perWindow {
        let at = Double(window) * 10 + 0.2 + Double(index) * 9.3 / Double(perWindow) + random.unit() * 0.05
        let decision: LimitDecision =
          index == 12 && window == 2 ? .unknown : index < (window == 1 && proven ? 31 : 30) ? .admitted : .refused
        ticks.append(KeyStrip.Tick(at: at, decision: decision))
      }
    }
    return KeyStrip(
      key: key, requests: ticks, windows: [0, 10, 20, 30], witness: proven ? Array(perWindow..<perWindow + 31) : [])
  }
}
