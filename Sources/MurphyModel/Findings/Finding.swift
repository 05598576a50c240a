/// An error of the API or of murphy: one row for all equal occurrences.
public struct Finding: Sendable, Codable, Hashable {
  /// The severity of a finding; an error makes a run fail.
  public enum Severity: String, Sendable, Codable, Comparable {
    case note, warning, error

    /// A note is less than a warning, and a warning is less than an error.
    public static func < (left: Severity, right: Severity) -> Bool { left.rank < right.rank }
    private var rank: Int { self == .note ? 0 : self == .warning ? 1 : 2 }
  }

  /// The kind of finding, from a closed list.
  public var kind: FindingKind
  /// The severity of this finding.
  public var severity: Severity
  /// The operationId; nil for the whole run.
  public var operation: String?
  /// The failure with found and expected values, in a sentence. It does not name `operation`: a report puts that before
  /// it.
  public var message: String
  /// More lines for people: the nearest branch of a `oneOf`, the remedy.
  public var details: [String]
  /// The number of affected responses for kinds of `contract` and `relation`; the number of occurrences for all others.
  public var count: Int
  /// The number of places in those responses, if one response shows the finding at several; nil otherwise.
  package var places: Int?
  /// Since the run's start.
  @InSeconds public var firstSeen: Duration
  /// Since the run's start.
  @InSeconds public var lastSeen: Duration
  /// Equal findings have equal fingerprints in all runs.
  public var fingerprint: String
  /// The proof; nil if no single exchange proves it.
  public var evidence: Evidence?
  /// How often it occurred at each stage of the load; empty if unknown.
  package var load: [LoadOccurrence]
  /// The expectation in the scenario and its position; nil for findings that are not about an expectation of a step.
  package var expectation: StepExpectation?
  /// The found values with their counts; nil if the message is complete.
  package var found: FoundValues?
  /// Equal for findings of one kind that one mistake explains; nil for a finding without such a cause.
  package var cause: String?
  /// The findings that this one groups; nil for a single finding.
  package var members: [FindingMember]?
  /// The data of a drift; nil for every other kind.
  package var drift: Drift?

  /// Creates a finding; its severity is the kind's own unless it is given.
  package init(
    kind: FindingKind, severity: Severity? = nil, operation: String?, message: String, details: [String] = [],
    count: Int = 1,
    places: Int? = nil,
    firstSeen: Duration = .zero, lastSeen: Duration = .zero, discriminator: String? = nil, evidence: Evidence? = nil,
    load: [LoadOccurrence] = [], expectation: StepExpectation? = nil, found: FoundValues? = nil
  ) {
    self.kind = kind
    self.severity = severity ?? kind.rule.severity
    self.operation = operation
    self.message = message
    self.details = details
    self.count = count
    self.places = places
    self.firstSeen = firstSeen
    self.lastSeen = lastSeen
    self.fingerprint = Self.fingerprint(of: [kind.rawValue, operation ?? "", discriminator ?? message])
    self.evidence = evidence
    self.load = load
    self.expectation = expectation
    self.found = found
  }

  /// FNV-1a, 64 bits, over the parts joined by a zero byte, as sixteen hexadecimal digits.
  package static func fingerprint(of parts: [String]) -> String {
    var hash = FNV1a()
    for part in parts {
      hash.add(part.utf8)
      hash.add(0)
    }
    return hash.value.padded(16, radix: 16)
  }
}

/// How a finding relates to one stage of the load.
package struct LoadOccurrence: Sendable, Codable, Hashable {
  /// The stage's index in the run's `load`.
  package var stage: Int
  /// Requests of the operation that ended in the stage, answered or failed.
  package var requests: Int
  /// How often it occurred in the stage.
  package var occurrences: Int
  /// Requests per second of all operations, mean over the stage.
  package var rate: Double

  package init(stage: Int, requests: Int, occurrences: Int, rate: Double) {
    self.stage = stage
    self.requests = requests
    self.occurrences = occurrences
    self.rate = rate
  }
}

extension Finding {
  /// `listLaws: status 500 is not documented`; only the message if the finding is not about one operation.
  public var headline: String { (operation.map { "\($0): " } ?? "") + message }

