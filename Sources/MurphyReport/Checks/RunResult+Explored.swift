import MurphyModel

extension Exploration {
  /// The steps that would decide more, by the reason why cases are undecided.
  func advice(_ findings: [Finding]) -> String {
    func lacks(_ statuses: Set<Int>, _ reason: String) -> Bool {
      operations.contains { row in
        !row.succeeded && statuses.contains(row.status) || (row.undecided?[reason] ?? 0) > 0
      }
    }
    var advice: [String] = []
    if lacks([401, 403], "credentials rejected") { advice.append("Provide credentials that the API accepts.") }
    if lacks([429], "rate limited") { advice.append("Raise the API's rate limits for this test.") }
    if findings.contains(where: { $0.kind == .transportBodyLimit }) {
      advice.append("Use test data with shorter response bodies.")
    }
    if operations.contains(where: { $0.untried > 0 }) || untried.contains(where: { $0.hasPrefix("--max-") }) {
      advice.append("Raise --max-seconds or --max-requests.")
    }
    return advice.isEmpty ? "Provide the missing input of each undecided check." : advice.joined(separator: " ")
  }
}

extension RunResult {
  /// One check per tested operation of an exploration: valid requests are accepted, invalid requests are rejected.
  func exploreChecks(_ list: FindingList) -> [Check] {
    guard let explored else { return [] }
    let broken = list.numbers(of: .explore)
    return explored.operations.compactMap { row in
      let tried =
        "\(row.decision), \(row.constraints.done) of \(counted(row.constraints.of, "constraint")) of the contract"
      func check(_ state: CheckState, _ sentence: String, _ findings: [Int] = []) -> Check {
        Check(
          .explore, "\(row.operation) accepts and rejects as documented", state, sentence, subject: row.operation,
          findings: findings)
      }
      if let found = broken[row.operation] { return check(.failed(trials: row.trials), tried, found) }
      if row.trials == 0 {
        let isLimited = row.status == 429 ? "its minimal valid request was rate limited, so no case was planned" : nil
        return check(.notTested, row.decided?.of == 0 ? isLimited ?? "no case was tried" : tried)
      }
      guard row.succeeded else {
        return check(.notTested, "\(tried); no request succeeded, so rejections prove nothing")
      }
      return check(CheckState(trials: row.trials, isOpen: row.isMostlyUndecided), tried)
    }
  }
}
