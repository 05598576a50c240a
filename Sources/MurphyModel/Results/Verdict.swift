/// The final verdict of every run.
public enum Verdict: String, Sendable, Codable, CaseIterable {
  case pass
  /// The API failed a check.
  case fail
  /// The generator was the bottleneck, or the run was cut short: the API gets no verdict.
  case invalid
  /// A required budget, limit or check had too few samples.
  case noData = "no-data"
  /// One shard of a run was measured: `murphy merge` computes the verdict on all shards together.
  case shard

  /// The word printed last.
  public var word: String {
    switch self {
    case .pass: "PASS"
    case .fail: "FAIL"
    case .invalid: "INVALID"
    case .noData: "NO DATA"
    case .shard: "SHARD"
    }
  }

  /// The exit status of `murphy run`, unless the target was not reached: ``RunResult/exitStatus``.
  public var exitStatus: ExitStatus {
    switch self {
    case .pass, .shard: .pass
    case .fail: .fail
    case .invalid: .invalid
    case .noData: .noData
    }
  }
}

/// The exit status of the command, stable for scripts.
public enum ExitStatus: Int32, Sendable, Error {
  case pass = 0
  /// The API failed a check.
  case fail = 1
  /// Wrong usage, or an input file with mistakes.
  case usage = 2
  /// The target could not be reached.
  case unreachable = 3
  /// The generator was the bottleneck, or the run was cut short.
  case invalid = 4
  /// A required check had too few samples.
  case noData = 5
}

/// The samples of a check in which a violation would have been visible: at least one.
///
/// A response that was rate limited, redirected, unchecked or empty is not a trial. The same applies to a response
/// without the field that the check is about.
public struct Trials: Sendable, Hashable {
  /// At least 1.
  public let count: Int

  /// Nil for less than one: a check that no sample could have failed did not pass.
  public init?(_ count: Int) {
    guard count >= 1 else { return nil }
    self.count = count
  }
}

/// The result of a check. A passed check holds its trials, so that none can pass without.
public enum CheckState: Sendable, Hashable {
  case passed(Trials)
  case failed(trials: Int)
  /// Too few samples, or samples that do not decide it.
  case noData(trials: Int)
  /// No sample could have failed it.
  case notTested

  /// `notTested` without a trial; otherwise failed, no data or passed.
  ///
  /// - Parameters:
  ///   - trials: samples in which a violation would have been visible.
  ///   - isOpen: true if the samples do not decide it.
  package init(trials: Int, isBroken: Bool = false, isOpen: Bool = false) {
    guard !isBroken else {
      self = .failed(trials: max(trials, 0))
      return
    }
    guard let some = Trials(trials) else {
      self = .notTested
      return
    }
    self = isOpen ? .noData(trials: trials) : .passed(some)
  }

  /// The verdict of the row in the result.
  package var verdict: RowVerdict {
    switch self {
    case .passed: .pass
    case .failed: .fail
    case .noData: .noData
    case .notTested: .notTested
    }
  }

  /// Samples in which a violation would have been visible.
  package var trials: Int {
    switch self {
    case .passed(let trials): trials.count
    case .failed(let trials), .noData(let trials): trials
    case .notTested: 0
    }
  }

  /// The state of a stored row. A result of an earlier version has no trials: its passes are accepted.
  package init(_ verdict: RowVerdict, trials: Int?) {
    switch verdict {
    case .pass: self = Trials(trials ?? 1).map(CheckState.passed) ?? .notTested
    case .fail: self = .failed(trials: trials ?? 0)
    case .noData: self = .noData(trials: trials ?? 0)
    case .notTested: self = .notTested
    }
  }
}

/// The result of one check, in a word.
public enum RowVerdict: String, Sendable, Codable, Hashable {
  case pass
  case fail
  /// Samples that could have failed it were too few, or did not decide it.
  case noData = "no-data"
  /// No sample could have failed it.
  case notTested = "not-tested"

  /// True if the check has no verdict.
  package var isOpen: Bool { self == .noData || self == .notTested }
}

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
    case .connections: "At least \(limit) of the requests must reuse an open connection: \(sentence)"
    case .sessions: "Every session type must complete at least once: \(sentence)"
    case .recovery: "Goodput must return within \(limit): \(sentence)"
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
      : "The scenario requires coverage, but the baseline is missing. To write a baseline, run with --update-baseline."
  }
}
