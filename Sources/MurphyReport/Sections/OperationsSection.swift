import MurphyModel

/// Two rows per operation: the outcomes of its requests, and its latency.
struct OperationsSection: ReportSection {
  static let id = "operations"
  static let title = "Operations"

  let result: RunResult

  private static let rowsShown = 300

  var count: Int? { result.calledOperations.count }

  var blocks: [Block] {
    let called = result.calledOperations
    if !called.isEmpty {
      Block.lead(
        "Each request counts once, in the first column that matches. Violating: the response breaks the contract, a "
          + "rule of HTTP, or an expectation of its step. Unchecked: murphy could not check the response completely. "
          + "Refused: a rate limit rejected the request. Errors: the response has another 4xx or 5xx status that the "
          + "step does not expect. Ok: every other response. Unanswered: the request got no complete response.")
      Block.table(.ends(called), most: Self.rowsShown)
    }
    let uncalled = result.operations.filter { $0.requests == 0 }
    if !uncalled.isEmpty {
      let names = uncalled.prefix(20).map(\.operation).joined(separator: ", ")
      Block.text(
        "Never called: \(names)\(uncalled.count > 20 ? " and \(uncalled.count - 20) more." : ".")", style: "cut")
    }
    if !called.isEmpty {
      let order = OutlierRanking(Array(called.prefix(Self.rowsShown)))
      Block.heading("Latency")
      Block.lead(
        "Large numbers are the latency, which starts at the scheduled send time. Small numbers are the service time, "
          + "which starts at the actual send. If the two differ much, requests waited in a queue. A range such as 1.5 "
          + ".. 1.7 means that some requests had no response, or that murphy sent them late."
          + (order.ratios.isEmpty ? "" : " The operations with the highest p95 compared with the others come first."))
      ReportTable.latency(order.ranked, order)
      PhaseTable(operations: order.ranked).blocks
    }
  }
}

extension RunResult {
  /// The operations that the run sent requests to, in the contract's order.
  package var calledOperations: [OperationResult] { operations.filter { $0.requests > 0 } }
}

/// A row per kind of session.
struct SessionsSection: ReportSection {
  static let id = "sessions"
  static let title = "Sessions"

  let result: RunResult

  var blocks: [Block] {
    if !result.sessions.isEmpty {
      Block.lead(
        "Left: an `on:` rule ended the session. Failed: a step or a template failed. Unfinished: the session was "
          + "still running after the load and its grace period. Unfinished sessions count neither as completed nor as "
          + "failed.")
      ReportTable.sessions(result.sessions)
      result.run.fixtures.map { Block.text(Phrase($0)) }
      if let tags = result.tags, !tags.isEmpty { ReportTable.tags(tags) }
    }
  }
}

/// The slowdown of each operation compared with all others together: the ratio of their 95th percentiles.
///
/// A figure for all operations hides one slow operation, so the report names it.
package struct OutlierRanking: Sendable {
  /// By operationId; empty without responses of its own or of others.
  package let ratios: [String: Double]
  /// The operations by descending ratio; those without a ratio come last, in their own order.
  package let ranked: [OperationResult]

  private static let percentile = 0.95
  /// Ratios below this only affect the order.
  private static let notable = 2.0

  package init(_ operations: [OperationResult]) {
    let own = operations.map { $0.latency.histogram.buckets }
    var all: [Int64: UInt64] = [:]
    for bucket in own.joined() { all[bucket.value, default: 0] += bucket.count }
    let values = all.keys.sorted()
    var ratios: [String: Double] = [:]
    for (operation, buckets) in zip(operations, own) {
      var rest = all
      for bucket in buckets { rest[bucket.value, default: 0] -= bucket.count }
      guard let slow = Self.quantile(buckets.map { ($0.value, $0.count) }),
        let usual = Self.quantile(values.map { ($0, rest[$0] ?? 0) }), usual > 0
      else { continue }
      ratios[operation.operation] = Double(slow) / Double(usual)
    }
    self.ratios = ratios
    ranked = operations.enumerated().sorted { left, right in
      let (a, b) = (ratios[left.element.operation] ?? 0, ratios[right.element.operation] ?? 0)
      return a == b ? left.offset < right.offset : a > b
    }.map(\.element)
  }

  private static func quantile(_ buckets: [(value: Int64, count: UInt64)]) -> Int64? {
    let total = buckets.reduce(0) { $0 + $1.count }
    guard total > 0 else { return nil }
    var rest = Double(total) * percentile
    return buckets.first { bucket in
      rest -= Double(bucket.count)
      return rest <= 0
    }?.value
  }

  /// `p95 is 12 × that of the others`; nil if it does not stand out.
  package func words(_ operation: OperationResult) -> String? {
    ratios[operation.operation].flatMap { ratio in
      ratio >= Self.notable ? "p95 is \(Figure.digits(ratio)) × that of the others" : nil
    }
  }
}
