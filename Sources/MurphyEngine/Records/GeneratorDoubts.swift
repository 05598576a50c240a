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
/// - A loop used over 95 % of its core and was late by over 50 ms, or stood still for over a second (no verdict):
///   answers lay unread, so that service times are murphy's too.
struct GeneratorDoubts {
  var report: GeneratorReport
  /// Answers of all operations.
  var latency: LatencyHistogram
  /// Sessions not begun for want of room in murphy.
  var dropped: Int
  var planned: Int
  /// Requests that failed because this machine had no port, file or memory left.
  var exhausted: Int

  /// Microseconds.
  private static let longLateness = 500_000.0
  private static let notableLateness = 10_000.0
  private static let partOfLatency = 0.25
  private static let mostOfLatency = 0.5
  /// Of a loop's core, per cent.
  private static let fullCore = 95.0
  /// Microseconds.
  private static let longStall = 1_000_000.0

  var reservations: [GeneratorReservation] {
    [lateness, core, stall, drops, exhaustion].compactMap { $0 }
  }

  private var lateness: GeneratorReservation? {
    let late = report.lateness.p99
    let percentiles = latency.percentiles([95, 99]).map { Double($0) / 1000 }
    let (p95, p99) = (percentiles[0], percentiles[1])
    if late > Self.longLateness, late > p99 * Self.partOfLatency {
      return GeneratorReservation(
        .lateLoad,
        "murphy sent 1 % of the requests more than \(milliseconds(late)) late, which is "
          + (late < p99 ? "a good part of their latency " : "longer than the answers took that came ")
          + "(p99 \(milliseconds(p99))). Give it more cores, or less load")
    }
    guard late > Self.notableLateness, late > min(p99 * Self.mostOfLatency, p95) else { return nil }
    return GeneratorReservation(
      .lateFigures,
      "murphy sent 1 % of the requests more than \(milliseconds(late)) late, beside a latency of "
        + "p95 \(milliseconds(p95)) and p99 \(milliseconds(p99)): much of these figures is murphy's own delay. "
        + "Lateness only makes latency longer, so budgets that are kept are kept all the same")
  }

  private var core: GeneratorReservation? {
    guard report.cpuPercent > Self.fullCore, report.lateness.p99 > Self.longLateness / 10 else { return nil }
    return GeneratorReservation(
      .core, "a loop of murphy used \(report.cpuPercent.rounded()) % of its core. Give it more cores, or less load")
  }

  private var stall: GeneratorReservation? {
    guard report.longestStall > Self.longStall else { return nil }
    return GeneratorReservation(
      .stall,
      "a loop of murphy stood still for \(milliseconds(report.longestStall)): the machine was too busy, or a session "
        + "written in Swift blocked it")
  }

  private var drops: GeneratorReservation? {
    guard dropped > 0 else { return nil }
    let share = Double(dropped) * 100 / Double(max(planned, 1))
    return GeneratorReservation(
      .dropped,
      "\(dropped) of \(planned) planned requests (\((share * 10).rounded() / 10) %) were dropped because too many "
        + "users were there at once")
  }

  private var exhaustion: GeneratorReservation? {
    guard exhausted > 0 else { return nil }
    return GeneratorReservation(
      .exhausted,
      "\(exhausted) requests failed because this machine had no port, file or memory left for them")
  }

  private func milliseconds(_ microseconds: Double) -> String { "\((microseconds / 100).rounded() / 10) ms" }
}