  /// Worst first: an outage, which explains others; then by severity, with 5xx and broken limits first; then by count,
  /// and then by time.
  package static func isWorse(_ left: Finding, _ right: Finding) -> Bool {
    let (leads, follows) = (left.kind == .transportOutage, right.kind == .transportOutage)
    if leads != follows { return leads }
    if left.severity != right.severity { return left.severity > right.severity }
    if left.isServerError != right.isServerError { return left.isServerError }
    let (isLimit, isOtherLimit) = (left.kind.family == .limit, right.kind.family == .limit)
    if isLimit != isOtherLimit { return isLimit }
    if left.count != right.count { return left.count > right.count }
    if left.firstSeen != right.firstSeen { return left.firstSeen < right.firstSeen }
    return left.fingerprint < right.fingerprint
  }
}

/// The expectation of a step of a scenario about its response.
package struct StepExpectation: Sendable, Codable, Hashable {
  /// The session of the step.
  package var session: String
  /// The step's number in its session, from 1 in each list of steps: `3`, `3.else.1`.
  package var step: String
  /// The position of the expectation in the scenario.
  package var source: SourceMark
  /// `status 200`, `$.limit to be 25`, as the scenario writes it.
  package var expected: String

  package init(session: String, step: String, source: SourceMark, expected: String) {
    self.session = session
    self.step = step
    self.source = source
    self.expected = expected
  }
}

/// The values behind one finding, each with its count. Bounded: the rest is one number.
package struct FoundValues: Sendable, Codable, Hashable {
  /// One value and its count.
  package struct Value: Sendable, Codable, Hashable {
    /// The value, masked and cut to a length that fits a line.
    package var text: String
    /// How often it was found.
    package var count: Int

    package init(text: String, count: Int) {
      self.text = text
      self.count = count
    }
  }

  /// Most frequent first.
  package var values: [Value]
  /// Occurrences with any other value.
  package var others: Int

  package init(values: [Value], others: Int = 0) {
    self.values = values
    self.others = others
  }

  /// `500`, or `201 (21 times), 500 (15 times) and other values (3 times)`.
  package var sentence: String {
    if values.count == 1, others == 0 { return values[0].text }
    let shown = values.prefix(Self.inSentence).map { "\($0.text) (\(Self.times($0.count)))" }.joined(separator: ", ")
    let rest = values.dropFirst(Self.inSentence).reduce(others) { $0 + $1.count }
    return rest == 0 ? shown : "\(shown) and other values (\(Self.times(rest)))"
  }

  /// The maximum number of values in a sentence; the result holds a few more.
  private static let inSentence = 5

  private static func times(_ count: Int) -> String { count == 1 ? "once" : "\(count.text) times" }
}

/// A finding that is shown as a part of another one with the same cause.
package struct FindingMember: Sendable, Codable, Hashable {
  /// The operationId.
  package var operation: String?
  /// The sentence of the finding, with secrets masked.
  package var message: String
  /// The number of times that it was found.
  package var count: Int
  /// Since the run's start.
  @InSeconds package var firstSeen: Duration
  /// Equal in every run for the same defect.
  package var fingerprint: String

  package init(_ finding: Finding) {
    operation = finding.operation
    message = finding.message
    count = finding.count
    firstSeen = finding.firstSeen
    fingerprint = finding.fingerprint
  }
}

extension Finding {
  /// The operations with the finding, each once; nil for the whole run.
  package var operations: [String?] {
    guard let members else { return [operation] }
    var seen: Set<String?> = []
    return members.map(\.operation).filter { seen.insert($0).inserted }
  }

  /// Its fingerprint and those of its members.
  package var fingerprints: [String] { [fingerprint] + (members ?? []).map(\.fingerprint) }

  /// The findings that it groups, each separately; a single finding returns itself.
  package var ungrouped: [Finding] {
    guard let members else { return [self] }
    return members.map { member in
      var single = self
      (single.operation, single.message, single.count) = (member.operation, member.message, member.count)
      (single.firstSeen, single.fingerprint, single.members) = (member.firstSeen, member.fingerprint, nil)
      return single
    }
  }

  /// True if the API reported its own failure.
  package var isServerError: Bool {
    kind == .exploreServerError || (kind == .contractStatus && status.map { 500...599 ~= $0 } ?? false)
  }

  /// The status of the response that proves it; nil without one.
  package var status: Int? { evidence?.exchange?.status }
}
