import Foundation
import MurphyJudge
import MurphyModel
import Simulation
import Testing

/// A limit passes only with samples that could have failed it: without those that tell a wrong limiter from a right one,
/// the row does not pass, or names what it did not test.
@Suite struct LimitTrialTests {
  typealias Wrong = LimitStrength.WrongLimiter
  typealias Traffic = LimitStrengthTests.Traffic

  /// Wrong limiters of which some runs of the same traffic show more than others: a claim about them is one about most.
  private static let drawn: Set<Wrong> = [.twoWorkers, .fourWorkers, .aligned]

  /// Whether the checks reached, held and renewed are about such a fault.
  private static func isChecked(_ wrong: Wrong, _ algorithm: LimitAlgorithm) -> Bool {
    switch wrong {
    case .allowanceMore, .allowanceLess, .neverResets, .noLimiter: true
    // Buckets and sliding counters give back all the time, and where aligned windows begin nobody knows.
    case .windowLonger: algorithm == .fixed || algorithm == .slidingLog
    default: false
    }
  }

  /// The check on such a fault that is named as not tested, where the row passes; nil where only the row's sensitivity
  /// names the fault.
  private static func test(of wrong: Wrong) -> LimitTest.Name? {
    if wrong == .aligned { return .algorithm }
    return LimitTest.Name.allCases.first { $0.wrong == wrong }
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
      guard let name = Self.test(of: wrong) else { continue }
      let test = row.tests?.first { $0.test == name }
      #expect(test?.outcome == .notTested, "\(traffic.policy.text): \(row.sentence)")
      #expect(row.sentence.components(separatedBy: "Not tested: ").last?.contains(name.text) == true, "\(row.sentence)")
      // Where the scenario asks for it, such a row does not pass.
      var policy = traffic.policy
      policy.tested = [.allowance, .window, name.aspect]
      let asked = LimitStrengthTests.judge(log, policy, strength: true)
      #expect(asked.isOpen && asked.state.verdict == .noData, "\(asked.sentence)")
    }
    print("without what shows \(wrong.rawValue): of \(judged) rows pass \(passed), \(claimed) claim to have told it")
    #expect(judged > 15)
    if !Self.drawn.contains(wrong) { #expect(claimed == 0) }
  }

  @Test func `a limit that every aspect was tested of names none as not tested`() throws {
    // Two devices at two addresses; each uses its quota up, is rejected until its window ends, and is let in again.
    var builder = LogBuilder()
    let policy = LimitPolicy(
      name: "voteLaw", operations: ["voteLaw"], algorithm: .fixed, allowance: 4, window: .seconds(10),
      key: .header("x-device-id"), tick: .milliseconds(1))
    for (device, start) in [0.0, 1.3].enumerated() {
      var limiter = LimiterModel(.fixed, allowance: 4, window: 10)
      for (index, offset)
        in ([0.0, 2, 4, 5.5, 5.6, 7.5, 9.5, 10.3, 10.4, 10.5, 10.6, 10.7, 13, 25, 25.1, 25.2, 25.3, 30.6, 34.6, 35.4])
        .enumerated()
      {
        let moment = start + offset
        let identity = builder.identity("device-\(device)", address: "127.0.0.\(1 + index % 2)")
        builder.log.observations.append(
          LimitObservation(
            operation: 0, identity: identity, sent: builder.log.start + Int64(moment * 1e9),
            answered: builder.log.start + Int64((moment + 0.004) * 1e9),
            status: limiter.admits(at: moment + 0.002) ? 200 : 429))
      }
    }
    builder.log.observations.sort { $0.sent < $1.sent }
    let row = LimitStrengthTests.judge(builder.log, policy, strength: true)
    #expect(row.verdict == .consistent, "\(row.sentence)")
    #expect(row.tests?.filter { $0.outcome == .notTested }.map(\.test) == [], "\(row.sentence)")
    #expect(row.sentence.contains("Checked: window not shorter ("))
  }
}
