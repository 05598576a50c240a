import MurphyJudge
import MurphyModel

/// Other declared limits of the probed operation: a rejection that may be theirs proves nothing of the probed one.
extension Prober {
  /// What was decided of the base client, with the rejections that another declared limit explains as requests that may
  /// have counted.
  var telling: [ProbeEvidence.Decided] {
    guard !options.rivals.isEmpty else { return decided }
    let explained = explainedByRivals
    return decided.map { request in
      guard !request.admitted, request.isCertain, explained.contains(request.sent) else { return request }
      return ProbeEvidence.Decided(sent: request.sent, settled: request.settled, admitted: true, isCertain: false)
    }
  }

  /// Whether other declared limits explain all rejections.
  var isHiddenByRivals: Bool {
    !options.rivals.isEmpty && decided.contains { $0.isCertain && !$0.admitted }
      && !telling.contains { $0.isCertain && !$0.admitted }
  }

  /// Every rejection may be another declared limit's: nothing is known of the probed one.
  mutating func concludeHidden() {
    report.outcome = .unfinished
    report.say(.otherLimits(options.rivals.map { "\($0.name): \($0.text)" }))
    finish()
  }

  /// When the base client's requests were sent whose rejection some other declared limit explains.
  private var explainedByRivals: Set<Double> {
    let requests = everything.enumerated().map { index, request in
      var traced = request.traced
      traced.id = index
      return traced
    }
    let rejected = Set(everything.indices.filter { everything[$0].isCertain && !everything[$0].admitted })
    var explained: Set<Int> = []
    for rival in options.rivals {
      let trace = LimitTrace(requests, startsQuiet: options.rivalsStartQuiet, refusedMayCount: true)
      let terms = LimitTerms(allowance: rival.allowance, window: rival.window.inSeconds, tick: options.tick)
      let unexplained = LimitCheck.unexplainedRefusals(trace, rival.algorithm, terms).map { trace.requests[$0].id }
      explained.formUnion(rejected.subtracting(unexplained))
    }
    return Set(explained.map { everything[$0].sent })
  }

  /// Keeps what other declared limits may have counted.
  mutating func note(_ observations: [ProbeObservation], own: [ProbeObservation]) {
    guard !options.rivals.isEmpty else { return }
    let base = Set(own.map(\.index))
    for observation in observations where observation.decision != .unknown || !base.contains(observation.index) {
      var request = ProbeEvidence.Decided(observation)
      request.isCertain = base.contains(observation.index)
      if !request.isCertain {
        guard observation.decision != .refused else { continue }
        request.admitted = true
      }
      everything.append(request)
    }
  }
}
