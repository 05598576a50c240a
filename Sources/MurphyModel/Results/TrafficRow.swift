/// One promise about the run's own traffic: that its sessions end as scripted and that nothing it names stays
/// untested. Every run makes these promises; a scenario changes them or switches them off.
public struct TrafficRow: Sendable, Codable, Hashable {
  public enum Kind: String, Sendable, Codable, Hashable, CaseIterable {
    /// The share of the sessions that ended which ended as scripted.
    case completed
    /// Every operation that a step of the run's sessions names is called at least once.
    case called
    /// Every kind of session of the run completes at least once.
    case sessions
  }

  public var kind: Kind
  /// As the scenario says it: `99%` for `completed`, `all` or the names for the others.
  public var limit: String
  /// How many of `samples` kept it: sessions, operations, or kinds of session.
  public var met: Int
  /// Sessions that ended, operations named, or kinds of session.
  public var samples: Int
  /// What did not keep it, most frequent first: the reasons of sessions that ended early with their counts, operations
  /// that were never called (0), or kinds of session that never completed with the sessions of it that began.
  public var exceptions: [ReasonCount]
  public var sentence: String
  public var verdict: RowVerdict
  /// Fingerprints of the findings that tell why it is broken.
  public var findings: [String] = []

  public init(
    kind: Kind, limit: String, met: Int, samples: Int, exceptions: [ReasonCount], sentence: String,
    verdict: RowVerdict
  ) {
    self.kind = kind
    self.limit = limit
    self.met = met
    self.samples = samples
    self.exceptions = exceptions
    self.sentence = sentence
    self.verdict = verdict
  }
}
