import MurphyJudge
import MurphyModel

/// Whether a limiter that admits too many in a burst admits the right number one after the other: then it is no wrong
/// number, but a race between checking and counting.
struct RaceQuestion {
  private let allowance: Int
  private let window: Double
  private let burst: Int
  private let options: ProbeOptions
  /// Refusals that end the sequence.
  private static let enough = 2

  /// Nil unless a burst got more than is declared, and time and requests are left to ask.
  /// - Parameter burst: the most that one volley was admitted.
  init?(_ report: ProbeReport, burst: Int, _ options: ProbeOptions) {
    guard options.triesRace, let declared = options.declared, report.agreesWithDeclared != true,
      report.outcome != .unlimited, report.outcome != .partial, burst > declared.allowance,
      report.requests + 2 * declared.allowance <= options.maxRequests
    else { return nil }
    allowance = declared.allowance
    window = max(declared.window.inSeconds, report.window?.high ?? 0)
    guard report.seconds + 3 * window <= options.maxSeconds else { return nil }
    self.burst = burst
    self.options = options
  }

  /// Sends one request after the other, each when the one before was answered, on a fresh window.
  func ask(
    of target: HTTPProbeTarget, report: ProbeReport, progress: (ProbeProgress) -> Void
  ) async throws -> ProbeReport {
    var report = report
    let begin = report.seconds + 2.04 * window + 0.05
    var now = begin
    var admitted = 0
    var refused = 0
    var sent = 0
    progress(
      ProbeProgress(
        stage: "asking one after the other", phase: .closing, requests: report.requests, elapsed: report.seconds,
        remaining: 3 * window))
    while sent < 2 * allowance, refused < Self.enough {
      for observation in try await target.send(ProbeVolley(at: now, spacing: 0.001, requests: [.base])) {
        sent += 1
        now = max(now, observation.settled)
        if observation.decision == .admitted { admitted += 1 }
        if observation.decision == .refused { refused += 1 }
      }
    }
    report.requests += sent
    report.seconds = now
    // Beyond the window's end the sequence says nothing.
    guard refused >= Self.enough, admitted <= allowance, now - begin < window else { return report }
    report.raceExcess = max(report.raceExcess ?? 0, burst - admitted)
    report.retract { if case .race(0, _) = $0 { true } else { false } }
    report.say(.burstBeatsSequence(alone: admitted, burst: burst))
    return report
  }
}
