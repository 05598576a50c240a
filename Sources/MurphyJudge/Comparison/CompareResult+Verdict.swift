import MurphyModel

extension CompareResult {
  /// Computes the verdict from the rows and the findings, with its reasons.
  ///
  /// PASS where every row that decides rules out its margin and no finding is new. FAIL where a slowdown or a new
  /// finding is proven. Otherwise NO DATA.
  package mutating func conclude() {
    let rows = operations.flatMap { operation in operation.rows.map { (operation.operation, $0) } }
      .filter { $0.1.decides }
    let worse = findings.new.filter { $0.severity == .error }
    let slower = rows.filter { $0.1.verdict == .fail }
    let open = rows.filter { $0.1.verdict?.isOpen == true }
    reasons = slower.map { Self.failure($0.0, $0.1) }
    reasons += worse.filter(\.isCertain).map { "new in the candidate: \($0.sentence)" }
    if !reasons.isEmpty {
      verdict = .fail
    } else {
      verdict = open.isEmpty && worse.isEmpty && !rows.isEmpty ? .pass : .noData
    }
    reasons += worse.filter { !$0.isCertain }.map {
      "only in the candidate, possibly by chance: \($0.sentence)"
    }
    reasons += Self.largestFirst(open.map(\.1)).isEmpty ? [] : [Self.openSentence(open)]
    if rows.isEmpty { reasons.append("no operation was called, so there is no data to compare") }
  }

  private static func failure(_ operation: String, _ row: CompareRow) -> String {
    let verb = row.metric.isBetterHigher ? "changed by" : "is worse by"
    var text = "\(operation): \(row.metric.words) \(verb) \(row.change.map(row.text) ?? "?")"
    if let interval = row.interval(joinedBy: " to ") { text += " (90%: \(interval))" }
    if let pValue = row.correctedPValue { text += ", p = \(pValue.formatted(digits: 5)) corrected for all comparisons" }
    return text
  }

  /// The least sensitive rows first.
  private static func largestFirst(_ rows: [CompareRow]) -> [CompareRow] {
    rows.sorted { ($0.smallestEffect ?? .infinity) > ($1.smallestEffect ?? .infinity) }
  }

  private static func openSentence(_ open: [(String, CompareRow)]) -> String {
    let parts = open.prefix(4).map { operation, row -> String in
      let name = "\(operation) \(row.metric.rawValue)"
      if let gap = row.gap { return "\(name) (\(gap))" }
      guard let smallest = row.smallestEffect else { return name }
      return "\(name) (\(row.text(smallest)) was detectable, margin \(row.text(row.margin)))"
    }
    let more = open.count > parts.count ? ", and \(open.count - parts.count) more" : ""
    return "no data: \(parts.joined(separator: "; "))\(more)"
  }
}

extension CompareMetric {
  /// `the median latency`
  package var words: String {
    switch self {
    case .p50: "the median latency"
    case .p95: "the 95th percentile of the latency"
    case .p99: "the 99th percentile of the latency"
    case .errors: "the share of errors"
    case .limited: "the share of requests rejected by a rate limit"
    case .throughput: "the throughput"
    case .bytes: "the size of a response"
    case .requestsPerSession: "the number of requests per session"
    }
  }
}

extension FindingChange {
  /// `listLaws: … (12 times)`
  package var sentence: String {
    let name = operation.map { "\($0): " } ?? ""
    let count = max(candidateCount, baseCount)
    return "\(name)\(message) (\(kind.rawValue), \(count == 1 ? "once" : "\(count) times"))"
  }
}

extension Double {
  /// At most this many digits after the point, without zeros at the end.
  fileprivate func formatted(digits: Int) -> String {
    let scale = (0..<digits).reduce(1.0) { scale, _ in scale * 10 }
    return String((self * scale).rounded() / scale)
  }
}

extension CompareResult {
  /// Sets the verdict for a reason outside of the rows. INVALID takes precedence over all others, and a proven slowdown
  /// over NO DATA.
  package mutating func overrule(_ verdict: Verdict, _ reason: String) {
    reasons.insert(reason, at: 0)
    if verdict == .invalid || self.verdict == .pass { self.verdict = verdict }
  }
}
