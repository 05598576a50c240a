import MurphyModel

extension DriftJudge {
  /// - Parameter started: the run's start, RFC 3339.
  static func finding(_ operation: String, _ drift: Drift, started: String) -> Finding {
    let isByTime = drift.axis == .time
    let seen = drift.points.filter { isByTime ? $0.from >= drift.threshold : $0.load > drift.threshold }
    var finding = Finding(
      kind: isByTime ? .budgetTimeDrift : .budgetLoadDrift, operation: operation,
      message: message(drift, started: started),
      details: drift.isAmbiguous ? [ambiguity] : [], firstSeen: seen.map(\.from).min() ?? 0,
      lastSeen: seen.map(\.until).max() ?? 0, discriminator: drift.measure.rawValue)
    finding.drift = drift
    return finding
  }

  private static let ambiguity =
    "Load and time grew together in this run, so either may be the cause: a stage with less load at the end "
    + "distinguishes them."

  private static func message(_ drift: Drift, started: String) -> String {
    let what = drift.measure == .latency ? "latency" : "the share of errors"
    let (low, high) = (text(drift.low, drift.measure), text(drift.high, drift.measure))
    switch drift.axis {
    case .requests:
      return "\(what) grows with the load: \(low) up to \(rounded(drift.threshold)) requests/s, \(high) above"
    case .users: return "\(what) grows with the load: \(low) up to \(rounded(drift.threshold)) users, \(high) above"
    case .time:
      let clock = clock(drift.threshold, after: started).map { " (\($0) UTC)" } ?? ""
      return "\(what) grew during the run: \(low) before \(Outage.seconds(drift.threshold))\(clock), \(high) since"
    }
  }

  private static func text(_ value: Double, _ measure: Drift.Measure) -> String {
    switch measure {
    case .latency: Measure((value / 100).rounded() * 100, .microseconds).text
    case .errors: percentText((value * 1000).rounded() / 1000)
    }
  }

  /// `288`, `5`, `0.7`
  private static func rounded(_ load: Double) -> String {
    let tenths = (load * 10).rounded() / 10
    return load >= 10 || tenths == tenths.rounded() ? "\(Int(saturating: load.rounded()))" : "\(tenths)"
  }

  /// The time of day, a number of seconds after an RFC 3339 time in UTC: `14:02:10`.
  static func clock(_ seconds: Double, after started: String) -> String? {
    guard let time = started.split(separator: "T").last?.prefix(8).split(separator: ":").compactMap({ Int($0) }),
      time.count == 3, started.hasSuffix("Z")
    else { return nil }
    let moment = (time[0] * 3600 + time[1] * 60 + time[2] + Int(saturating: seconds)) % 86_400
    return [moment / 3600, moment / 60 % 60, moment % 60].map { $0 < 10 ? "0\($0)" : "\($0)" }.joined(separator: ":")
  }
}
