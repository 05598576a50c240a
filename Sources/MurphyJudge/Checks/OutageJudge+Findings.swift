import MurphyModel

extension OutageJudge {
  /// The findings, with everything that the outages explain in one row at the top. Nothing is dropped: the details
  /// contain the counts.
  ///
  /// - Parameters:
  ///   - findings: the findings of the record.
  ///   - breaks: the other failures that the outages explain, in sentences.
  package static func folded(
    _ findings: [Finding], under outages: [Outage], in record: RunRecord, breaks: [String] = []
  ) -> [Finding] {
    let losses = outages.flatMap(\.losses)
    guard !losses.isEmpty else { return findings }
    var explained: [Key: Int] = [:]
    for loss in losses { if let key = key(loss, record) { explained[key, default: 0] += 1 } }
    var first: Finding?
    var closings: [Finding] = []
    let rest = findings.compactMap { finding -> Finding? in
      if isClosing(finding, in: outages) {
        closings.append(finding)
        return nil
      }
      let key = Key(kind: finding.kind, operation: finding.operation)
      guard let count = explained[key], count > 0 else { return finding }
      if first == nil || finding.firstSeen < first!.firstSeen { first = finding }
      // One kind has a row for each of its causes: a loss that one row takes is not available to the next.
      let taken = min(count, finding.count)
      explained[key] = count - taken
      guard finding.count > taken else { return nil }
      return reduced(finding, by: taken, to: left(key, losses, record))
    }
    let repeats = closings.map {
      "\($0.operation ?? "a request"): sent again \($0.count == 1 ? "once" : "\($0.count) times"), because the target "
        + "closed the connection at the start or end of the outage"
    }
    return [row(outages, record, repeats + breaks, evidence: first?.evidence)] + rest
  }

  /// Connections that a failing target closes: their requests are sent again and lost then.
  private static func isClosing(_ finding: Finding, in outages: [Outage]) -> Bool {
    finding.kind == .transportClosedEarly
      && outages.contains {
        finding.firstSeen.inSeconds >= $0.from - edge && finding.lastSeen.inSeconds <= $0.until + edge
      }
  }

  /// Seconds between the last response and the closing of the connections.
  private static let edge = 0.5

  private struct Key: Hashable {
    var kind: FindingKind
    var operation: String?
  }

  private static func key(_ loss: LostRequest, _ record: RunRecord) -> Key? {
    loss.kind.map { Key(kind: $0, operation: name(loss, record)) }
  }

  private static func name(_ loss: LostRequest, _ record: RunRecord) -> String {
    record.operations.indices.contains(loss.operation) ? record.operations[loss.operation].operation : "unknown"
  }

  /// The losses of one finding that no outage explains.
  private static func left(_ key: Key, _ explained: [LostRequest], _ record: RunRecord) -> [LostRequest] {
    let known = Set(explained)
    return record.responses.losses.filter { self.key($0, record) == key && !known.contains($0) }
  }

  private static func reduced(_ finding: Finding, by count: Int, to left: [LostRequest]) -> Finding {
    var finding = finding
    finding.count -= count
    finding.firstSeen = left.map(\.ended).min().map(Duration.saturating) ?? finding.firstSeen
    finding.lastSeen = left.map(\.ended).max().map(Duration.saturating) ?? finding.lastSeen
    finding.load = []
    finding.details.append("\(count) more failures of this kind are part of the outage.")
    return finding
  }

  private static func row(
    _ outages: [Outage], _ record: RunRecord, _ breaks: [String], evidence: Evidence?
  ) -> Finding {
    let lost = outages.flatMap(\.losses)
    let endings = lost.endings
    let how = endings.count == 1 ? endings.keys.joined() : listed(endings)
    var finding = Finding(
      kind: .transportOutage, severity: .error, operation: nil,
      message: "\(sentence(outages, record)): \(counted(lost.count, "request")) got no response (\(how))",
      details: details(outages, record) + breaks, count: outages.count,
      firstSeen: .saturating(seconds: outages[0].from),
      lastSeen: .saturating(seconds: outages[outages.count - 1].until), discriminator: "outage", evidence: evidence)
    // After the outage, the request that was lost succeeds: only the whole run reproduces it.
    finding.evidence?.curl = nil
    return finding
  }

  /// `no response from 3.1 s to 4 s and from 11.9 s to the end (15 s)`
  private static func sentence(_ outages: [Outage], _ record: RunRecord) -> String {
    let isWhole = record.operations.allSatisfy { $0.outcomes.answered == 0 }
    if isWhole, outages.count == 1 {
      return "no response at all, from \(Outage.seconds(outages[0].from)) to \(Outage.seconds(outages[0].until))"
    }
    return "no response \(Outage.listed(outages.map(\.text)))"
  }

  private static func details(_ outages: [Outage], _ record: RunRecord) -> [String] {
    var lines: [String] = []
    if let aborted = record.info.aborted {
      lines.append(
        "The load ended after \(Outage.seconds(aborted.inSeconds)) because no response was received. If responses "
          + "may take longer, raise `settings: abort-after`, the maximum time without a response.")
    }
    if outages.count > Outage.named { lines += outages.map { "no response \($0.text)" } }
    let losses = Dictionary(grouping: outages.flatMap(\.losses)) { name($0, record) }
    return lines + losses.sorted { $0.key < $1.key }.map { "\($0): \(listed($1.endings))" }
  }

  /// `connection refused 60 times, timeout once`
  private static func listed(_ endings: [String: Int]) -> String {
    endings.sorted { ($1.value, $0.key) < ($0.value, $1.key) }.map {
      "\($0.key) " + ($0.value == 1 ? "once" : "\($0.value.text) times")
    }
    .joined(separator: ", ")
  }
}

extension [LostRequest] {
  /// The number of losses for each way in which they ended.
  fileprivate var endings: [String: Int] { reduce(into: [:]) { $0[$1.ending, default: 0] += 1 } }
}

extension LostRequest {
  fileprivate var ending: String {
    switch kind {
    case nil, .transportUnanswered: "in flight at the end"
    case .transportRefused: "connection refused"
    case .transportClosed, .transportClosedEarly, .transportClosedIdle: "connection closed or reset"
    case .transportConnectTimeout: "no connection in time"
    case .transportTimeout: "timeout"
    case .some(let kind): kind.name
    }
  }
}
