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
