import MurphyModel

/// A target on a simulated clock: requests at an even rate, each answered or lost, as the record of a run would hold it.
struct SimulatedTarget {
  /// Requests per second.
  var rate = 20.0
  /// Seconds.
  var length = 15.0
  /// Seconds that a response takes.
  var service = 0.05
  /// What becomes of the request sent at a moment; nil when it is answered.
  var loss: (Int, Double) -> (kind: FindingKind?, after: Double)? = { _, _ in nil }
  /// Seconds that the response to each request takes; nil for `service`.
  var answering: ((Int, Double) -> Double)?

  func record(aborted: Duration? = nil) -> RunRecord {
    var record = RunRecord.sample
    var operation = OperationRecord(operation: "listLaws", method: "GET", path: "/laws")
    var answered: [(sent: Double, ended: Double)] = []
    for index in 0..<Int(rate * length) {
      let sent = Double(index) / rate
      operation.sent += 1
      if let lost = loss(index, sent) {
        record.responses.losses.append(LostRequest(operation: 0, kind: lost.kind, sent: sent, ended: sent + lost.after))
        operation.outcomes.transport += 1
        if let kind = lost.kind { count(kind, at: .saturating(seconds: sent + lost.after), in: &record) }
      } else {
        let took = answering?(index, sent) ?? service
        answered.append((sent, sent + took))
        operation.outcomes.ok += 1
        operation.service.record(Int64(took * 1e9))
      }
    }
    record.operations = [operation]
    record.info.duration = .saturating(seconds: length)
    record.info.aborted = aborted
    answered.sort { $0.ended < $1.ended }
    record.responses.gaps = gaps(answered, record.responses.losses)
    let stalls = record.responses.gaps.filter {
      $0.until - $0.from >= ResponseLog.shortestStall && $0.resumedBySent != nil
    }
    let ends = stalls.map(\.until)
    record.responses.waits = answered.filter { answer in ends.contains { answer.sent < $0 && answer.ended >= $0 } }
      .map { WaitingRequest(operation: 0, sent: $0.sent, ended: $0.ended, isAnswered: true) }
    return record
  }

  private func count(_ kind: FindingKind, at moment: Duration, in record: inout RunRecord) {
    if let index = record.findings.firstIndex(where: { $0.kind == kind }) {
      record.findings[index].count += 1
      record.findings[index].lastSeen = moment
    } else {
      record.findings.append(
        Finding(
          kind: kind, severity: .error, operation: "listLaws", message: "listLaws: \(kind.rawValue)", firstSeen: moment,
          lastSeen: moment))
    }
  }

  private func gaps(_ answered: [(sent: Double, ended: Double)], _ losses: [LostRequest]) -> [ResponseGap] {
    var gaps: [ResponseGap] = []
    var last = (sent: 0.0, ended: 0.0)
    for answer in answered {
      gaps.append(
        ResponseGap(from: last.ended, until: answer.ended, lastAnsweredSent: last.sent, resumedBySent: answer.sent))
      last = answer
    }
    let end = max(length, losses.map(\.ended).max() ?? 0)
    gaps.append(ResponseGap(from: last.ended, until: end, lastAnsweredSent: last.sent, resumedBySent: nil))
    return gaps.filter { $0.until - $0.from >= ResponseLog.shortestGap }
  }
}
