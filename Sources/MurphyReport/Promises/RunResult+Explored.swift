import MurphyModel

extension RunResult {
  /// One per operation that an exploration tried: what the contract allows is accepted, what it forbids is refused.
  func explorePromises(_ list: FindingList) -> [Promise] {
    guard let explored else { return [] }
    var broken: [String?: [Int]] = [:]
    for number in list.numbers(where: { $0.group == .explore }) {
      for operation in list[number].operations { broken[operation, default: []].append(number) }
    }
    return explored.operations.compactMap { row in
      let cases = row.cases.values.reduce(0, +)
      let tried =
        "\(counted(cases, "case")), \(row.constraints.done) of \(counted(row.constraints.of, "constraint")) of the contract"
      func promise(_ state: CheckState, _ sentence: String, _ findings: [Int] = []) -> Promise {
        Promise(
          .explore, "\(row.operation) accepts and refuses as documented", state, sentence, subject: row.operation,
          findings: findings)
      }
      if let found = broken[row.operation] { return promise(.failed(trials: cases), tried, found) }
      if cases == 0 { return promise(.notTested, "nothing was tried") }
      guard row.succeeded else {
        return promise(.notTested, "\(tried); no request succeeded, so rejections prove little")
      }
      return promise(CheckState(trials: cases), tried)
    }
  }
}
