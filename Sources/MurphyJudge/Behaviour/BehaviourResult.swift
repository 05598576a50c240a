import MurphyModel

/// The result of a comparison of responses.
package struct BehaviourResult: Sendable, Codable {
  /// The format and its version.
  package var format = "murphy-responses/1"
  /// `fail` for a difference that is not noise, `no-data` if an operation was not compared.
  package var verdict = Verdict.noData
  /// Sentences, the most important first.
  package var reasons: [String] = []
  /// The name of the scenario.
  package var scenario: String
  /// The version that works.
  package var base: CompareSide
  /// The version to test.
  package var candidate: CompareSide
  /// The seed of the sessions, equal in all runs.
  package var seed: UInt64
  /// The number of sessions in each run.
  package var sessions: Int
  /// The number of runs of the base.
  package var baseRuns = 0
  /// The number of runs of the candidate.
  package var candidateRuns = 0
  /// True if both targets were restarted before each run.
  package var restarts: Bool
  /// Including restarts.
  @InSeconds package var duration = Duration.zero
  /// In the order of their first request.
  package var operations: [BehaviourOperation] = []
  /// By operation.
  package var changes: [BehaviourChange] = []
  /// Places that are not compared, because they differ between two runs of the base, or because the user ignores them.
  package var notCompared: [UncomparedPlace] = []

  package init(scenario: String, base: CompareSide, candidate: CompareSide, seed: UInt64, sessions: Int, restarts: Bool)
  {
    (self.scenario, self.base, self.candidate) = (scenario, base, candidate)
    (self.seed, self.sessions, self.restarts) = (seed, sessions, restarts)
  }

  /// Sets the verdict from the operations and the changes.
  mutating func conclude() {
    let untested = operations.filter { $0.requests > 0 && $0.gap != nil }
    let (compared, requests) = (
      operations.reduce(0) { $0 + $1.pairs }, operations.reduce(0) { $0 + max($1.requests, $1.pairs) }
    )
    verdict = .pass
    if !changes.isEmpty {
      verdict = .fail
      reasons += changes.map(\.finding.headline)
    }
    var gaps = untested.map { "not tested: \($0.operation): \($0.gap ?? "")" }
    if compared == 0 { gaps.append("no pair of responses was comparable") }
    if compared > 0, 2 * compared < requests {
      gaps.append("only \(compared) of \(requests) pairs of responses were comparable")
    }
    if verdict == .pass, !gaps.isEmpty { verdict = .noData }
    reasons += gaps
  }
}

/// The comparable responses of one operation.
package struct BehaviourOperation: Sendable, Codable, Hashable {
  /// The operationId.
  package var operation: String
  /// Requests of the base in the runs that have a counterpart.
  package var requests = 0
  /// Pairs of responses that were compared.
  package var pairs = 0
  /// Pairs in which both statuses are below 400.
  package var successes = 0
  /// Why pairs were not comparable, with their number.
  package var incomparable: [String] = []
  /// Why the operation was not tested; nil if it was.
  package var gap: String?
}

/// A difference between base and candidate that is not noise: all occurrences with the same cause.
package struct BehaviourChange: Sendable, Codable {
  /// The finding with the candidate's exchange.
  package var finding: Finding
  /// `status`, `header etag`, `/data/*/score`.
  package var place: String
  /// Pairs of responses with the difference.
  package var responses: Int
  /// Pairs of responses of the operation.
  package var compared: Int
  /// The exchange of the base with the same request.
  package var base: Exchange
  /// The exchange of the candidate.
  package var candidate: Exchange
  /// The place in the base's body; nil for the status and headers.
  package var basePointer: String?
  /// The place in the candidate's body.
  package var candidatePointer: String?
}

/// A place that was not compared.
package struct UncomparedPlace: Sendable, Codable, Hashable {
  /// The operationId.
  package var operation: String
  /// `/data/*/created_at`
  package var place: String
  /// The property that was not compared.
  package var aspect: BehaviourAspect
  /// The reason, in a sentence.
  package var reason: String
}
