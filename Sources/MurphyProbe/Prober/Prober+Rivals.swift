import MurphyJudge
import MurphyModel

/// Other declared limits of the probed operation. A rejection that they may have caused is not evidence for the probed
/// one.
extension Prober {
  /// The decisions for the base client. Rejections that another declared limit explains are treated as requests that
  /// may have counted.
  var telling: [ProbeEvidence.Decided] {
    guard !options.rivals.isEmpty else { return decided }
    let explained = explainedByRivals
    return decided.map { request in
      guard !request.admitted, request.isCertain, explained.contains(request.sent) else { return request }
      return ProbeEvidence.Decided(sent: request.sent, settled: request.settled, admitted: true, isCertain: false)
    }
  }

  /// True if other declared limits explain all rejections.
  var isHiddenByRivals: Bool {
    !options.rivals.isEmpty && decided.contains { $0.isCertain && !$0.admitted }
      && !telling.contains { $0.isCertain && !$0.admitted }
  }

  /// Every rejection may belong to another declared limit: nothing is known of the probed one.
  mutating func concludeHidden() {
    report.outcome = .unfinished
    report.say(.otherLimits(options.rivals.map { "\($0.name): \($0.text)" }))
    finish()
  }

  /// The send times of the base client's requests with a rejection that some other declared limit explains.
  private var explainedByRivals: Set<Double> {
    let requests = everything.enumerated().map { index, request in
      var traced = request.traced
      traced.id = index
      return traced
    }
    let rejected = Set(everything.indices.filter { everything[$0].isCertain && !everything[$0].admitted })
    var explained: Set<Int> = []
    for rival in options.rivals {
      let trace = LimitTrace(
        requests, startsQuiet: options.rivalsStartQuiet, refusedMayCount: rival.counts.refused != .no)
      let terms = LimitTerms(allowance: rival.allowance, window: rival.window.inSeconds, tick: options.tick)
      let unexplained = LimitCheck.unexplainedRefusals(trace, rival.algorithm, terms).map { trace.requests[$0].id }
      explained.formUnion(rejected.subtracting(unexplained))
    }
    return Set(explained.map { everything[$0].sent })
  }

  /// Records the requests that other declared limits may have counted.
  mutating func record(_ observations: [ProbeObservation], own: [ProbeObservation]) {
    guard !options.rivals.isEmpty else { return }
    let base = Set(own.map(\.index))
    for observation in observations {
      var request = ProbeEvidence.Decided(observation)
      if !base.contains(observation.index) {
        guard observation.decision != .refused else { continue }
        request.isCertain = false
      }
      everything.append(request)
    }
  }
}
