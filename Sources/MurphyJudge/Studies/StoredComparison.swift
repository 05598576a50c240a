import MurphyModel

/// Compares stored results: rejects results that are not comparable, judges the rest.
package struct StoredComparison: Sendable {
  /// Judges runs that are comparable.
  package var judge: StoredJudge
  /// The required number of the candidate's runs. One is enough where the base's runs alone show how much runs differ.
  package var fewestCandidates: Int

  package init(_ judge: StoredJudge, fewestCandidates: Int = 2) {
    self.judge = judge
    self.fewestCandidates = fewestCandidates
  }

  /// A result with the name of its file.
  package struct Run: Sendable {
    /// The path of the file.
    package var file: String
    /// As read from the file.
    package var result: RunResult

    package init(file: String, result: RunResult) {
      self.file = file
      self.result = result
    }
  }

  /// Names the reasons if the runs are not comparable.
  package func result(base: [Run], candidate: [Run]) -> CompareResult {
    let all = base + candidate
    var result = CompareResult(
      mode: .stored, scenario: all.first?.result.run.scenario ?? "", base: side(base), candidate: side(candidate))
    let unfit = Self.unfit(all)
    if !unfit.isEmpty { result.verdict = .invalid }
    // All reasons at once, so that a repeated run is not rejected for a second reason.
    result.reasons = unfit + refusals(base: base, candidate: candidate)
    guard result.reasons.isEmpty else { return result }
    var operations: [String] = []
    for operation in all.flatMap(\.result.operations) where !operations.contains(operation.operation) {
      operations.append(operation.operation)
    }
    operations.removeAll { name in
      all.allSatisfy { $0.result.operations.first { $0.operation == name }?.requests ?? 0 == 0 }
    }
    if let control = judge.control, !operations.contains(control) {
      result.reasons = ["the results do not contain the control operation \"\(control)\""]
      return result
    }
    result.operations = judge.operationRows(
      base: base.map { Self.samples($0.result) }, candidate: candidate.map { Self.samples($0.result) },
      operations: operations)
    result.findings = FindingChanges(
      base: base.map(\.result.findings), candidate: candidate.map(\.result.findings), isPaired: false)
    result.coverageLost = CoverageItem.lost(
      base: base.map(\.result.coverage.items), candidate: candidate.map(\.result.coverage.items))
    result.limitsChanged = LimitChange.changes(
      base: base.first?.result.limits ?? [], candidate: candidate.first?.result.limits ?? [])
    result.conclude()
    return result
  }

  private func side(_ runs: [Run]) -> CompareSide {
    var side = CompareSide(sources: runs.map(\.file))
    side.requests = runs.reduce(0) { $0 + $1.result.ledger.sent }
    side.sessions = runs.reduce(0) { $0 + $1.result.sessions.reduce(0) { $0 + $1.started } }
    side.machine = runs.first?.result.run.machine
    return side
  }

  private static func samples(_ result: RunResult) -> [String: ArmSample] {
    let sessions = result.sessions.reduce(0) { $0 + $1.started }
    let pairs = result.operations.map {
      ($0.operation, ArmSample($0, sessions: sessions, over: result.run.duration))
    }
    return Dictionary(pairs) { first, _ in first }
  }

  /// Runs whose numbers do not measure the API.
  private static func unfit(_ runs: [Run]) -> [String] {
    runs.compactMap { run in StoredHeader(run).incomplete.map { "\(run.file): \($0)" } }
  }

  /// The reasons why these runs are not repetitions of the same measurement.
  private func refusals(base: [Run], candidate: [Run]) -> [String] {
    var reasons: [String] = []
    let fewest = fewestCandidates
    for (name, runs, least) in [("base", base, 2), ("candidate", candidate, fewest)] where runs.count < least {
      let sides = fewest > 1 ? "at least two runs on each side" : "at least two runs"
      reasons.append(
        "the \(name) has \(runs.count == 1 ? "one run" : "no run"): give \(sides)"
          + (name == "base" ? "; to detect a 5% change, give ten base runs" : "")
      )
    }
    let all = base + candidate
    func demand(_ what: String, _ value: (RunInfo) -> String) {
      guard let first = all.first, let other = all.first(where: { value($0.result.run) != value(first.result.run) })
      else { return }
      reasons.append(
        "the \(what) differs: \(value(first.result.run)) in \(first.file), \(value(other.result.run)) in \(other.file)")
    }
    demand("scenario") { $0.scenario }
    demand("load") { $0.load.map(\.text).joined(separator: ", ") }
    demand("seed") { String($0.seed) }
    demand("machine class") { $0.machine }
    demand("version of murphy") { $0.murphy }
    for (number, run) in all.enumerated() {
      guard let twin = all.prefix(number).first(where: { $0.result.run == run.result.run }) else { continue }
      reasons.append("\(twin.file) and \(run.file) are the same run")
      break
    }
    return reasons
  }
}

extension CoverageItem {
  /// The coverage of any run of the base that no run of the candidate has.
  package static func lost(base: [[CoverageItem]], candidate: [[CoverageItem]]) -> [CoverageItem] {
    func name(_ item: CoverageItem) -> [String] { [item.kind, item.operation, item.name] }
    let seen = Set(candidate.joined().filter { $0.count > 0 }.map(name))
    var lost: [CoverageItem] = []
    var places: [[String]: Int] = [:]
    for item in base.joined() where item.count > 0 && !seen.contains(name(item)) {
      if let place = places[name(item)] {
        lost[place].count += item.count
      } else {
        places[name(item)] = lost.count
        lost.append(item)
      }
    }
    return lost
  }
}
