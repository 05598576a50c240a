import MurphyModel

extension LimitRow {
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
      if strength?.shortfall != nil { return sentence }
      guard let tests = tests?.filter(\.test.isSeen), tests.allSatisfy({ $0.outcome == .notTested }),
        let first = tests.first
      else { return sentence }
      return isOpen ? sentence : first.sentence
    }
  }
}

extension TrafficRow {
  /// `55 of 155 sessions that ended did so as scripted`
  var share: String {
    let whole = Figure.count(samples).text
    return switch kind {
    case .completed: "\(Figure.count(met).text) of \(whole) sessions that ended did so as scripted"
    case .called: "\(Figure.count(met).text) of \(whole) operations were called and succeeded"
    case .sessions: "\(Figure.count(met).text) of \(whole) kinds of session completed"
    case .connections: "\(Figure.count(met).text) of \(whole) requests found their connection open"
    }
  }

  /// `55 of 155 ended as scripted`
  var subject: String {
    let share = "\(Figure.count(met).text) of \(Figure.count(samples).text)"
    return switch kind {
    case .completed: "\(share) ended as scripted"
    case .called: "\(share) operations called with success"
    case .sessions: "\(share) kinds completed"
    case .connections: "\(share) connections reused"
    }
  }
}
