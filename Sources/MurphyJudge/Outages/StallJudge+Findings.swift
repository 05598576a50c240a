import MurphyModel

extension StallJudge {
  /// Stretches that the message names; the details hold them all.
  private static let named = 4

  /// One finding for all stalls; nil for none. A warning: what they cost is for budgets and promises to judge.
  package static func finding(_ stalls: [Stall]) -> Finding? {
    guard let first = stalls.first, let last = stalls.last else { return nil }
    let shown = stalls.prefix(named).map(stretch)
    let more = stalls.count - shown.count
    let all = more > 0 ? shown + ["\(more) more times"] : Array(shown)
    let stretches = all.count == 1 ? all[0] : all.dropLast().joined(separator: ", ") + " and " + all.last!
    return Finding(
      kind: .transportStalled, severity: .warning, operation: nil,
      message: "nothing answered \(stretches): \(requests(stalls))",
      details: stalls.count > 1 ? stalls.map { "nothing answered \(stretch($0)): \(requests([$0]))" } : [],
      count: stalls.count, firstSeen: first.from, lastSeen: last.until, discriminator: "stall")
  }

  /// `from 4 s to 10 s`
  private static func stretch(_ stall: Stall) -> String {
    "from \(Outage.seconds(stall.from)) to \(Outage.seconds(stall.until))"
  }

  /// `37 requests waited and were answered afterwards`
  private static func requests(_ stalls: [Stall]) -> String {
    let answered = stalls.reduce(0) { $0 + $1.answered }
    let failed = stalls.reduce(0) { $0 + $1.failed }
    let text =
      "\(answered) \(answered == 1 ? "request" : "requests") waited and "
      + "\(answered == 1 ? "was" : "were") answered afterwards"
    return failed == 0 ? text : text + ", \(failed) more waited and failed"
  }
}
