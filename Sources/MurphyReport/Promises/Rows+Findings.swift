import MurphyModel

extension BudgetRow {
  /// Of the finding that breaks it, whatever its kind: the judge tells them apart by metric and limit.
  var fingerprints: [String] {
    ["latency", "errors", "throughput"].map { kind in
      Finding.fingerprint(of: ["budget.\(kind)", operation == "*" ? "" : operation, "\(metric) \(limit)"])
    }
  }
}

extension LimitRow {
  /// Of the findings that break it: the judge tells them apart by kind, name and policy.
  var fingerprints: [String] {
    let only = operations.count == 1 ? operations[0] : ""
    return [Verdict.overAdmission, .overThrottling, .contradictory].map { kind in
      Finding.fingerprint(of: ["limit.\(kind.rawValue)", only, "\(name) \(policy)"])
    }
  }

  /// What was seen, without what its finding tells.
  ///
  /// - Parameter isTold: it has a finding.
  func brief(isTold: Bool) -> String {
    let figures =
      "\(counted(keys, "key")): \(Figure.count(admitted).text) admitted, \(Figure.count(refused).text) refused"
    switch verdict {
    case .overAdmission, .overThrottling, .contradictory: return isTold ? figures : sentence
    case .consistent: return figures
    case .inconclusive:
      guard let tests, tests.allSatisfy({ $0.outcome == .notTested }), let first = tests.first else { return sentence }
      return lacksEvidence ? sentence : first.sentence
    }
  }
}

extension TrafficRow {
  /// `55 of 155 sessions that ended did so as scripted`
  var share: String {
    let whole = Figure.count(samples).text
    return switch kind {
    case .completed: "\(Figure.count(met).text) of \(whole) sessions that ended did so as scripted"
    case .called: "\(Figure.count(met).text) of \(whole) operations were called"
    case .sessions: "\(Figure.count(met).text) of \(whole) kinds of session completed"
    }
  }

  /// `55 of 155 ended as scripted`
  var subject: String {
    let share = "\(Figure.count(met).text) of \(Figure.count(samples).text)"
    return switch kind {
    case .completed: "\(share) ended as scripted"
    case .called: "\(share) operations called"
    case .sessions: "\(share) kinds completed"
    }
  }
}
