import MurphyModel

/// What murphy itself did to the run, and whether it was the bottleneck.
///
/// A late send makes its latency longer by the same time, so budgets that are kept all the same stay proven, and each
/// late request counts with an interval (`LatencyAccount`): a budget that only murphy's lateness leaves open is told
/// as such. What is left to say of the run as a whole:
///
/// - The load lost its shape (no verdict): the latest 1 % of sends were over half a second late, and that is over a
///   quarter of the latency's p99. Half a second moves arrivals out of the second that they were planned for; below a
///   quarter the API was slow enough to bunch the requests more than murphy did.
/// - The figures are murphy's as much as the API's (said, decides nothing): lateness p99 over 10 ms, and over half of
///   the latency's p99 or over its whole p95. From there on the tail that is shown tells more of murphy than of the
///   API. Below 10 ms, some three slices of the scheduler, it is any machine's noise.
/// - A loop used over 95 % of its core and was late by over 50 ms; or was late by over 250 ms, and for over a fifth of the time
///   others had the core that it was ready to use, or the hypervisor had it (no verdict): answers lay unread, so that
///   service times are murphy's too.
/// - A loop stood still for over a second, or in stalls of 50 ms and more for over a tenth of the run and 0.4 s (no verdict): that
///   much of the load had no shape. From 1 % on it is said: a stall that takes a share of the time touches at least that
///   share of the requests, so the p99 is not the API's alone. What it may have decided is decided by intervals.
/// - Over 1 % of the planned requests were not sent because murphy came to them too late (nothing is kept).
/// - Requests failed for want of a port, a file or memory of this machine (nothing is kept); nine in ten ports were in
///   TIME_WAIT (said).
package struct GeneratorWarnings {
  var report: GeneratorReport
  var latency: LatencyHistogram
  /// Sessions not begun for want of room in murphy.
  var dropped: Int
  var planned: Int
  /// Planned requests whose moments had passed when the load was over.
  var missed = 0
  var lacking: [Scarcity: Int] = [:]

  package init(
    report: GeneratorReport, latency: LatencyHistogram, dropped: Int, planned: Int, missed: Int = 0,
    lacking: [Scarcity: Int] = [:]
  ) {
    (self.report, self.latency, self.dropped, self.planned) = (report, latency, dropped, planned)
    (self.missed, self.lacking) = (missed, lacking)
  }

  /// Microseconds.
  private static let longLateness = 500_000.0
  private static let notableLateness = 10_000.0
  private static let partOfLatency = 0.25
  private static let mostOfLatency = 0.5
  /// Of a loop's core, per cent.
  private static let fullCore = 95.0
  /// Microseconds.
  private static let longStall = 1_000_000.0
  /// Of the time, per cent.
  private static let longWaiting = 20.0
  private static let mostStalled = 10.0
  /// Seconds: in a short run a tenth is a slice or two of the scheduler.
  private static let muchStalled = 0.4
  private static let notableStalled = 1.0
  /// Of the planned requests, per cent.
  private static let mostMissed = 1.0
  /// Of the ports.
  private static let fewPortsLeft = 0.9

  package var reservations: [GeneratorReservation] {
    [lateness, core, stall, drops, shortfall].compactMap { $0 } + exhaustion + [ports].compactMap { $0 }
  }

  private var loops: [GeneratorLoop] { report.perLoop ?? [] }

  private var lateness: GeneratorReservation? {
    let late = report.lateness.p99
    let percentiles = latency.percentiles([95, 99]).map { Double($0) / 1000 }
    let (p95, p99) = (percentiles[0], percentiles[1])
    if late > Self.longLateness, late > p99 * Self.partOfLatency {
      let comparison =
        latency.isEmpty
        ? "and no complete response came to compare that with"
        : "which is " + (late < p99 ? "a good part of their latency" : "longer than the responses took that came")
          + " (p99 \(milliseconds(p99)))"
      return GeneratorReservation(
        .lateLoad,
        "murphy sent 1 % of the requests more than \(milliseconds(late)) late, \(comparison). Give it more cores, or less load"
      )
    }
    // Without an answer there are no figures.
    guard !latency.isEmpty, late > Self.notableLateness, late > min(p99 * Self.mostOfLatency, p95) else { return nil }
    return GeneratorReservation(
      .lateFigures,
      "murphy sent 1 % of the requests more than \(milliseconds(late)) late, beside a latency of "
        + "p95 \(milliseconds(p95)) and p99 \(milliseconds(p99)): much of these figures is murphy's own delay. "
        + "Lateness only makes latency longer, so budgets that are kept are kept all the same")
  }

  private var core: GeneratorReservation? {
    guard report.lateness.p99 > Self.longLateness / 10 else { return nil }
    if report.cpuPercent > Self.fullCore {
      return GeneratorReservation(
        .core,
        "a loop of murphy used \(percent(report.cpuPercent)) of its core and sent 1 % of the requests more than "
          + "\(milliseconds(report.lateness.p99)) late. Give it more cores, or less load")
    }
    let steal = report.resources?.stealPercent ?? 0
    guard report.lateness.p99 > Self.longLateness / 2,
      let loop = loops.max(by: { $0.waitingPercent ?? 0 < $1.waitingPercent ?? 0 }),
      (loop.waitingPercent ?? 0) + steal > Self.longWaiting
    else { return nil }
    return GeneratorReservation(
      .starved,
      "loop \(loop.loop) of murphy was ready to run and had no core for \(percent(loop.waitingPercent ?? 0)) of the time"
        + (steal >= 1 ? ", and the hypervisor gave \(percent(steal)) of the machine's time to others" : "")
        + ": it ran for \(percent(loop.cpuPercent)), and 1 % of the requests were sent more than "
        + "\(milliseconds(report.lateness.p99)) late. End the other programs, give murphy cores of its own (`taskset`), "
        + "or use fewer loops (`--loops`)")
  }

  private var stall: GeneratorReservation? {
    let loop = loops.max { $0.stalledPercent < $1.stalledPercent }
    let share = loop?.stalledPercent ?? 0
    let remedy = "the machine was too busy, or a session written in Swift blocked it. Give murphy cores of its own"
    if report.longestStall > Self.longStall {
      return GeneratorReservation(
        .stall, "a loop of murphy stood still for \(milliseconds(report.longestStall)): \(remedy)")
    }
    guard let loop, share > Self.notableStalled else { return nil }
    let sentence =
      "loop \(loop.loop) of murphy stood still \(loop.stalls == 1 ? "once" : "\(loop.stalls) times"), for "
      + "\(milliseconds(loop.longestStall)) at most and \(percent(share)) of the run"
    let seconds = report.offered > 0 ? Double(planned) / report.offered : 0
    return share > Self.mostStalled && share * seconds / 100 > Self.muchStalled
      ? GeneratorReservation(.stall, "\(sentence): \(remedy)")
      : GeneratorReservation(
        .shortStalls,
        "\(sentence): at least that share of the requests was sent or read late. What that leaves open is not decided. "
          + "Give murphy cores of its own, and block no loop in a session written in Swift")
  }

  private var shortfall: GeneratorReservation? {
    let share = Double(missed) * 100 / Double(max(planned, 1))
    guard share > Self.mostMissed else { return nil }
    return GeneratorReservation(
      .shortfall,
      "\(missed) of \(planned) planned requests (\(percent(share))) were not sent: the load was over before murphy came "
        + "to them. Give it more cores, or less load")
  }

  private var drops: GeneratorReservation? {
    guard dropped > 0 else { return nil }
    let share = percent(Double(dropped) * 100 / Double(max(planned, 1)))
    return GeneratorReservation(
      .dropped,
      "\(dropped) of \(planned) planned requests (\(share)) were dropped because too many users were there at "
        + "once. Give less load, or shorter sessions")
  }

  private var exhaustion: [GeneratorReservation] {
    Scarcity.allCases.compactMap { scarcity in
      guard let count = lacking[scarcity], count > 0 else { return nil }
      return GeneratorReservation(
        .exhausted,
        "\(count) \(count == 1 ? "request" : "requests") failed because this machine had no \(scarcity.words.lack)"
          + "\(detail(of: scarcity)). \(scarcity.words.remedy)")
    }
  }

  private func detail(of scarcity: Scarcity) -> String {
    guard let resources = report.resources else { return "" }
    return switch scarcity {
    case .ports: " (\(resources.ports) in all, \(resources.peakTimeWait) in TIME_WAIT)"
    case .files: " (at most \(resources.descriptorLimit))"
    case .memory: ""
    }
  }

  private var ports: GeneratorReservation? {
    guard let resources = report.resources, resources.ports > 0, lacking[.ports] == nil,
      Double(resources.peakTimeWait) > Self.fewPortsLeft * Double(resources.ports)
    else { return nil }
    return GeneratorReservation(
      .ports,
      "\(resources.peakTimeWait) connections of this machine were in TIME_WAIT, which keeps their ports for a minute, "
        + "and it has \(resources.ports) ports for each target. \(Scarcity.ports.words.remedy)")
  }

  private func percent(_ share: Double) -> String { "\((share * 10).rounded() / 10) %" }

  private func milliseconds(_ microseconds: Double) -> String { "\((microseconds / 100).rounded() / 10) ms" }
}
