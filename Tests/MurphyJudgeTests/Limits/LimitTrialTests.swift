import Foundation
import MurphyJudge
import MurphyModel
import Simulation
import Testing

/// A limit passes only with samples that could have failed it: without those that tell a wrong limiter from a right one,
/// the row does not pass, or does not claim to have told that limiter.
@Suite struct LimitTrialTests {
  typealias Wrong = LimitStrength.WrongLimiter
  typealias Traffic = LimitStrengthTests.Traffic

  /// Wrong limiters of which some runs of the same traffic show more than others: a claim about them is one about most.
  private static let drawn: Set<Wrong> = [.twoWorkers, .fourWorkers, .aligned]

  /// Whether the checks reached, held and renewed are about such a fault; the row's strength names the others.
  private static func isChecked(_ wrong: Wrong, _ algorithm: LimitAlgorithm) -> Bool {
    switch wrong {
    case .allowanceMore, .allowanceLess, .neverResets, .noLimiter: true
    // Buckets and sliding counters give back all the time, and where aligned windows begin nobody knows.
    case .windowLonger: algorithm == .fixed || algorithm == .slidingLog
    default: false
    }
  }

  /// The log of traffic on which a wrong limiter decides as the right one: a client sends nothing from the request on
  /// that would be decided otherwise.
  private static func silenced(_ traffic: Traffic, _ wrong: Wrong, seed: UInt64) -> LimitLog? {
    func limiter(_ wrong: Wrong?) -> (Int, Double) -> Bool {
      var own = RandomSource(seed: seed)
      return LimitStrengthTests.limiter(wrong, traffic, &own)
    }
    let (right, other) = (limiter(nil), limiter(wrong))
    var builder = LogBuilder()
    var silent: Set<Int> = []
    for (index, send) in traffic.sends.enumerated() where !silent.contains(send.key) {
      let isAdmitted = right(index, send.sent + 0.004)
      guard isAdmitted == other(index, send.sent + 0.004) else {
        silent.insert(send.key)
        continue
      }
      let identity = builder.identity("device-\(send.key)", address: "127.0.0.\(1 + send.client)")
      builder.log.observations.append(
        LimitObservation(
          operation: 0, identity: identity, sent: builder.log.start + Int64(send.sent * 1e9),
          answered: builder.log.start + Int64((send.sent + 0.008) * 1e9), status: isAdmitted ? 200 : 429))
    }
    return builder.log.observations.isEmpty ? nil : builder.log
  }

  @Test(arguments: Wrong.allCases)
  func `without the samples that show a wrong limiter a limit does not pass, or does not claim them`(_ wrong: Wrong) {
    var random = RandomSource(seed: 11, stream: UInt64(Wrong.allCases.firstIndex(of: wrong) ?? 0))
    var (judged, claimed) = (0, 0)
    var passed: [String: Int] = [:]
    for _ in 0..<SimulationSize.count(1_000, least: 100, part: 0.06) {
      let traffic = Traffic(&random)
      let algorithm = traffic.policy.algorithm
      guard wrong != .refusedCounted || algorithm == .slidingLog, wrong != .aligned || algorithm != .fixedAligned,
        let log = Self.silenced(traffic, wrong, seed: random.next())
      else { continue }
      let row = LimitStrengthTests.judge(log, traffic.policy, strength: true)
      judged += 1
      guard row.verdict == .consistent else { continue }
      passed[algorithm.rawValue, default: 0] += 1
      if row.strength?.exposures(.surely).contains(wrong) == true { claimed += 1 }
      #expect(!Self.isChecked(wrong, algorithm), "\(traffic.policy.text): \(row.sentence)")
    }
    print("without what shows \(wrong.rawValue): of \(judged) rows pass \(passed), \(claimed) claim to have told it")
    #expect(judged > 15)
    if !Self.drawn.contains(wrong) { #expect(claimed == 0) }
  }
}
