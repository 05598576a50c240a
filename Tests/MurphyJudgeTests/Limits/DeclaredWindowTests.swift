import Foundation
import MurphyJudge
import MurphyModel
import Simulation
import Testing

/// `Retry-After` and `remaining` held against the declared window: false alarms and power (docs/strength.md §4.3).
@Suite struct DeclaredWindowTests {
  struct Manner: Sendable, CustomTestStringConvertible {
    var name: String
    /// What is announced for a release in so many seconds, in a window of so many.
    var wait: @Sendable (_ seconds: Double, _ window: Double) -> Int = { seconds, _ in
      Int((seconds - 1e-9).rounded(.up))
    }
    var tick = 1e-3
    var lost = 0.0
    var excess = 0
    /// The share of logs in which it is found, in hundredths, as simulated: 0 for honest ones.
    var published = 0.0

    var testDescription: String { name }
  }

  static let manners = [
    Manner(name: "rounding up"), Manner(name: "a clock of whole seconds", tick: 1),
    Manner(name: "3 % of the responses lost", lost: 0.03),
    Manner(
      name: "half the window", wait: { seconds, window in Int(max(0, seconds - window / 2).rounded(.up)) },
      published: 96.1),
    Manner(
      name: "0.8 of the window", wait: { seconds, window in Int(max(0, seconds - window / 5).rounded(.up)) },
      published: 70.4),
    Manner(name: "always the whole window", wait: { _, window in Int(window) }, published: 83.5),
    Manner(
      name: "three seconds more", wait: { seconds, _ in Int(seconds.rounded(.up)) + 3 }, published: 96.2),
    Manner(name: "milliseconds", wait: { seconds, _ in Int((seconds * 1000).rounded(.up)) }, published: 96.2),
    Manner(name: "one too many remaining", excess: 1, published: 100),
  ]

  /// Bursts of one to two allowances, one to four of them, up to about a window apart.
  static func log(_ manner: Manner, _ random: inout RandomSource) -> (log: LimitLog, policy: LimitPolicy) {
    let isLog = random.next() & 1 == 0
    let allowance = 3 + Int(random.next() % 13)
    let window = [5.0, 10, 30, 60][Int(random.next() % 4)]
    var sends: [Double] = []
    var moment = 1.0
    for _ in 0...Int(random.next() % 4) {
      for _ in 0..<allowance + Int(random.next() % UInt64(allowance + 1)) {
        sends.append(moment)
        moment += [0.001, 0.05, 0.2][Int(random.next() % 3)]
      }
      moment += random.uniform(0.05, 1.1) * window
    }
    let rides = sends.map { sent -> (sent: Double, decided: Double, settled: Double) in
      let decided = sent + 0.008 * exp(0.5 * random.normal())
      return (sent, decided, decided + 0.008 * exp(0.5 * random.normal()))
    }
    var builder = LogBuilder()
    builder.drawsDevices = true
    /// Admissions in force, by the server's clock.
    var counted: [Double] = []
    for ride in rides.sorted(by: { $0.decided < $1.decided }) {
      let now = (ride.decided / manner.tick).rounded(.down) * manner.tick
      if isLog {
        counted.removeAll { $0 <= now - window }
      } else if let first = counted.first, now >= first + window {
        counted = []
      }
      let isAdmitted = counted.count < allowance
      let release = (counted.first ?? now) + window - now
      if isAdmitted { counted.append(now) }
      let said =
        isAdmitted
        ? [
          HeaderField("x-ratelimit-limit", "\(allowance)"),
          HeaderField("x-ratelimit-remaining", "\(allowance - counted.count + manner.excess)"),
        ] : [HeaderField("retry-after", "\(manner.wait(release, window))")]
      let isLost = random.unit() < manner.lost
      builder.add(ride.sent, isLost ? nil : ride.settled, isAdmitted ? 200 : 429, headers: isLost ? nil : said)
    }
    builder.log.observations.sort { $0.sent < $1.sent }
    let policy = LimitPolicy(
      name: "voteLaw", operations: ["voteLaw"], algorithm: isLog ? .slidingLog : .fixed, allowance: allowance,
      window: .seconds(window), key: .header("x-device-id"), tick: .saturating(seconds: manner.tick))
    return (builder.log, policy)
  }

  @Test(arguments: manners)
  func `honest servers are never accused, and the others as often as published`(_ manner: Manner) {
    let seed: UInt64 = 8
    var random = RandomSource(seed: seed, stream: UInt64(manner.name.utf8.reduce(0) { $0 &* 31 &+ UInt32($1) }))
    let logs = SimulationSize.count(4_000, least: 200)
    let kinds: Set<FindingKind> = [.limitRetryAfterTooShort, .limitRetryAfterTooLong, .limitRemainingTooHigh]
    var found = 0
    for _ in 0..<logs {
      let (log, policy) = Self.log(manner, &random)
      var options = LimitJudgeOptions()
      options.sharesClock = true
      let findings = LimitJudge.judge(log: log, policies: [policy], options: options).findings
      if findings.contains(where: { kinds.contains($0.kind) }) { found += 1 }
    }
    let share = 100 * Double(found) / Double(logs)
    print(
      "declared window, seed \(seed), \(manner.name): \(found) of \(logs) logs accused (published \(manner.published) %)"
    )
    if manner.published == 0 {
      #expect(found == 0)
    } else {
      #expect(share >= manner.published - 8)
    }
  }
}
