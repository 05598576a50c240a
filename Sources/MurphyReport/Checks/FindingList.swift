import MurphyModel

/// The findings of a run by priority, with the numbers that every report uses. The order is: an outage, server errors,
/// violated limits, contract violations, lost requests, latency and sessions, warnings, and finally notes.
package struct FindingList: Sendable {
  /// A finding with its chapter.
  package struct Entry: Sendable {
    /// From 1.
    package var number: Int
    package var finding: Finding
    package var chapter: Chapter
  }

  /// The chapters in the order of the report.
  package enum Chapter: Int, Sendable, Comparable, CaseIterable {
    case outage, failures, limits, answers, transport, load, doubts, notes

    package static func < (left: Chapter, right: Chapter) -> Bool { left.rawValue < right.rawValue }

    /// The heading of the chapter.
    package var title: String {
      switch self {
      case .outage: "Outage"
      case .failures: "Server errors"
      case .answers: "Wrong responses"
      case .limits: "Rate limits"
      case .transport: "Failed requests"
      case .load: "Latency, errors and sessions"
      case .doubts: "Warnings"
      case .notes: "Notes"
      }
    }
  }

  /// In the order of the report.
  package let entries: [Entry]
  private let byFingerprint: [String: [Int]]

  /// Sorts by chapter; findings of one chapter keep their order.
  package init(_ findings: [Finding]) {
    let ordered = findings.enumerated().map { (Chapter($1), $0, $1) }.sorted { ($0.0, $0.1) < ($1.0, $1.1) }
    entries = ordered.enumerated().map { Entry(number: $0 + 1, finding: $1.2, chapter: $1.0) }
    let errors = entries.filter { $0.finding.severity == .error }
    // A row may name a finding that is shown as a part of another one.
    byFingerprint = errors.reduce(into: [:]) { numbers, entry in
      for fingerprint in entry.finding.fingerprints { numbers[fingerprint, default: []].append(entry.number) }
    }
  }

  /// The numbers of the errors that satisfy the condition.
  func numbers(where isMeant: (Finding) -> Bool) -> [Int] {
    entries.filter { $0.finding.severity == .error && isMeant($0.finding) }.map(\.number)
  }

  /// The numbers of the errors of a family, by operation.
  func numbers(of family: FindingRule.Family) -> [String?: [Int]] {
    numbers { $0.kind.family == family }.reduce(into: [:]) { found, number in
      for operation in self[number].operations { found[operation, default: []].append(number) }
    }
  }

  /// The numbers of the errors with these fingerprints.
  package func numbers(_ fingerprints: [String]) -> [Int] {
    Set(fingerprints.flatMap { byFingerprint[$0] ?? [] }).sorted()
  }

  package subscript(number: Int) -> Finding { entries[number - 1].finding }

  /// The number of the finding that the first detail names as the cause; nil without one.
  func cause(of finding: Finding) -> Int? {
    let prefix = "Caused by: "
    guard let line = finding.details.first, line.hasPrefix(prefix) else { return nil }
    let cause = line.dropFirst(prefix.count).dropLast()
    return entries.first { $0.finding.headline == cause || $0.finding.cause.map { $0 == cause } ?? false }?.number
  }
}

extension FindingList.Chapter {
  fileprivate init(_ finding: Finding) {
    if finding.kind == .transportOutage {
      self = .outage
    } else if finding.severity != .error {
      self = finding.severity == .note ? .notes : .doubts
    } else if finding.isServerError {
      self = .failures
    } else {
      self =
        switch finding.kind.family {
        case .contract, .explore, .relation, .state, .behaviour: .answers
        case .limit: .limits
        case .transport: .transport
        case .budget, .traffic, .coverage: .load
        case .generator: .doubts
        }
    }
  }
}

extension RunResult {
  package var findingList: FindingList { FindingList(findings) }
}

extension Finding {
  /// True for equal findings of several operations: its count is the sum over all of them.
  var isOfSeveralOperations: Bool { members != nil && operation == nil }

  /// `seen once at 4.2 s`, `seen in 31 responses from 4.2 s to 38.1 s, at 775 places`, `in the whole run`;
  /// `between 24 s and 40 s` for a drift
  package var occurrence: String {
    let first = Figure.time(firstSeen).text
    if drift != nil { return "between \(first) and \(Figure.time(lastSeen).text)" }
    // The runs of two targets have no common time.
    if kind.family == .behaviour { return "seen in \(counted(count, "response"))" }
    // Found in the sums of the run or in its files, not at a point in time.
    if count == 1, firstSeen == .zero, lastSeen == .zero || lastSeen > firstSeen { return "in the whole run" }
    let spread = places.map { ", at \(counted($0, "place"))" } ?? ""
    if count == 1 { return "seen once at \(first)\(spread)" }
    let times =
      kind.family.countsResponses ? "in \(counted(count, "response"))" : "\(count.text) times"
    return "seen \(times) from \(first) to \(Figure.time(lastSeen).text)\(spread)"
  }

  /// The load at which it begins, if it did not occur at a lower load: `only above 180 requests/s`.
  ///
  /// Set only if each stage with an occurrence has a higher rate than each stage without one. The finding must also
  /// disappear again. The quieter stages after the last occurrence must have enough requests. At the share of the
  /// busier ones, at least three occurrences would be expected there. In a load that only grows, elapsed time or a
  /// crashed server is an equally good explanation.
  package var loadThreshold: String? {
    let with = load.filter { $0.occurrences > 0 }
    let without = load.filter { $0.occurrences == 0 && $0.requests > 0 }
    guard let lowestWith = with.map(\.rate).min(), let highestWithout = without.map(\.rate).max(),
      highestWithout < lowestWith
    else { return nil }
    let later = load.drop { $0.occurrences == 0 }.reversed().prefix { $0.occurrences == 0 }
    let share = Double(with.reduce(0) { $0 + $1.occurrences }) / Double(max(with.reduce(0) { $0 + $1.requests }, 1))
    guard min(share, 1) * Double(later.reduce(0) { $0 + $1.requests }) >= 3 else { return nil }
    return "only above \(Figure.digits(highestWithout)) requests/s"
  }
}
