/// A row of the result for one check, as its judge creates it: the properties that all families share. Properties of
/// only one family are in its own type.
package protocol CheckRow: Sendable {
  /// The result, with its trials.
  var state: CheckState { get }
  /// Fingerprints of the findings that explain why it failed.
  var findings: [String] { get set }
  /// The run was required to decide it, and did not.
  var isOpen: Bool { get }
  /// Why it failed or is open: a sentence among the reasons of the verdict.
  var reason: String { get }
}

extension [any CheckRow] {
  /// The rows of one family, in their order.
  package func of<Row: CheckRow>(_ family: Row.Type) -> [Row] { compactMap { $0 as? Row } }

  /// Changes the rows of one family in place.
  package mutating func update<Row: CheckRow>(_ family: Row.Type, _ change: (inout Row) -> Void) {
    for index in indices {
      guard var row = self[index] as? Row else { continue }
      change(&row)
      self[index] = row
    }
  }
}

extension BudgetRow: CheckRow {
  package var isOpen: Bool { verdict.isOpen }

  package var reason: String {
    verdict == .fail
      ? "\(subject): \(statement)."
      : "\(subject) \(metric.name): \(undecided?.sentence ?? "there is no verdict on the budget of \(limit.text)")."
  }

  /// The operation, in words.
  package var subject: String { operation == "*" ? "all operations" : operation }

  /// `p95 is 400ms, over the budget of 300ms`, which the report states about the operation.
  package var statement: String {
    var row = self
    if let observed, observed.unit == .microseconds {
      row.observed?.low = shown(observed.low)
      row.observed?.high = observed.high.map(shown)
    }
    let verb = metric == .errors ? "are" : "is"
    return "\(metric.name) \(verb) \(row.observedText ?? "unknown"), \(isFloor ? "below" : "over") the budget of "
      + limit.text
  }

  /// A latency to three significant digits, as in tables, unless it then is on the other side of the limit.
  private func shown(_ microseconds: Double) -> Double {
    var step = 1.0
    while microseconds / step >= 1000 { step *= 10 }
    let rounded = (microseconds / step).rounded() * step
    return (rounded > limit.value) == (microseconds > limit.value) ? rounded : microseconds
  }
}

extension TrafficRow: CheckRow {
  package var isOpen: Bool { verdict.isOpen }
  package var reason: String { statement + "." }

  /// The requirement and the observation, as one sentence without its full stop.
  package var statement: String {
    switch kind {
    case .completed: "At least \(limit) of the sessions must end as scripted: \(sentence)"
    case .called: "Every operation that the scenario names must be called and succeed: \(sentence)"
    case .connections: "At least \(limit) of the requests must find a connection open: \(sentence)"
    case .sessions: "Every kind of session must complete at least once: \(sentence)"
    }
  }
}

extension LimitRow: CheckRow {
  /// The scenario requires this limit, and the run lacks the evidence that it is kept.
  package var isOpen: Bool {
    guard verdict == .inconclusive else { return false }
    if strength?.shortfall != nil { return true }
    return declaredBy == .scenario && (tests?.contains { $0.required && $0.outcome == .notTested } ?? true)
  }

  package var reason: String { "\(name): \(sentence)" }
}

extension StateRow: CheckRow {
  package var isOpen: Bool { verdict.isOpen }
  package var reason: String { sentence }
}

extension RelationRow: CheckRow {
  /// `off` counts as not tested.
  package var state: CheckState {
    switch outcome {
    case .kept: CheckState(trials: samples)
    case .broken: .failed(trials: samples)
    case .untested, .off: .notTested
    }
  }

  /// A scenario cannot require a relation to be tested.
  package var isOpen: Bool { false }
}

extension Coverage: CheckRow {
  package var isOpen: Bool { verdict?.isOpen == true }

  package var reason: String {
    items.isEmpty
      ? "The scenario requires coverage, but the contract has no elements to cover."
      : "The scenario requires coverage, but the baseline is missing. Write one with --update-baseline."
  }
}
