/// The API is wrong, or murphy was: one row for all equal occurrences.
public struct Finding: Sendable, Codable, Hashable {
  public enum Severity: String, Sendable, Codable, Comparable {
    case note, warning, error

    public static func < (left: Severity, right: Severity) -> Bool { left.rank < right.rank }
    private var rank: Int { self == .note ? 0 : self == .warning ? 1 : 2 }
  }

  public var kind: FindingKind
  public var severity: Severity
  /// The operationId; nil for the whole run.
  public var operation: String?
  /// What failed, found and expected, in a sentence. It does not name `operation`: a report says that before it.
  public var message: String
  /// More lines for people: the nearest branch of a `oneOf`, what to do.
  public var details: [String]
  /// Answers that show it for kinds of `contract`, occurrences for all others.
  public var count: Int
  /// Places of those answers that show it, where one answer shows it at several; nil otherwise.
  public var places: Int?
  /// Seconds since the run's start.
  public var firstSeen: Double
  public var lastSeen: Double
  /// Equal findings have equal fingerprints, from run to run.
  public var fingerprint: String
  public var evidence: Evidence?
  /// How often it came at each stage of the load; empty when not known.
  public var load: [LoadOccurrence]
  /// What the scenario expects and where it says so; nil for what no step expects.
  public var expectation: StepExpectation?
  /// What was found, split by value; nil where the message says all.
  public var found: FoundValues?

  public init(
    kind: FindingKind, severity: Severity? = nil, operation: String?, message: String, details: [String] = [],
    count: Int = 1,
    places: Int? = nil,
    firstSeen: Double = 0, lastSeen: Double = 0, discriminator: String? = nil, evidence: Evidence? = nil,
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
  public static func fingerprint(of parts: [String]) -> String {
    var hash: UInt64 = 0xcbf2_9ce4_8422_2325
    for part in parts {
      for byte in part.utf8 { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3 }
      hash = hash &* 0x100_0000_01b3
    }
    let hexadecimal = String(hash, radix: 16)
    return String(repeating: "0", count: 16 - hexadecimal.count) + hexadecimal
  }
}

/// How a finding relates to one stage of the load.
public struct LoadOccurrence: Sendable, Codable, Hashable {
  /// The stage's index in the run's `load`.
  public var stage: Int
  /// Requests of the operation that ended in the stage, answered or failed.
  public var requests: Int
  public var occurrences: Int
  /// Requests per second of all operations, mean over the stage.
  public var rate: Double

  public init(stage: Int, requests: Int, occurrences: Int, rate: Double) {
    self.stage = stage
    self.requests = requests
    self.occurrences = occurrences
    self.rate = rate
  }
}
