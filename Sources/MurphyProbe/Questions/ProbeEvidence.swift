import MurphyJudge

/// All decided requests of the base client so far, in the orders that the fits need.
struct ProbeEvidence {
  struct Decided {
    var sent: Double
    var settled: Double
    var admitted: Bool
    /// True for the base client's request; otherwise it may have used the base client's quota, or not.
    var isCertain = true

    var traced: LimitTrace.Request {
      LimitTrace.Request(
        sent: sent, settled: settled, role: !isCertain ? .possible : admitted ? .certain : .refused)
    }
  }

  /// Send times of admitted requests, independently sorted.
  let sent: [Double]
  let settled: [Double]
  /// Send times of all requests, independently sorted.
  let allSent: [Double]
  let allSettled: [Double]
  let refused: [Decided]
  let admitted: [Decided]
  /// Requests at which the outcome changes or a pause ends: the informative ones, reduced to about a hundred.
  let telling: [Decided]
  /// For each informative request: admissions settled before it was sent, and sent before it settled.
  let settledBefore: [Int]
  let sentBefore: [Int]
  /// Seconds from the first request to the last response.
  var span: Double { (allSettled.last ?? 0) - (allSent.first ?? 0) }
  /// The observed sizes of bursts: candidates for the allowance of the sliding log.
  let candidates: Set<Int>

  init(_ requests: [Decided], candidates: Set<Int>) {
    let all = requests.sorted { $0.sent < $1.sent }
    let ordered = all.filter(\.isCertain)
    admitted = ordered.filter(\.admitted)
    refused = ordered.filter { !$0.admitted }
    // A request that may have been counted is never certain.
    sent = all.filter(\.admitted).map(\.sent)
    settled = all.filter(\.admitted).map { $0.isCertain ? $0.settled : .infinity }.sorted()
    allSent = ordered.map(\.sent)
    allSettled = ordered.map(\.settled).sorted()
    self.candidates = candidates
    var telling: [Decided] = []
    for (index, request) in ordered.enumerated() {
      let last = index == ordered.count - 1
      let changes = { (left: Decided, right: Decided) in
        left.admitted != right.admitted || right.sent - left.sent > 0.05
      }
      if index == 0 || last || changes(ordered[index - 1], request) || changes(request, ordered[index + 1]) {
        telling.append(request)
      }
    }
    if telling.count > 90 {
      let refusals = telling.indices.filter { !telling[$0].admitted }
      let admissions = telling.indices.filter { telling[$0].admitted }
      var kept: Set<Int> = [0, telling.count - 1]
      for index in stride(from: 0, to: refusals.count, by: max(1, refusals.count / 60)) { kept.insert(refusals[index]) }
      for index in stride(from: 0, to: admissions.count, by: max(1, admissions.count / 40)) {
        kept.insert(admissions[index])
      }
      telling = kept.sorted().map { telling[$0] }
    }
    let sent = sent
    let settled = settled
    settledBefore = telling.map { settled.count(below: $0.sent) }
    sentBefore = telling.map { sent.count(upTo: $0.settled) }
    self.telling = telling
  }
}

extension ProbeEvidence.Decided {
  /// Later than any decision, in seconds.
  private static let never = 1e9

  /// A request without a known decision may have used the quota, at any time after its send.
  init(_ observation: ProbeObservation) {
    let isKnown = observation.decision != .unknown
    self.init(
      sent: observation.sent, settled: isKnown ? observation.settled : Self.never,
      admitted: observation.decision != .refused, isCertain: isKnown)
  }
}
