import MurphyJudge
import MurphyModel
import MurphyProbe
import Simulation
import Testing

/// Black boxes whose limiter is none of the kinds that a probe knows: it must say so, or leave the response open.
@Suite struct UnknownLimiterTests {
  /// What is found in the wild beside the kinds that have a name.
  enum Kind: CaseIterable {
    /// A fixed window that every refused request restarts: its expiry is set again.
    case anewByRefusals
    /// A window that every request restarts.
    case anewByRequests
    /// A short and a long window together.
    case twoWindows
    /// A bucket from which refused requests take, too.
    case bucketCountingRefused
    /// A window on a clock of whole seconds: Apache's `mod_qos`.
    case wholeSeconds
    /// A bucket that gets one token, or several, at each step of a clock: `juju/ratelimit`, and Symfony's bucket.
    case tokenPerStep, tokensPerStep
    /// A bucket that forgets the part of a token at each admission: Varnish's `vsthrottle`.
    case wholeTokens

    var hasSteps: Bool { [.wholeSeconds, .tokenPerStep, .tokensPerStep, .wholeTokens].contains(self) }
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
    /// Of the clock's first step, in seconds.
    private let offset: Double

    init(_ kind: Kind, allowance: Int, window: Double, offset: Double) {
      (self.kind, self.allowance, self.window, self.offset) = (kind, allowance, window, offset)
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
      case .wholeSeconds:
        let now = (moment + offset).rounded(.down)
        if now > end { (end, count) = (now + window.rounded(), 0) }
        count += 1
        return count <= allowance
      case .tokenPerStep: return takes(at: ((moment + offset) / window * Double(allowance)).rounded(.down))
      case .tokensPerStep:
        return takes(at: ((moment + offset) / window * 2).rounded(.down) * Double(allowance / 2))
      case .wholeTokens:
        let renewed = (tokens + ((moment - last) / window * Double(allowance)).rounded(.down))
        guard renewed >= 1 else { return false }
        (tokens, last) = (min(Double(allowance), renewed) - 1, moment)
        return true
      }
    }

    /// Takes a token from the bucket; `number` are the tokens that were ever put in.
    private mutating func takes(at number: Double) -> Bool {
      tokens = min(Double(allowance), tokens + number - (last == 0 ? number : last))
      last = number
      guard tokens >= 1 else { return false }
      tokens -= 1
      return true
    }
  }

  @Test(arguments: Kind.allCases)
  func `a limiter of an unknown kind is not told as a known one`(_ kind: Kind) async throws {
    let count = SimulationSize.count(200, least: 24)
    var wrong: [String] = []
    for index in 0..<count {
      var random = RandomSource(seed: 31, stream: UInt64(index))
      // The steps of a clock are long beside a short window only.
      let allowance = kind.hasSteps ? 10 : Int(random.logUniform(3, 100).rounded())
      let window = kind.hasSteps ? random.uniform(2, 3) : random.logUniform(1, 30)
      var limiter = Limiter(kind, allowance: allowance, window: window, offset: random.uniform(1, 10))
      var target = VirtualTarget(admits: { _, moment in limiter.admits(at: moment) }, random: random)
      var prober = Prober(operation: "vote", options: ProbeOptions(maxRequests: 20_000, time: .seconds(3000)))
      let report = try await prober.run(on: &target)
      if report.outcome == .identified { wrong.append("\(allowance) per \(window): \(report.sentences[0])") }
    }
    print("unknown limiters, \(kind): \(wrong.count) of \(count) told as a known kind")
    for text in wrong.prefix(5) { print("  " + text) }
    // Of 24 of a kind none was; most limiters with steps were before a trial had its four parts.
    #expect(wrong.count <= max(1, count / 24), "\(wrong)")
  }

  /// `http-request track-sc0` with `sc_gpc0_rate` of HAProxy: a sliding counter on milliseconds, whose windows begin
  /// restarting after two empty ones.
  private struct RateCounter {
    let allowance: Int
    let window: Double
    private var begin = -Double.infinity
    private var count = 0.0
    private var previous = 0.0

    init(allowance: Int, window: Double) { (self.allowance, self.window) = (allowance, window) }

    mutating func admits(at moment: Double) -> Bool {
      let now = (moment * 1000).rounded(.down) / 1000
      if now >= begin + 2 * window {
        (begin, count, previous) = (now, 0, 0)
      } else if now >= begin + window {
        (begin, count, previous) = (begin + window, 0, count)
      }
      let gone = (now - begin) / window
      guard (previous * (1 - gone) + count + 1e-9).rounded(.down) < Double(allowance) else { return false }
      count += 1
      return true
    }
  }

  @Test func `a sliding counter whose windows restart is identified`() async throws {
    var open: [String] = []
    for index in 0..<12 {
      var random = RandomSource(seed: 32, stream: UInt64(index))
      let window = index == 0 ? 2 : random.logUniform(1, 30)
      let allowance = index == 0 ? 20 : Int(random.logUniform(3, 100).rounded())
      var limiter = RateCounter(allowance: allowance, window: window)
      var target = VirtualTarget(admits: { _, moment in limiter.admits(at: moment) }, random: random)
      var prober = Prober(operation: "vote", options: ProbeOptions(maxRequests: 20_000, time: .seconds(3000)))
      let report = try await prober.run(on: &target)
      let isRight = report.candidates.first?.algorithm == LimitAlgorithm.slidingCounter.text
      if report.outcome != .identified || !isRight { open.append(report.sentences[0]) }
    }
    // With a silence of more than two windows in the trial, 4 of 48 were identified; without it, 48 were.
    #expect(open.count <= 1, "\(open)")
  }
}
