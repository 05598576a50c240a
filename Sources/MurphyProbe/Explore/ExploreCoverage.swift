import MurphyContract
import MurphyHTTP
import MurphyModel
import MurphyScenario
import MurphySchema

/// The tested part of the contract.
struct ExploreCoverage: Sendable {
  private let setting: ExploreConfiguration
  private var table: [Int: ExploredOperation] = [:]
  private var statuses: [Int: Set<Int>] = [:]
  private var wanted: [Int: Set<String>] = [:]
  private var done: [Int: Set<String>] = [:]
  private var parameters: [Int: Set<String>] = [:]
  /// By operation: the types and places of fields in its responses.
  private var fields: [Int: Set<String>] = [:]
  private var news: [Int: Double] = [:]
  private(set) var called: Set<Int> = []

  init(_ setting: ExploreConfiguration) {
    self.setting = setting
    for index in setting.operations { include(index) }
  }

  mutating func saw(_ performed: CaseRunner.Performed) {
    guard performed.call.method == nil else { return }
    let operation = performed.call.operation
    called.insert(operation)
    guard performed.status > 0 else { return }
    if statuses[operation, default: []].insert(performed.status).inserted { news[operation, default: 0] += 1 }
    let known = fields[operation]?.count ?? 0
    performed.json?.addFields(to: &fields[operation, default: []], at: "\(performed.status)", depth: 0)
    if (fields[operation]?.count ?? 0) > known { news[operation, default: 0] += 1 }
  }

  /// True if every operation that needs no item was called, and the target has none of the called paths.
  var isNowhere: Bool {
    setting.operations.allSatisfy { called.contains($0) || setting.contract.operations[$0].path.contains("{") }
      && BasePath.isWrong(
        statuses.map { BasePath.Called(path: setting.contract.operations[$0.key].path, statuses: $0.value) })
  }

  /// The news of an operation since the last call: new statuses, new fields of responses, and half of the newly
  /// decided constraints.
  mutating func takeNews(of operation: Int) -> Double { news.removeValue(forKey: operation) ?? 0 }

  mutating func reached(_ operation: Int, status: Int) {
    table[operation]?.status = status
    table[operation]?.succeeded = setting.isSuccess(status, of: operation)
  }

  mutating func planned(_ one: ExploreCase) { wanted[one.call.operation, default: []].insert(one.key) }

  /// Removes a case from the plan: its request would change an item that explore has not created.
  mutating func withdraw(_ one: ExploreCase) {
    listed(one.call.operation, -1)
    wanted[one.call.operation]?.remove(one.key)
  }

  mutating func include(_ operation: Int) {
    table[operation] = ExploredOperation(operation: setting.contract.operations[operation].id)
  }

  mutating func skip(_ operation: Int) { table[operation] = nil }

  /// Records more cases and lifecycles of the operation.
  mutating func listed(_ operation: Int, _ count: Int) { table[operation]?.decided?.of += count }

  /// True if an earlier case has decided the same constraint.
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
    let isNew = done[operation, default: []].insert(one.key).inserted
    if isNew, wanted[operation]?.contains(one.key) == true { news[operation, default: 0] += 0.5 }
    let isParameter = ["query ", "header ", "path ", "cookie "].contains { one.place.hasPrefix($0) }
    let isSingle = one.category == .positive || one.category == .negative
    if isParameter, isSingle,
      setting.contract.operations[operation].parameters.contains(where: { one.place.hasSuffix(" " + $0.name) })
    {
      parameters[operation, default: []].insert(one.place)
    }
  }

  /// - Parameter limited: by operation, the planned cases that were not tried because of a rate limit.
  /// - Returns: in the contract's order.
  func rows(limited: [Int: Int] = [:]) -> [ExploredOperation] {
    setting.operations.compactMap { index in
      guard var row = table[index] else { return nil }
      let delayed = min(limited[index] ?? 0, row.untried)
      if delayed > 0 { row.undecided?[Undecided.limited.rawValue, default: 0] += delayed }
      row.statuses = (statuses[index] ?? []).sorted()
      row.constraints = CountOf(
        done: done[index]?.intersection(wanted[index] ?? []).count ?? 0, of: wanted[index]?.count ?? 0)
      return row
    }
  }

  var line: String {
    let rows = rows()
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

extension JSONValue {
  /// The maximum number of fields and the maximum depth that count as news.
  private static let (mostFields, deepest) = (500, 4)

  fileprivate func addFields(to fields: inout Set<String>, at place: String, depth: Int) {
    guard fields.count < Self.mostFields, depth <= Self.deepest else { return }
    fields.insert("\(place): \(typeName)")
    switch self {
    case .object(let object):
      for member in object.members {
        member.value.addFields(to: &fields, at: "\(place)/\(member.key)", depth: depth + 1)
      }
    case .array(let items):
      for item in items.prefix(3) { item.addFields(to: &fields, at: "\(place)/*", depth: depth + 1) }
    default: break
    }
  }
}

extension ExploreCase {
  fileprivate var key: String { "\(place) \(constraint)" }
}

/// The reason why a response does not decide its case.
enum Undecided: String {
  case limited = "rate limited"
  case credentials = "credentials rejected"
  case missing = "item missing"
  case outage = "server unavailable"
  case unanswered = "no response"
  case existing = "item existed before"
  case failed = "request rejected"
  case redirected = "redirected"
  case waiting = "item waits for review"
  case unprepared = "an earlier request failed"
  case unwritable = "request without a known value"
  case full = "no time to delete another item"

  /// - Returns: nil for a response that decides the case.
  init?(_ one: ExploreCase, _ performed: CaseRunner.Performed, _ contract: Contract) {
    let operation = contract.operations[performed.call.operation]
    switch performed.status {
    case 0: self = .unanswered
    // It is unknown if the target of the redirect accepts the request.
    case 300..<400 where performed.status != 304:
      guard one.expectation == .refused || !operation.redirects(by: performed.status) else { return nil }
      self = .redirected
    case 429: self = .limited
    case 502, 503, 504: self = .outage
    case 401, 403:
      guard one.category != .auth, performed.call.caller == .own, !operation.isOpen else { return nil }
      self = .credentials
    case 404, 410:
      guard one.isAboutContent, !one.place.contains("path "), !one.call.path.isEmpty else { return nil }
      self = .missing
    default: return nil
    }
  }
}

extension ExploreCase {
  /// True if it tests a value or a header of a request for an existing item.
  fileprivate var isAboutContent: Bool {
    guard category != .auth, category != .state, expectation != .methodRefused else { return false }
    // If the body names another item and that item is missing, this is the response.
    return place.split(separator: "/").last.map { BodyNames.isReference(String($0)) } != true
  }
}
