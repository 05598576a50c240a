import Synchronization

/// The group and the arm of a slice in a comparison.
package struct TracedPart: Sendable, Hashable {
  package var group: Int
  package var isCandidate: Bool
  /// True for a slice that only warms up the target.
  package var isWarmUp: Bool

  package init(group: Int, isCandidate: Bool, isWarmUp: Bool) {
    (self.group, self.isCandidate, self.isWarmUp) = (group, isCandidate, isWarmUp)
  }
}

/// The runs whose requests a receiver of spans recognises by their trace ids.
package final class TracedRuns: Sendable {
  /// The request of a trace.
  package struct Request: Sendable, Hashable {
    /// The operationId.
    package var operation: String
    /// The part of a comparison to which the run belongs; nil for a run of its own.
    package var part: TracedPart?
    /// The span id of the request: the parent of the target's first span.
    package var span: UInt64
  }

  private struct Run: Sendable {
    let key: TraceKey
    let operations: [String]
    let part: TracedPart?
  }

  /// The newest first.
  private let runs = Mutex<[Run]>([])
  /// A comparison has a run for each slice; spans of older slices have all arrived.
  private static let most = 64

  /// Recognises no request yet.
  package init() {}

  /// Adds a run; its requests are recognised until 63 other runs have begun.
  package func add(_ key: TraceKey, operations: [String], part: TracedPart? = nil) {
    runs.withLock { runs in
      runs.insert(Run(key: key, operations: operations, part: part), at: 0)
      if runs.count > Self.most { runs.removeLast() }
    }
  }

  /// Nil for a trace that none of the runs began.
  package func request(high: UInt64, low: UInt64) -> Request? {
    runs.withLock { runs in
      for run in runs {
        guard let request = run.key.request(high: high, low: low) else { continue }
        guard run.operations.indices.contains(request.operation) else { return nil }
        return Request(
          operation: run.operations[request.operation], part: run.part, span: run.key.parent(of: low))
      }
      return nil
    }
  }
}
