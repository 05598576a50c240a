import MurphyJudge
import MurphyModel
import MurphyProbe
import Simulation
import Testing

/// Black boxes whose limiter is none of the kinds that a probe knows: it must say so, or leave the response open.
@Suite struct UnknownLimiterTests {
  /// What is found in the wild beside the kinds that have a name.
  enum Kind: CaseIterable {
    /// A fixed window that every refused request begins anew: its expiry is set again.
    case anewByRefusals
    /// A window that every request begins anew.
    case anewByRequests
    /// A short and a long window together.
    case twoWindows
    /// A bucket from which refused requests take, too.
    case bucketCountingRefused
  }

  struct Limiter {
    let kind: Kind
    let allowance: Int
    let window: Double
    private var end = -Double.infinity
    private var count = 0
    private var tokens: Double
    private var last = 0.0
    private var long: LimiterModel

    init(_ kind: Kind, allowance: Int, window: Double) {
      (self.kind, self.allowance, self.window) = (kind, allowance, window)
      tokens = Double(allowance)
      long = LimiterModel(.fixed, allowance: allowance * 2, window: window * 5)
    }

    mutating func admits(at moment: Double) -> Bool {
      switch kind {
      case .anewByRefusals, .anewByRequests:
        if moment >= end { (end, count) = (moment + window, 0) }
        count += 1
        if count > allowance || kind == .anewByRequests { end = moment + window }
        return count <= allowance
      case .twoWindows:
        if moment >= end { (end, count) = (moment + window, 0) }
        guard count < allowance, long.admits(at: moment) else { return false }
        count += 1
        return true
      case .bucketCountingRefused:
        tokens = min(Double(allowance), tokens + (moment - last) * Double(allowance) / window)
        last = moment
        let isAdmitted = tokens >= 1
        tokens = max(tokens - 1, -Double(allowance))
        return isAdmitted
      }
    }
  }

  @Test(arguments: Kind.allCases)
  func `a limiter of an unknown kind is not told as a known one`(_ kind: Kind) async throws {
    let count = SimulationSize.count(200, least: 24)
    var wrong: [String] = []
    for index in 0..<count {
      var random = RandomSource(seed: 31, stream: UInt64(index))
      let allowance = Int(random.logUniform(3, 100).rounded())
      let window = random.logUniform(1, 30)
      var limiter = Limiter(kind, allowance: allowance, window: window)
      var target = VirtualTarget(admits: { _, moment in limiter.admits(at: moment) }, random: random)
      var prober = Prober(operation: "vote", options: ProbeOptions(maxRequests: 20_000, time: .seconds(3000)))
      let report = try await prober.run(on: &target)
      if report.outcome == .identified { wrong.append("\(allowance) per \(window): \(report.sentences[0])") }
    }
    print("unknown limiters, \(kind): \(wrong.count) of \(count) told as a known kind")
    for text in wrong.prefix(5) { print("  " + text) }
    // Of 60 of a kind at most 3 were; nearly half before the response was put to a trial.
    #expect(wrong.count <= max(2, count / 12), "\(wrong)")
  }
}
