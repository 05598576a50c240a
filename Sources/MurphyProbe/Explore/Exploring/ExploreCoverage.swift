import MurphyContract
import MurphyModel

/// What of the contract was tried.
struct ExploreCoverage: Sendable {
  private let setting: ExploreConfiguration
  private var table: [Int: ExploredOperation] = [:]
  private var statuses: [Int: Set<Int>] = [:]
  private var wanted: [Int: Set<String>] = [:]
  private var done: [Int: Set<String>] = [:]
  private var parameters: [Int: Set<String>] = [:]

  init(_ setting: ExploreConfiguration) {
    self.setting = setting
    for index in setting.operations {
      table[index] = ExploredOperation(operation: setting.contract.operations[index].id)
    }
  }

  mutating func saw(_ performed: CaseRunner.Performed) {
    guard performed.call.method == nil, performed.status > 0 else { return }
    statuses[performed.call.operation, default: []].insert(performed.status)
  }

  mutating func reached(_ operation: Int, status: Int) {
    table[operation]?.status = status
    table[operation]?.succeeded = setting.isSuccess(status, of: operation)
  }

  mutating func planned(_ one: ExploreCase) { wanted[one.call.operation, default: []].insert(one.key) }

  mutating func skip(_ operation: Int) { table[operation] = nil }

  /// One more case or life of the operation is to be tried.
  mutating func listed(_ operation: Int) { table[operation]?.decided?.of += 1 }

  /// Whether it decides nothing that an earlier case has not decided.
  func isDecided(_ work: ExploreState.Work) -> Bool {
    guard case .trial(let one) = work, wanted[one.call.operation]?.contains(one.key) == true else { return true }
    return done[one.call.operation]?.contains(one.key) == true
  }

  mutating func undecided(_ operation: Int, _ why: Undecided) {
    table[operation]?.undecided?[why.rawValue, default: 0] += 1
  }

  mutating func tried(_ one: ExploreCase, undecided why: Undecided?) {
    let operation = one.call.operation
    table[operation]?.cases[one.category.rawValue, default: 0] += 1
    if let why { return undecided(operation, why) }
    table[operation]?.decided?.done += 1
    done[operation, default: []].insert(one.key)
    let isParameter = ["query ", "header ", "path ", "cookie "].contains { one.place.hasPrefix($0) }
    let isSingle = one.category == .positive || one.category == .negative
    if isParameter, isSingle,
      setting.contract.operations[operation].parameters.contains(where: { one.place.hasSuffix(" " + $0.name) })
    {
      parameters[operation, default: []].insert(one.place)
    }
  }

  /// In the contract's order.
  var rows: [ExploredOperation] {
    setting.operations.compactMap { index in
      guard var row = table[index] else { return nil }
      row.statuses = (statuses[index] ?? []).sorted()
      row.constraints = CountOf(
        done: done[index]?.intersection(wanted[index] ?? []).count ?? 0, of: wanted[index]?.count ?? 0)
      return row
    }
  }

  var line: String {
    let documented = setting.operations.map { index in
      setting.contract.operations[index].responses.compactMap { promise -> Int? in
        if case .exactly(let status) = promise.status { status } else { nil }
      }
    }
    let seen = zip(setting.operations, documented).reduce(0) { sum, pair in
      sum + pair.1.count { statuses[pair.0]?.contains($0) == true }
    }
    let places = setting.operations.reduce(0) { $0 + setting.contract.operations[$1].parameters.count }
    let constraints = rows.map(\.constraints)
    return [
      "\(rows.count(where: \.succeeded))/\(rows.count) operations", "\(seen)/\(documented.joined().count) statuses",
      "\(parameters.values.reduce(0) { $0 + $1.count })/\(places) parameters",
      "\(constraints.reduce(0) { $0 + $1.done })/\(constraints.reduce(0) { $0 + $1.of }) constraints",
    ].joined(separator: ", ")
  }
}

extension ExploreCase {
  fileprivate var key: String { "\(place) \(constraint)" }
}
