import Foundation
import MurphyModel
import MurphyScenario

/// `expect: recovery:` the goodput is back within a time after each disturbance of the load (docs/recovery.md).
package enum RecoveryJudge: Judge {
  package static func rule(on run: FinishedRun) -> JudgeResult {
    guard let within = run.scenario.expectations.recovery else { return JudgeResult() }
    let load = run.scenario.load
    let disturbances = load.disturbances
    guard !disturbances.isEmpty else {
      let sentence = "the load of this run has no outage and no spike"
      return JudgeResult(checks: [row(within.notation, RecoveryRow(sentence: sentence))])
    }
    let seconds = seconds(run)
    var result = JudgeResult()
    for (index, disturbance) in disturbances.enumerated() {
      let end = disturbances.indices.contains(index + 1) ? disturbances[index + 1].from : load.duration
      let first = disturbances[0].from
      let judged = judge(disturbance, within: within, seconds, before: first, end: end)
      let limit = "\(within.notation) of the \(disturbance.kind.rawValue) at \(disturbance.from.notation)"
      var row = row(limit, judged)
      if row.verdict == .fail {
        let finding = Finding(
          kind: .trafficRecovery, operation: nil, message: row.statement, details: details(judged.result),
          firstSeen: disturbance.until, lastSeen: end, discriminator: limit)
        row.findings = [finding.fingerprint]
        result.findings.append(finding)
      }
      result.checks.append(row)
    }
    let peak = RetryPeaks.finding(in: run.record, rate: usualRate(seconds, before: disturbances[0].from))
    result.findings += [peak].compactMap(\.self)
    return result
  }

  /// Requests that the API does not answer during a disturbance, or in the time that it has to recover, do not fail the
  /// run: their findings become warnings. Such a request may end after its timeout.
  static func excused(_ findings: [Finding], in run: FinishedRun) -> [Finding] {
    guard let within = run.scenario.expectations.recovery else { return findings }
    return findings.map { finding in
      guard finding.severity == .error, excusable.contains(finding.kind),
        let cause = run.scenario.load.disturbances.first(where: {
          $0.from <= finding.firstSeen && finding.lastSeen <= $0.until + within + run.scenario.settings.timeout
        })
      else { return finding }
      var finding = finding
      finding.severity = .warning
      finding.details.append(
        "Each occurrence was during the \(cause.kind.rawValue) of the load, or in the time that `recovery` allows.")
      return finding
    }
  }

  private static let excusable: Set<FindingKind> = [
    .transportOutage, .transportRefused, .transportConnectTimeout, .transportTimeout, .transportUnanswered,
    .transportClosed, .transportClosedEarly, .transportIncomplete,
  ]

  /// The counts of one second, with its load.
  struct Second {
    var counts = RecoverySecond()
    var sent = 0
    /// Sessions that begin, or users.
    var load = 0.0
  }

  /// The decision on one disturbance.
  struct RecoveryRow {
    var result: RecoveryResult?
    var outcome: GoodputTest.Outcome?
    /// Good responses in the judged time, and as many as the former level requires.
    var good = (found: 0, expected: 0)
    var sentence = ""
  }

  private static func seconds(_ run: FinishedRun) -> [Second] {
    let ran = min(run.scenario.load.duration, run.record.info.duration)
    let length = Int(saturating: ran.inSeconds.rounded(.down))
    var seconds = (0..<max(length, 0)).map { second in
      run.record.course.indices.contains(second) ? Second(counts: run.record.course[second]) : Second()
    }
    for point in run.record.timeline where seconds.indices.contains(point.second) {
      seconds[point.second].sent = point.sent
    }
    // The sessions of an open load are counted, so that random arrivals cannot hide or feign a loss. In a closed load,
    // the number of sessions depends on the API, and the load is the planned number of users.
    if case .closed = run.scenario.load {
      for stage in run.scenario.load.stages {
        for second in seconds.indices where stage.start.inSeconds <= Double(second) + 0.5 {
          let part = (Double(second) + 0.5 - stage.start.inSeconds) / (stage.end - stage.start).inSeconds
          if part < 1 { seconds[second].load = stage.from + part * (stage.to - stage.from) }
        }
      }
    } else {
      for second in seconds.indices { seconds[second].load = Double(seconds[second].counts.begun) }
    }
    return seconds
  }

  private static func usualRate(_ seconds: [Second], before: Duration) -> Double {
    let usual = seconds.prefix(Int(saturating: before.inSeconds))
    return usual.isEmpty ? 0 : Double(usual.reduce(0) { $0 + $1.sent }) / Double(usual.count)
  }

  private static func judge(
    _ disturbance: Disturbance, within: Duration, _ seconds: [Second], before: Duration, end: Duration
  ) -> RecoveryRow {
    func second(_ time: Duration, _ rule: FloatingPointRoundingRule) -> Int {
      min(Int(saturating: time.inSeconds.rounded(rule)), seconds.count)
    }
    // The first second lacks the responses to its last requests.
    let usual = 1..<max(second(before, .down), 1)
    let from = second(disturbance.until + within, .up)
    let later = from..<max(second(end, .down), from)
    let until = min(second(disturbance.until, .up), later.upperBound)
    let test = GoodputTest(
      good: seconds.map(\.counts.good), load: seconds.map(\.load), before: usual.clamped(to: 0..<seconds.count),
      until: until, after: later)
    func rate(_ range: Range<Int>, _ count: (Second) -> Int) -> Double {
      range.isEmpty ? 0 : Double(seconds[range].reduce(0) { $0 + count($1) }) / Double(range.count)
    }
    var result = RecoveryResult(
      disturbance: disturbance.kind.rawValue, from: disturbance.from, until: disturbance.until,
      judgedFrom: .saturating(seconds: Double(later.lowerBound)),
      judgedUntil: .saturating(seconds: Double(later.upperBound)))
    result.before = rate(usual.clamped(to: 0..<seconds.count), \.counts.good)
    result.after = rate(later, \.counts.good)
    result.level = test.level
    result.returned = test.returned.map { .saturating(seconds: Double($0)) }
    result.requests = rate(later, \.sent)
    result.retries = rate(later, \.counts.retried)
    result.withheld = seconds.reduce(0) { $0 + $1.counts.withheld }
    let found = seconds[later].reduce(0) { $0 + $1.counts.good }
    let expected = test.level.map { $0 > 0 ? Double(found) / $0 : result.before * Double(later.count) }
    return RecoveryRow(
      result: result, outcome: test.outcome, good: (found, Int(saturating: (expected ?? 0).rounded())),
      sentence: sentence(result, test.outcome, usual: .saturating(seconds: Double(usual.count))))
  }

  private static func row(_ limit: String, _ judged: RecoveryRow) -> TrafficRow {
    var row = TrafficRow(
      kind: .recovery, limit: limit, met: min(judged.good.found, judged.good.expected), samples: judged.good.expected,
      exceptions: [], sentence: judged.sentence, state: .noData(trials: judged.good.expected))
    switch judged.outcome {
    case .back where judged.good.expected > 0: row.state = CheckState(trials: judged.good.expected)
    case .missing: row.state = .failed(trials: max(judged.good.expected, 1))
    default: break
    }
    row.recovery = judged.result
    return row
  }

  private static func sentence(_ result: RecoveryResult, _ outcome: GoodputTest.Outcome, usual: Duration) -> String {
    let level = result.level.map { ", \(percentText(($0 * 1000).rounded() / 1000)) of the former level" } ?? ""
    let figures =
      "goodput was \(Figure.rate(result.before).text) before the \(result.disturbance) and "
      + "\(Figure.rate(result.after).text) from \(Figure.time(result.judgedFrom).text) to "
      + "\(Figure.time(result.judgedUntil).text)\(level)"
    switch outcome {
    case .back:
      return "\(figures); recovered \(Figure.time(result.returned ?? .zero).text) after the end of the "
        + "\(result.disturbance)"
    case .missing:
      let back =
        result.returned.map { "recovered only \(Figure.time($0).text) after the end" } ?? "not recovered at the end"
      let times = result.amplification.map { ", \(Figure.decimals($0, 1)) requests for each call" } ?? ""
      return
        "\(figures); \(back). \(Figure.rate(result.retries).text) of \(Figure.rate(result.requests).text) requests "
        + "were retries\(times)"
    case .open where result.judgedFrom == result.judgedUntil:
      return
        "the run ended after \(Figure.time(result.judgedUntil).text), before the time that `recovery` allows was over"
    case .open where result.before == 0: return "no response was good before the \(result.disturbance)"
    case .open(let needed):
      return "\(figures). To decide, the load needs about \(needed.text) before the \(result.disturbance), and as long "
        + "after the allowed time; this run had \(usual.text) and \((result.judgedUntil - result.judgedFrom).text)"
    }
  }

  private static func details(_ result: RecoveryResult?) -> [String] {
    guard let result else { return [] }
    return [
      "The \(result.disturbance) lasted from \(Figure.time(result.from).text) to \(Figure.time(result.until).text)."
    ] + (result.withheld > 0 ? ["Murphy withheld \(counted(result.withheld, "request")) in outages."] : [])
  }
}
