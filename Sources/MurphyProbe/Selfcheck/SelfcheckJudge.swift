import MurphyModel

/// The conditions under which murphy's figures are reliable: a pure function of the measurements (docs/selfcheck.md
/// §2).
package enum SelfcheckJudge {
  /// In nanoseconds.
  private static let coarsestClock: Int64 = 1_000
  /// A send counts as late beyond this.
  package static let onTime = Duration.nanoseconds(LatencyAccount.onTime)
  /// A share of the exact order statistic, or a time.
  private static let recordingShare = 0.01
  private static let recordingSlack: Duration = .microseconds(10)
  /// A share of the imposed delay, in addition to `onTime`.
  private static let measuringShare = 0.01
  /// For each request in the queue after a freeze. They are processed one by one, and most of them open a new
  /// connection.
  private static let workingOff: Duration = .microseconds(200)
  /// Higher percentiles depend on a few samples, and are only shown.
  private static let highestJudged = 99.0
  /// In per cent of the time.
  private static let mostStalled = 1.0
  /// In requests per second.
  private static let lowestRate = 1_000.0

  private static let busy =
    "The machine was too busy: end other programs, give murphy cores of its own (`taskset`), or use a machine that is not "
    + "shared"

  /// One row for each check, in the order of the report.
  package static func rows(_ result: SelfcheckResult, _ judgement: JudgementFigures) -> [SelfcheckRow] {
    [
      clock(result.clock), timers(result.clock), recorder(result), latency(result.distributions),
      lateness(result.sending), stalls(result.sending), freeze(result.freeze), limiter(judgement), schema(judgement),
      rate(result.rate),
    ]
  }

  private static func clock(_ clock: ClockFigures) -> SelfcheckRow {
    SelfcheckRow(
      .clock, clock.resolution > 0 && clock.resolution <= coarsestClock && clock.reading <= Double(coarsestClock),
      "resolution \(clock.resolution) ns, read cost \(Int(saturating: clock.reading)) ns; allowed: 1000 ns each",
      remedy: "Choose another clock source: /sys/devices/system/clocksource/clocksource0/available_clocksource")
  }

  private static func timers(_ clock: ClockFigures) -> SelfcheckRow {
    SelfcheckRow(
      .timers, clock.timerP99 <= onTime,
      "an idle loop wakes \(text(clock.timerP50)) late (p50), \(text(clock.timerP99)) (p99), \(text(clock.timerMax)) "
        + "(max); allowed p99: \(text(onTime))", remedy: busy)
  }

  private static func recorder(_ result: SelfcheckResult) -> SelfcheckRow {
    let all = (result.distributions + [result.freeze.row]).flatMap(\.quantiles)
    let worst = all.max { share($0.recordingError, of: $0.recorded) < share($1.recordingError, of: $1.recorded) }
    let holds = all.allSatisfy { row in
      row.recordingError.magnitude <= max(row.recorded * recordingShare, recordingSlack)
    }
    return SelfcheckRow(
      .recorder, holds && result.trialMistakes.isEmpty,
      "reported percentiles differ from the exact ones by at most "
        + "\(percent(worst.map { share($0.recordingError, of: $0.recorded) } ?? 0)); "
        + "allowed: 1% or 10 µs; also checked in \(result.trials) random cases of recording and merging"
        + (result.trialMistakes.first.map { ", some of them wrong: \($0)" } ?? ""),
      remedy: "This is a bug in murphy: please report it with the file that --output writes")
  }

  private static func latency(_ rows: [DistributionRow]) -> SelfcheckRow {
    let judged = rows.flatMap { row in
      row.quantiles.filter { $0.percentile <= highestJudged }.map { (row, $0) }
    }
    let broken = judged.filter { excess($0.1, share: measuringShare) > .zero }
    guard let worst = judged.max(by: { excess($0.1, share: measuringShare) < excess($1.1, share: measuringShare) }),
      let lost = rows.map({ abs($0.samples - $0.imposed) }).max()
    else { return SelfcheckRow(.latency, false, "no response was received", remedy: busy) }
    let (row, quantile) = worst
    return SelfcheckRow(
      .latency, broken.isEmpty && lost == 0,
      "p50 to p99 of \(rows.count) distributions; worst: \(row.name), \(quantile.title): expected "
        + "\(text(quantile.imposed)), reported \(text(quantile.reported)); allowed difference: 1% plus \(text(onTime))"
        + (lost > 0 ? ". \(lost) responses of a distribution were not counted" : ""), remedy: busy)
  }

  private static func lateness(_ sending: SendingFigures) -> SelfcheckRow {
    SelfcheckRow(
      .lateness, sending.p99 <= onTime,
      "sends at \(Int(saturating: sending.offered))/s were late by \(text(sending.p50)) (p50), \(text(sending.p99)) (p99), "
        + "\(text(sending.max)) (max); allowed p99: \(text(onTime))", remedy: busy)
  }

  private static func stalls(_ sending: SendingFigures) -> SelfcheckRow {
    SelfcheckRow(
      .stalls, sending.stalledPercent <= mostStalled,
      "the longest stall of a loop was \(text(sending.longestStall)); stalls over 50 ms took "
        + "\(percent(sending.stalledPercent / 100)) of the time; allowed: 1%", remedy: busy)
  }

  private static func freeze(_ freeze: FreezeFigures) -> SelfcheckRow {
    let judged = freeze.row.quantiles.filter { 90...highestJudged ~= $0.percentile }
    let queue = workingOff * freeze.dueMeanwhile
    func excess(_ row: QuantileRow) -> Duration { Self.excess(row, share: measuringShare, slack: onTime + queue) }
    guard let worst = judged.max(by: { excess($0) < excess($1) }) else {
      return SelfcheckRow(.freeze, false, "no response was received", remedy: busy)
    }
    return SelfcheckRow(
      .freeze, freeze.isFound && excess(worst) <= .zero,
      "\(text(freeze.length)) server freeze: \(worst.title) expected \(text(worst.imposed)), "
        + "reported \(text(worst.reported)); allowed difference: 1% plus \(text(onTime + queue)), because the "
        + "\(freeze.dueMeanwhile) requests that waited are answered one by one"
        + (freeze.isFound ? "" : ". The stall was not detected"), remedy: busy)
  }

  private static func limiter(_ judgement: JudgementFigures) -> SelfcheckRow {
    SelfcheckRow(
      .limiter, judgement.kept == .consistent && judgement.exceeded == .overAdmission,
      "correct limit: \(judgement.kept?.rawValue ?? "no verdict"), expected consistent; limit exceeded by one request: "
        + "\(judgement.exceeded?.rawValue ?? "no verdict"), expected over-admission",
      remedy: busy + ". If the machine is idle, this is a bug in murphy")
  }

  private static func schema(_ judgement: JudgementFigures) -> SelfcheckRow {
    SelfcheckRow(
      .schema, judgement.broken > 0 && judgement.broken == judgement.violating,
      "\(judgement.broken) of \(judgement.judged) responses violated their schema, and murphy detected "
        + "\(judgement.violating) violations",
      remedy: "This is a bug in murphy: please report it with the file that --output writes")
  }

  private static func rate(_ rate: RateFigures) -> SelfcheckRow {
    SelfcheckRow(
      .rate, rate.answered >= lowestRate,
      "\(Int(saturating: rate.answered)) responses/s with \(rate.users) users and the server on the same cores; a loop with "
        + "its own core reaches about \(Int(saturating: rate.perLoop))/s "
        + "(\(text(.saturating(seconds: rate.cpu / 1e6))) of CPU each)",
      remedy: "Use a release build and a machine with a free core")
  }

  // MARK: arithmetic

  /// The distance of a reported percentile from its allowed range. A latency below the imposed delay would be an error too;
  /// the clocks are the same.
  private static func excess(_ row: QuantileRow, share: Double, slack: Duration = onTime) -> Duration {
    let allowed = row.imposed * share
    return max(row.measuringError - allowed - slack, .zero - row.measuringError - allowed - recordingSlack)
  }

  private static func share(_ error: Duration, of value: Duration) -> Double {
    value > .zero ? error.magnitude / value : 0
  }
  private static func percent(_ share: Double) -> String { Figure.percent(share, 2).text }
  private static func text(_ time: Duration) -> String { Figure.latency(time).text }
}
