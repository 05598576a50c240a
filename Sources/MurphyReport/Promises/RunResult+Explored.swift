import MurphyModel

extension RunResult {
  /// One per operation that an exploration tried: what the contract allows is accepted, what it forbids is refused.
  func explorePromises(_ list: FindingList) -> [Promise] {
    guard let explored else { return [] }
    var broken: [String?: [Int]] = [:]
    for number in list.numbers(where: { $0.group == .explore }) {
      broken[list[number].operation, default: []].append(number)
    }
    return explored.operations.compactMap { row in
      let cases = row.cases.values.reduce(0, +)
      let tried =
        "\(counted(cases, "case")), \(row.constraints.done) of \(counted(row.constraints.of, "constraint")) of the contract"
      func promise(_ outcome: Promise.State, _ sentence: String, _ findings: [Int] = []) -> Promise {
        Promise(
          .explore, "\(row.operation) accepts and refuses as documented", outcome, sentence, subject: row.operation,
          findings: findings)
      }
      if let found = broken[row.operation] { return promise(.broken, tried, found) }
      if cases == 0 { return promise(.noData, "nothing was tried") }
      guard row.succeeded else {
        return promise(.unchecked, "\(tried); no request succeeded, so refusals say little")
      }
      return promise(.kept, tried)
    }
  }
}
