import Murphy

/// What `murphy limits` prints: sentences, the most important first.
struct LimitsText {
  let result: LimitsResult

  init(_ result: LimitsResult) { self.result = result }

  var text: String {
    let parts = result.limits.map(part)
    let end = result.isCutShort ? ["Ended before all was known."] : []
    return (parts + end).joined(separator: "\n\n")
  }

  private func part(_ limit: ProbedLimit) -> String {
    var lines = ["\(limit.name): \(limit.policy.map { "declared \($0.text)" } ?? "black box")"]
    lines += limit.report.sentences.map { "  \($0)" }
    if let row = limit.row, row.verdict != .inconclusive, !limit.report.sentences.contains(row.sentence) {
      lines.append("  \(row.sentence)")
    }
    for finding in limit.findings {
      lines.append("  \(finding.severity.rawValue) \(finding.kind.rawValue): \(finding.message)")
      lines += finding.details.map { "    \($0)" }
      if let curl = finding.evidence?.curl { lines += curl.split(separator: "\n").map { "    \($0)" } }
    }
    let seconds = (limit.report.seconds * 10).rounded() / 10
    lines.append("  \(limit.report.requests) requests in \(seconds) s.")
    return lines.joined(separator: "\n")
  }
}
