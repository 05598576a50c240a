import MurphyModel

/// The effects of murphy on the run, and the check if murphy was the bottleneck.
///
/// A late send increases its latency by the same time. So budgets that are met anyway remain proven, and each late
/// request counts with an interval (`LatencyAccount`). A budget that only murphy's lateness leaves undecided is
/// reported as such. These conditions on the whole run remain:
///
/// - The load lost its shape (no verdict): the latest 1 % of sends were over half a second late, and that is over a
///   quarter of the latency's p99. Half a second moves arrivals out of their planned second. Below a quarter, the API's
///   slowness bunched the requests more than murphy did.
/// - The figures measure murphy as much as the API (reported, decides nothing): lateness p99 over 10 ms, and over half
///   of the latency's p99 or over its whole p95. From there on, the tail depends more on murphy than on the API. A
///   lateness below 10 ms, some three slices of the scheduler, is the noise of any machine.
/// - A loop used over 95 % of its core and was late by over 50 ms (no verdict). Or it was late by over 250 ms, and
///   waited over a fifth of the time for a core that other processes or the hypervisor used (no verdict). Responses
///   remained unread, so that service times include murphy's own delay.
/// - A loop was stopped for over a second (no verdict). Or it was stopped in stalls of 50 ms and more, for over a tenth
///   of the run and 0.4 s (no verdict). That part of the load had no shape. From 1 % on it is reported. A stall of a
///   share of the time affects at least that share of the requests, so the p99 does not depend on the API alone.
///   Intervals decide the budgets that it may have affected.
/// - Over 1 % of the planned requests were not sent because murphy processed them too late (no check passes).
/// - Requests failed because this machine had no port, file or memory left (no check passes); nine in ten ports were in
///   TIME_WAIT (reported).
package struct GeneratorWarnings {
  var report: GeneratorReport
  var latency: LatencyHistogram
  /// The number of sessions that did not begin because murphy had no capacity.
  var dropped: Int
  var planned: Int
  /// The number of planned requests that were due when the load was over.
  var missed = 0
  var lacking: [Scarcity: Int] = [:]

  package init(
    report: GeneratorReport, latency: LatencyHistogram, dropped: Int, planned: Int, missed: Int = 0,
    lacking: [Scarcity: Int] = [:]
  ) {
    (self.report, self.latency, self.dropped, self.planned) = (report, latency, dropped, planned)
    (self.missed, self.lacking) = (missed, lacking)
  }

  private static let longLateness: Duration = .milliseconds(500)
  private static let notableLateness: Duration = .milliseconds(10)
  private static let partOfLatency = 0.25
  private static let mostOfLatency = 0.5
  /// Per cent of a loop's core.
  private static let fullCore = 95.0
  private static let longStall: Duration = .seconds(1)
  /// Per cent of the time.
  private static let longWaiting = 20.0
  private static let mostStalled = 10.0
  /// Seconds: in a short run a tenth is one or two slices of the scheduler.
  private static let muchStalled = 0.4
  private static let notableStalled = 1.0
  /// Per cent of the planned requests.
  private static let mostMissed = 1.0
  /// Share of the ports.
  private static let fewPortsLeft = 0.9

  /// The effects that limit a verdict; empty if the load generator kept the schedule.
  package var reservations: [GeneratorReservation] {
    [lateness, core, stall, drops, shortfall].compactMap { $0 } + exhaustion + [ports].compactMap { $0 }
  }

  private var loops: [GeneratorLoop] { report.perLoop ?? [] }

  private var lateness: GeneratorReservation? {
    let late = report.lateness.p99
    let percentiles = latency.percentiles([95, 99]).map { Duration.nanoseconds($0) }
    let (p95, p99) = (percentiles[0], percentiles[1])
    if late > Self.longLateness, late > p99 * Self.partOfLatency {
      let comparison =
        latency.isEmpty
        ? "and there was no complete response to compare with"
        : "which is " + (late < p99 ? "a large part of their latency" : "longer than the responses took")
          + " (p99 \(Figure.latency(p99).text))"
      return GeneratorReservation(
        .lateLoad,
        """
        murphy sent 1% of the requests more than \(Figure.latency(late).text) late, \(comparison). Give murphy more \
        cores, or reduce the load
        """
      )
    }
    // Without a response, figures do not exist.
    guard !latency.isEmpty, late > Self.notableLateness, late > min(p99 * Self.mostOfLatency, p95) else { return nil }
    return GeneratorReservation(
      .lateFigures,
      "murphy sent 1% of the requests more than \(Figure.latency(late).text) late; the measured latency is "
        + "\(Figure.latency(p95).text) (p95) and \(Figure.latency(p99).text) (p99); a large part of this latency is "
        + "murphy's own delay. Passed budgets remain valid, because send delays only increase measured latency")
  }

  private var core: GeneratorReservation? {
    guard report.lateness.p99 > Self.longLateness / 10 else { return nil }
    if report.cpuPercent > Self.fullCore {
      return GeneratorReservation(
        .core,
        "an event loop of murphy used \(percent(report.cpuPercent)) of its core and sent 1% of the requests more than "
          + "\(Figure.latency(report.lateness.p99).text) late. Give murphy more cores, or reduce the load")
    }
    let steal = report.resources?.stealPercent ?? 0
    guard report.lateness.p99 > Self.longLateness / 2,
      let loop = loops.max(by: { $0.waitingPercent ?? 0 < $1.waitingPercent ?? 0 }),
      (loop.waitingPercent ?? 0) + steal > Self.longWaiting
    else { return nil }
    return GeneratorReservation(
      .starved,
      """
      event loop \(loop.loop) of murphy was ready to run, but had no core for \(percent(loop.waitingPercent ?? 0)) of \
      the time
      """
        + (steal >= 1 ? ", and the hypervisor gave \(percent(steal)) of the CPU time to other virtual machines" : "")
        + ". It ran for \(percent(loop.cpuPercent)) of the time, and murphy sent 1% of the requests more than "
        + "\(Figure.latency(report.lateness.p99).text) late. Stop other programs, give murphy dedicated cores "
        + "(`taskset`), or use fewer loops (`--loops`)")
  }

  private var stall: GeneratorReservation? {
    let loop = loops.max { $0.stalledPercent < $1.stalledPercent }
    let share = loop?.stalledPercent ?? 0
    let remedy = """
      the machine was too busy, or a session written in Swift blocked the event loop. Give murphy dedicated cores
      """
    if report.longestStall > Self.longStall {
      return GeneratorReservation(
        .stall, "an event loop of murphy was blocked for \(Figure.latency(report.longestStall).text): \(remedy)")
    }
    guard let loop, share > Self.notableStalled else { return nil }
    let sentence =
      "event loop \(loop.loop) of murphy was blocked \(loop.stalls == 1 ? "once" : "\(loop.stalls) times"), for at "
      + "most \(Figure.latency(loop.longestStall).text) at a time and \(percent(share)) of the run in total"
    let seconds = report.offered > 0 ? Double(planned) / report.offered : 0
    return share > Self.mostStalled && share * seconds / 100 > Self.muchStalled
      ? GeneratorReservation(.stall, "\(sentence): \(remedy)")
      : GeneratorReservation(
        .shortStalls,
        "\(sentence). Murphy sent or read at least this share of the requests late. Affected checks have no data. Give "
          + "murphy dedicated cores, and do not block the event loop in a session written in Swift")
  }

  private var shortfall: GeneratorReservation? {
    let share = Double(missed) * 100 / Double(max(planned, 1))
    guard share > Self.mostMissed else { return nil }
    return GeneratorReservation(
      .shortfall,
      "\(count(missed)) of \(count(planned)) planned requests (\(percent(share))) were not sent, because the load "
        + "ended first. Give murphy more cores, or reduce the load")
  }

  private var drops: GeneratorReservation? {
    guard dropped > 0 else { return nil }
    let share = percent(Double(dropped) * 100 / Double(max(planned, 1)))
    return GeneratorReservation(
      .dropped,
      "\(count(dropped)) of \(count(planned)) planned requests (\(share)) were dropped because too many users were active at "
        + "the same time. Reduce the load, or shorten the sessions")
  }

  private var exhaustion: [GeneratorReservation] {
    Scarcity.allCases.compactMap { scarcity in
      guard let number = lacking[scarcity], number > 0 else { return nil }
      return GeneratorReservation(
        .exhausted,
        "\(count(number)) \(number == 1 ? "request" : "requests") failed because this machine had no \(scarcity.words.lack)"
          + "\(detail(of: scarcity)). \(scarcity.words.remedy)")
    }
  }

  private func detail(of scarcity: Scarcity) -> String {
    guard let resources = report.resources else { return "" }
    return switch scarcity {
    case .ports: " (\(count(resources.ports)) in all, \(count(resources.peakTimeWait)) in TIME_WAIT)"
    case .files: " (at most \(count(resources.descriptorLimit)))"
    case .memory: ""
    }
  }

  private var ports: GeneratorReservation? {
    guard let resources = report.resources, resources.ports > 0, lacking[.ports] == nil,
      Double(resources.peakTimeWait) > Self.fewPortsLeft * Double(resources.ports)
    else { return nil }
    return GeneratorReservation(
      .ports,
      "\(count(resources.peakTimeWait)) connections of this machine were in the state TIME_WAIT, which occupies a port "
        + "for a minute. The machine has \(count(resources.ports)) ports for each target. "
        + "\(Scarcity.ports.words.remedy)")
  }

  private func count(_ count: Int) -> String { Figure.count(count).text }
  private func percent(_ percent: Double) -> String { Figure.percentage(percent).text }
}
