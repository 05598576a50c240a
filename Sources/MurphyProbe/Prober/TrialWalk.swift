import MurphyJudge
import MurphyModel

/// A schedule with the predictions of the likely limiters.
struct TrialWalk {
  private var limiters: [LimiterModel]
  /// The sliding counters whose windows restart after silence. In a trial, no silence is so long: the windows then
  /// begin at other times.
  private var restarting: [LimiterModel] = []
  private(set) var now: Double
  private let spacing: Double
  /// The longest window, in seconds, and the largest allowance.
  private let window: Double
  private let allowance: Int
  /// The steps of which all limiters predict the same outcome; none after the first other one.
  private(set) var steps: [ProbeDesign.Step] = []
  private var isSharp = true
  private var endsEarly = true
  /// The required number of steps of a part that may end early.
  private static let fewest = 2
  /// The longest window, in seconds, to which the common clock of whole seconds makes a difference.
  private static let coarseWindow = 20.0
  /// A sustained load sends requests after this part of the time in which one is admitted, but not for longer than these
  /// windows.
  private static let sustainedPause = 0.7
  private static let sustainedWindows = 3.0
  private static let mostSustained = 40
  /// The most that limiters may differ in the time of the next admission, as a part of the longest window.
  private static let knownRelease = 0.2
  /// The approximate time from the end of a step until its responses are received, in seconds.
  private static let answered = 0.03

  /// - Parameter limiters: the likely ones, each with the one whose windows restart after silence.
  init(
    _ limiters: [(limiter: LimiterModel, restarting: LimiterModel?)], of posterior: ProbePosterior, now: Double,
    spacing: Double
  ) {
    (self.limiters, self.now, self.spacing) = (limiters.map(\.limiter), now, spacing)
    (window, allowance) = (posterior.window.high, posterior.possibleAllowances.upperBound)
    // The times of the windows may have shown already that they do not restart.
    restarting = limiters.compactMap { limiter, restarting in
      restarting?.isInPhase(with: limiter) == true ? restarting : nil
    }
  }

  /// Seconds until the first and until the last of them admits again.
  private var wait: (low: Double, high: Double) {
    let waits = limiters.map { max(0, $0.release(after: now) - now) }
    return (waits.min() ?? 0, waits.max() ?? 0)
  }

  /// The steps of a part, none if it makes no difference to such a limiter; nil if no schedule has a definite
  /// prediction.
  func steps(of part: ProbeFact.TrialPart) -> [ProbeDesign.Step]? {
    let full = ProbeDesign.Step(pause: 0, count: Int(saturating: Double(allowance) * 1.1) + 5, refusals: 3)
    let margin = max(0.02 * window, 0.05) + Double(full.count) * spacing
    let interval = window / Double(allowance)
    let isAtOnce = limiters.contains(where: \.renewsAtOnce)
    if isAtOnce, window > Self.coarseWindow, part == .halves || part == .sustained { return [] }
    switch part {
    case .waits:
      // An aligned window is used up soon after it begins, so that the wait for its end is long.
      let begins = best([0.02, 0.15, 0.3, 0.45, 0.6, 0.75, 0.9, 1.05].map { $0 * window }) { walk, pause in
        walk.schedule(full, after: pause)
        return 0.25 * pause - walk.wait.low
      }
      guard var walk = begins else { return nil }
      walk.endsEarly = false
      walk.schedule(.single, after: 0.9 * walk.wait.low)
      walk.schedule(full, after: walk.wait.high + margin)
      let storm = allowance / 3 + 5
      walk.schedule(ProbeDesign.Step(pause: 0, count: storm, refusals: storm + 1), after: 0.002)
      walk.schedule(full, after: 0.5 * window)
      walk.schedule(full, after: walk.wait.high + margin)
      return walk.steps
    case .idle:
      let large = ProbeDesign.Step(pause: 0, count: 2 * allowance + 10, refusals: 3)
      // Windows that restart after silence need admissions in two of them: a burst puts the silence elsewhere.
      for lead in restarting.isEmpty ? [0] : [0, 0.25, 0.5] {
        var begun = self
        if lead > 0 { begun.schedule(full, after: lead * window) }
        let found = begun.best(stride(from: restarting.isEmpty ? 2.17 : 1.27, to: 3.2, by: 0.1).map { $0 * window }) {
          walk, pause in
          walk.schedule(large, after: pause)
          defer { walk.scheduleRelease(full, margin) }
          return (walk.wait.low - 0.45 * window).magnitude
        }
        if let found, begun.isSharp { return found.steps }
      }
      return nil
    case .halves:
      let half = ProbeDesign.Step(pause: 0, count: max(1, allowance / 2), refusals: allowance)
      return best(stride(from: 0.3, to: 1.3, by: 0.1).map { $0 * window }) { walk, pause in
        walk.schedule(half, after: pause)
        walk.schedule(full, after: 0.37 * window)
        defer { walk.scheduleRelease(full, margin) }
        return (walk.wait.low - 0.5 * window).magnitude
      }?.steps
    case .sustained:
      if isAtOnce {
        return best(stride(from: 1.39, to: 2.4, by: 0.1).map { $0 * window }) { walk, pause in
          walk.schedule(full, after: pause)
          defer { walk.scheduleRelease(full, margin) }
          return (walk.wait.low - 0.7 * window).magnitude
        }?.steps
      }
      let pause = max(Self.sustainedPause * interval, 2 * Self.answered)
      let group = Int(saturating: (pause / (Self.sustainedPause * interval)).rounded())
      let each = ProbeDesign.Step(pause: pause - Self.answered / 2, count: group, refusals: group + 1)
      let count = min(Self.mostSustained, Int(saturating: Self.sustainedWindows * window / pause))
      return [full] + [ProbeDesign.Step](repeating: each, count: max(4, count))
    }
  }

