import MurphyModel

/// The steps that decide the open checks of a run: each reason has its own step.
struct UndecidedAdvice {
  let result: RunResult
  let open: [Check]

  /// Operations that were called, of which no request succeeded.
  private var failing: [OperationResult] {
    result.operations.filter { $0.undocumented != true && $0.outcomes.answered > 0 && $0.succeeded == 0 }
  }

  var text: String {
    let failing = failing
    let failed = Set(failing.map(\.operation))
    let uncalled = open.flatMap { Self.uncalled($0) ?? [] }
    let rest = open.filter { check in
      guard Self.uncalled(check) == nil else { return false }
      guard let budget = check.row as? BudgetRow else { return !failed.contains(check.subject) }
      return budget.undecided?.cause != .nothingSucceeded && !(failed.union(uncalled).contains(budget.operation))
    }
    let limits = rest.filter { $0.family == .limit }
    // A limit on requests in flight has no time window.
    let (windows, flights) = (limits.filter { !$0.isInFlight }, limits.filter { $0.isInFlight })
    let others = rest.filter { ![.limit, .state].contains($0.family) && !$0.isComparison }
    let isShort = others.contains { $0.outcome == .noData }
    let isBusy = !result.generator.shownDoubts.isEmpty
    let steps = [
      step(failing.filter { $0.isShutOut }.map(\.operation)) {
        "Provide credentials that the API accepts for \($0)."
      },
      step(failing.filter { !$0.isShutOut }.map { "\($0.operation) (\($0.endings))" }) {
        "Find out why no request succeeded: \($0)."
      },
      step(uncalled) { "Make sure that sessions call \($0) before the load ends." },
      step(others.filter { $0.outcome == .notTested }.map(\.subject)) {
        "Add scenario steps whose requests provide data for these checks: \($0)."
      },
      step(windows.filter { $0.firstMissing.isUsual }.map(\.subject)) {
        "For \($0): send more requests than the quota with one limit key, in a run longer than the time window."
      },
      step(windows.filter { $0.firstMissing == .length }.map(\.subject)) {
        "For \($0): use up the quota of one limit key, and send requests just before and just after the window ends."
      },
      step(windows.filter { $0.firstMissing == .key }.map(\.subject)) {
        "For \($0): use up the quota of one limit key, and let another key call the same operations in that window."
      },
      step(windows.filter { $0.firstMissing == .algorithm }.map(\.subject)) {
        "For \($0): use up the quota of one limit key early and late in a window, or run `murphy limits`."
      },
      step(flights.map(\.subject)) {
        """
        For \($0): send more requests at the same time than the limit permits. If the run did so, the API may have a \
        higher limit.
        """
      },
      step(rest.filter { $0.family == .state }.map(\.subject)) {
        "Add steps that read what the run writes. Undecided invariants: \($0)."
      },
      rest.contains(where: \.isComparison) ? comparing : nil,
      isShort ? "Run longer (--duration)\(isBusy ? "." : ", or increase the load (--load).")" : nil,
      isShort && isBusy ? "Do not increase the load, because murphy itself was near its limits." : nil,
    ].compactMap(\.self)
    return steps.isEmpty ? "Start with the first undecided check." : steps.joined(separator: " ")
  }

  /// A run with another load or duration is not comparable with the earlier runs.
  private var comparing: String {
    result.regression?.folder == nil
      ? "Compare with more earlier runs: they show how much runs differ by chance."
      : "Repeat the same command. The comparison needs more results in the folder of the baseline."
  }

  private func step(_ names: [String], _ sentence: (String) -> String) -> String? {
    guard !names.isEmpty else { return nil }
    let more = names.count > 3 ? " and \(names.count - 3) more" : ""
    return sentence(names.prefix(3).joined(separator: ", ") + more)
  }

  /// The operations that no session called, by the check that requires that; nil for other checks.
  private static func uncalled(_ check: Check) -> [String]? {
    // An exception with a count is an operation that was called.
    (check.row as? TrafficRow).flatMap { row in
      row.kind == .called ? row.exceptions.filter { $0.count == 0 }.map(\.reason) : nil
    }
  }
}

extension Check {
  /// The first property of a rate limit that the run must test and did not test.
  fileprivate var firstMissing: LimitAspect {
    let tests = (row as? LimitRow)?.tests ?? []
    return tests.first { $0.required && $0.outcome == .notTested }?.test.aspect ?? .allowance
  }

  fileprivate var isInFlight: Bool { (row as? LimitRow).map { $0.allowance != nil && $0.window == nil } ?? false }
}

extension OperationResult {
  /// True if each response rejected the credentials.
  fileprivate var isShutOut: Bool { !statuses.isEmpty && statuses.allSatisfy { [401, 403].contains($0.status) } }
}
