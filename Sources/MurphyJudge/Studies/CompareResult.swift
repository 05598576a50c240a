import MurphyModel

/// The result of a comparison, with all data for its p-values.
package struct CompareResult: Sendable, Codable {
  /// The format and its version, as a reader of the file checks it.
  package static let currentFormat = "murphy-compare/1"

  /// The way in which the arms were measured.
  package enum Mode: String, Sendable, Codable {
    /// Both arms were loaded in turns, in a random order.
    case live
    /// Runs that were made earlier.
    case stored
  }

  /// The format and version of the file.
  package var format = CompareResult.currentFormat
  /// The way in which the arms were measured.
  package var mode: Mode
  /// `no-data` where neither a slowdown is proven nor the margin is ruled out.
  package var verdict: Verdict
  /// Sentences, the most important first.
  package var reasons: [String]
  /// The name of the scenario.
  package var scenario: String
  /// The arm that is the reference.
  package var base: CompareSide
  /// The arm that is judged.
  package var candidate: CompareSide
  /// The rows of each operation.
  package var operations: [CompareOperation] = []
  /// New, fixed and remaining findings.
  package var findings = FindingChanges()
  /// The coverage of the contract by the base's runs that the candidate's runs lack.
  package var coverageLost: [CoverageItem] = []
  /// Rate limits that differ between the arms.
  package var limitsChanged: [LimitChange] = []
  /// The design of a live comparison; nil for stored runs.
  package var design: CompareDesign?
  /// The spans of both arms; nil without a receiver.
  package var spans: [ComparedSpan]?

  package init(
    mode: Mode, verdict: Verdict = .noData, reasons: [String] = [], scenario: String, base: CompareSide,
    candidate: CompareSide
  ) {
    self.mode = mode
    self.verdict = verdict
    self.reasons = reasons
    self.scenario = scenario
    self.base = base
    self.candidate = candidate
  }
}

/// One arm of a comparison.
package struct CompareSide: Sendable, Codable, Hashable {
  /// The target, or the stored results.
  package var sources: [String]
  /// Requests of all slices or runs.
  package var requests = 0
  /// Sessions of all slices or runs.
  package var sessions = 0
  /// System, cores and memory; nil if unknown.
  package var machine: String?

  package init(sources: [String]) { self.sources = sources }
}

/// The design of a live comparison, sufficient for a repetition and for a check of its p-values by hand.
package struct CompareDesign: Sendable, Codable {
  /// The seed of all coins.
  package var coins: UInt64
  /// The seed of the sessions, equal in both arms of a pair of slices.
  package var seed: UInt64
  /// True if both targets were restarted for each group.
  package var restarts: Bool
  /// The length of the load of a slice.
  @InSeconds package var slice: Duration
  /// The part at its beginning without recorded latency.
  @InSeconds package var settling: Duration
  /// In the order of the load.
  package var groups: [GroupCoins] = []
  /// In the order of the evaluations.
  package var looks: [LookRecord] = []
  /// Including restarts.
  @InSeconds package var duration = Duration.zero

  package init(coins: UInt64, seed: UInt64, restarts: Bool, slice: Duration, settling: Duration) {
    self.coins = coins
    self.seed = seed
    self.restarts = restarts
    self.slice = slice
    self.settling = settling
  }
}

/// The coins of one group.
package struct GroupCoins: Sendable, Codable, Hashable {
  /// The target that was started first.
  package var startedFirst: CompareArm
  /// The arm that was loaded first in each block of two slices.
  package var blocks: [CompareArm]

  /// Blocks are in pairs, the second in reverse order (base, candidate, candidate, base), so that a steady drift has
  /// the same effect on both arms.
  package init(seed: UInt64, group: Int, blocks count: Int) {
    var random = RandomSource(seed: seed, stream: UInt64(group))
    startedFirst = CompareArm(coin: random.next())
    blocks = []
    for block in 0..<count {
      blocks.append(block.isMultiple(of: 2) ? CompareArm(coin: random.next()) : blocks[block - 1].other)
    }
  }
}

/// One side of a comparison.
package enum CompareArm: String, Sendable, Codable, Hashable, CaseIterable {
  case base, candidate

  init(coin: UInt64) { self = coin >> 63 == 0 ? .base : .candidate }

  /// The opposite side.
  package var other: CompareArm { self == .base ? .candidate : .base }
}

/// An evaluation of the groups that were complete at that time.
package struct LookRecord: Sendable, Codable, Hashable {
  /// The number of complete groups.
  package var groups: Int
  /// A slowdown counted if its p-value was at most this.
  package var alarm: Double
  /// The margin was ruled out if the p-value of its test was at most this.
  package var pass: Double
  /// The verdict at this look.
  package var verdict: Verdict

  package init(_ look: Look, _ decision: LookDecision) {
    groups = decision.groups
    alarm = look.alarm
    pass = look.pass
    verdict = decision.verdict
  }
}

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

  /// Adds the spans of both arms, by operation and group. Those that explain a slowdown become reasons.
  package mutating func add(spans groups: [String: [(base: SpanSample, candidate: SpanSample)]]) {
    let rows = operations.flatMap { operation in
      let isSlower = operation.rows.contains { $0.verdict == .fail && $0.metric != .errors }
      return SpanJudge.rows(operation.operation, groups[operation.operation] ?? [], isSlower: isSlower)
    }
    spans = rows
    let causes = rows.filter(\.isCause).map(\.sentence)
    let slower = operations.reduce(0) { $0 + $1.rows.count { $0.decides && $0.verdict == .fail } }
    reasons.insert(contentsOf: causes, at: min(slower, reasons.count))
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
      if let low = row.low, low > row.margin, let interval = row.interval(joinedBy: " to ") {
        let isChance = (row.correctedPValue ?? 1) > StoredJudge.alarm
        let why =
          isChance
          ? "p = \((row.correctedPValue ?? 1).formatted(digits: 2)) corrected for all comparisons is too large"
          : "only a change of \(row.text(smallest)) or more was detectable"
        return "\(name) (probably worse, 90%: \(interval), but not proven: \(why))"
      }
      return "\(name) (smallest detectable change \(row.text(smallest)), margin \(row.text(row.margin)))"
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