  /// The schedule with a definite prediction whose cost is least; nil if none has one.
  private func best(_ pauses: [Double], _ part: (inout TrialWalk, Double) -> Double) -> TrialWalk? {
    pauses.map { pause in
      var walk = self
      let cost = part(&walk, pause)
      return (cost, walk)
    }.filter { $0.1.isSharp || $0.1.steps.count >= Self.fewest }
      .min { (-$0.1.steps.count, $0.0) < (-$1.1.steps.count, $1.0) }?.1
  }

  /// A request shortly before the next admission if there is a wait for it, and then `step`.
  private mutating func scheduleRelease(_ step: ProbeDesign.Step, _ margin: Double) {
    // An admission at an almost unknown time confirms no time of a window, and no step of a clock.
    if wait.high - wait.low > Self.knownRelease * window { isSharp = false }
    let lead = max(0.03 * wait.low, Self.answered)
    if wait.low > 3 * lead { schedule(.single, after: wait.low - lead) }
    schedule(step, after: wait.high + margin)
  }

  private mutating func schedule(_ step: ProbeDesign.Step, after pause: Double) {
    var step = step
    step.pause = max(0.002, pause - (steps.isEmpty ? 0 : Self.answered))
    now += pause
    var end = now
    var admitted: [Int] = []
    for index in limiters.indices {
      var count = 0
      var refusals = 0
      var moment = now
      for _ in 0..<step.count where refusals < step.refusals {
        if limiters[index].admits(at: moment) { count += 1 } else { refusals += 1 }
        moment += spacing
      }
      admitted.append(count)
      end = max(end, moment)
    }
    for index in restarting.indices {
      let phase = restarting[index].counterPhase
      var refusals = 0
      for position in 0..<step.count where refusals < step.refusals {
        if !restarting[index].admits(at: now + Double(position) * spacing) { refusals += 1 }
      }
      if restarting[index].counterPhase != phase { isSharp = false }
    }
    now = end
    let low = admitted.min() ?? 0
    let high = admitted.max() ?? 0
    if high - low > 2 * Prober.tolerance(step.count, high) { isSharp = false }
    if isSharp || !endsEarly { steps.append(step) }
  }
}

extension LimiterModel {
  /// True if a whole window's quota is renewed at one time.
  fileprivate var renewsAtOnce: Bool {
    switch self {
    case .fixed, .aligned, .log: true
    case .counter, .bucket: false
    }
  }
}
