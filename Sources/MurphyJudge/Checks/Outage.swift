import MurphyModel

/// A stretch in which the target did not respond although requests were sent.
package struct Outage: Sendable, Hashable {
  /// Seconds since the run's start: the last response before it, or the first request without a response.
  package var from: Double
  /// The first response after it, or the last request without a response.
  package var until: Double
  /// True if the target responded again.
  package var isOver: Bool
  /// The requests that it cost, by the time of their send.
  package var losses: [LostRequest]

  package init(from: Double, until: Double, isOver: Bool, losses: [LostRequest]) {
    self.from = from
    self.until = until
    self.isOver = isOver
    self.losses = losses
  }

  /// `from 11.9 s to 14.2 s`, `from 11.9 s on (until 15 s)`
  package var text: String {
    isOver
      ? "from \(Self.seconds(from)) to \(Self.seconds(until))"
      : "from \(Self.seconds(from)) on (until \(Self.seconds(until)))"
  }

  /// The maximum of stretches in a message; its details contain all of them.
  static let named = 4

  /// `from 3 s to 4 s, from 7 s to 8 s and from 11.9 s on (until 15 s)`; of further ones, only their number.
  static func listed(_ stretches: [String]) -> String {
    let more = stretches.count - named
    let all = more > 0 ? stretches.prefix(named) + ["\(more) more times"] : stretches[...]
    return all.count == 1 ? all[0] : all.dropLast().joined(separator: ", ") + " and " + all[all.count - 1]
  }

  static func seconds(_ seconds: Double) -> String {
    let tenths = (seconds * 10).rounded() / 10
    return (tenths == tenths.rounded() ? "\(Int(tenths))" : "\(tenths)") + " s"
  }
}

extension [Outage] {
  /// True if the outages alone explain a failed check on errors, latency or sessions. Then it is a part of them and not
  /// a separate finding; its row stays failed.
  package func explain(_ finding: Finding, budgets: [Budget], record: RunRecord) -> Bool {
    guard !isEmpty else { return false }
    switch finding.kind {
    case .budgetErrors:
      let others = BudgetJudge.judge(
        budgets.filter { $0.metric == .errors && $0.operation == finding.operation ?? "*" },
        record: record.without(self))
      return others.allSatisfy { $0.verdict != .fail }
    case .budgetLatency:
      return BudgetJudge.judge(budgets, record: record).contains {
        $0.findings.contains(finding.fingerprint) && !BudgetJudge.isBroken($0, without: losses(of: $0, record))
      }
    case .trafficCompleted:
      // A session that fails has lost at least one request.
      return record.sessions.reduce(0) { $0 + $1.failedTotal } <= reduce(0) { $0 + $1.losses.count }
    case .trafficSessions: return record.operations.allSatisfy { $0.outcomes.answered == 0 }
    default: return false
    }
  }

  private func losses(of row: BudgetRow, _ record: RunRecord) -> [LostRequest] {
    flatMap(\.losses).filter { loss in
      row.operation == "*"
        || (record.operations.indices.contains(loss.operation)
          && record.operations[loss.operation].operation == row.operation)
    }
  }
}

extension RunRecord {
  /// The record as if the requests that outages cost had not been sent.
  fileprivate func without(_ outages: [Outage]) -> RunRecord {
    var record = self
    for loss in outages.flatMap(\.losses) where operations.indices.contains(loss.operation) {
      if loss.isCountedAsFailed {
        record.operations[loss.operation].outcomes.transport -= 1
      } else {
        record.operations[loss.operation].explained += 1
      }
      record.operations[loss.operation].sent -= 1
    }
    return record
  }
}

extension LostRequest {
  /// A request in flight at the end is not a failure of the transport.
  fileprivate var isCountedAsFailed: Bool { kind != nil && kind != .transportUnanswered }
}
