import Foundation
import MurphyContract
import MurphyModel

/// A first scenario for an API, from its OpenAPI document. It has a session for each resource, in which responses
/// supply the values of later requests. Users should review and change it.
package struct ScenarioDraft: Sendable {
  /// The choices of the user.
  package struct Options: Sendable {
    /// The contract's path in the scenario, relative to the scenario's folder.
    package var contract: String
    /// The URL of the API; nil to leave it open.
    package var target: String?
    /// The creator of the scenario; nil for a draft from the contract.
    var origin: String?
    /// The load, if the source file of the scenario contains one.
    var plan: DraftedPlan?
    /// True if write operations are called.
    package var writes = false
    /// Decides which write operations may be called; nil for the rule without a named operation.
    package var rule: WriteRule?
    /// True if users request access tokens themselves, if the contract describes how (OAuth 2, client credentials).
    package var asksForTokens = true
    /// The operation from which each user gets its own token; nil for one token of the environment.
    package var login: DraftLogin?
    /// True if users send the cookies of responses back.
    package var keepsCookies = true
    /// True if all users share a token, and the limits that are counted by it.
    package var sharesToken = false
    /// The measurements at the target, by operationId; empty if there were none.
    package var measured: [MeasuredLatency] = []
    /// The share of the calm run's requests that had ended when the run ended.
    package var answeredShare = 1.0
    package var isMeasured = false

    /// Operations without a successful response in the measurement, with the received statuses.
    package var refused: [String: [Int]] = [:]
    /// By operationId: the start of the body of its first response with an error status.
    package var excerpts: [String: String] = [:]
    /// Reads that found no item of their list in a calm run: they read the session's own items.
    package var ownReads: Set<String> = []
    /// Operations that returned 409. Their samples are different for each user.
    package var conflicting: Set<String> = []
    /// Error statuses in the measurement, for operations that also succeeded.
    package var errors: [String: [StatusCount]] = [:]
    /// Places whose items are named by the second identifier field, as paths cut into segments.
    package var secondNames: Set<[String]> = []
    /// Operations that users of a calm run did not reach.
    package var unreached: Set<String> = []
    /// Operations whose 201 responses named one item twice: the item may belong to another user.
    package var repeating: Set<String> = []
    /// The reasons why sessions of the calm run did not reach their last step, by session.
    package var endings: [String: String] = [:]

    /// The server had a queue if its share of responses is smaller than this.
    package static let keepingUp = 0.8

    package init(contract: String) { self.contract = contract }
  }

  /// The measurement of an operation in a short calm run.
  package struct MeasuredLatency: Sendable {
    package var operation: String
    /// The number of responses that were measured.
    package var answers: Int
    package var p95: Duration

    package init(operation: String, answers: Int, p95: Duration) {
      (self.operation, self.answers, self.p95) = (operation, answers, p95)
    }
  }

  /// The scenario as YAML.
  package let text: String
  /// Operations without a step, each with the reason.
  package let left: [LeftOut]
  /// Write operations that the user did not request.
  package let unsafe: [String]
  /// Environment variables with credentials.
  package let variables: [String]
  /// The number of operations that have a step.
  package let called: Int
  /// By session: the operations that its steps call.
  package let operations: [String: Set<String>]
  /// The new sessions per second of its load.
  package let rate: Double

  /// The scenario for given steps.
  ///
  /// - Parameters:
  ///   - origin: its creator.
  ///   - left: the elements that were not imported.
  package static func text(
    _ contract: Contract, _ options: Options, origin: String, sessions: [(name: String, steps: [DraftedStep])],
    left: [String]
  ) -> String {
    var options = options
    options.origin = origin
    options.asksForTokens = false
    var page = DraftPage(contract: contract, options: options, sessions: sessions)
    page.addRemarks(left: left, unsafe: [], variables: contract.credentialVariables)
    return page.text
  }

  /// The same contract and options give the same draft.
  package init(_ contract: Contract, _ options: Options) {
    let rule = options.rule ?? WriteRule(contract)
    let producers = Producers(contract, rule, second: options.secondNames)
    var sessions: [(name: String, steps: [DraftedStep])] = []
    var left: [LeftOut] = []
    var unsafe: [String] = []
    var wanted: [Int] = []
    var called: Set<String> = []
    for (index, operation) in contract.operations.enumerated() {
      if let mistake = operation.mistakes.first {
        left.append(LeftOut(operation: operation.id, cause: .always("\(mistake.mark.text): \(mistake.message)")))
      } else if let reason = rule.exclusion(of: operation) {
        left.append(LeftOut(operation: operation.id, cause: .unlessNamed(reason)))
      } else if !rule.isRead(operation), !options.writes, !rule.isNamed(operation) {
        unsafe.append(operation.id)
      } else {
        wanted.append(index)
      }
    }
    let empty = SessionDraft(contract, producers, rule)
    for (name, operations) in Self.resources(contract, wanted) {
      var draft = empty
      draft.ending = options.endings[name]
      var items = OwnItems(contract, rule)
      let steps = items.kept(draft.steps(for: operations, options)).withoutIdleSaves.continued()
      called.formUnion(steps.calls.map(\.operation))
      left += draft.left + items.left
      if !steps.isEmpty { sessions.append((name, steps)) }
    }
    sessions = Self.withGoneItems(sessions, contract)
    variables = contract.draftedVariables(options.asksForTokens).filter { $0 != options.login?.variable }
    // An operation that a step calls is not left out, and each operation is listed once.
    var named = called
    self.left = left.filter { named.insert($0.operation).inserted }
    (self.unsafe, self.called) = (unsafe, called.count)
    var options = options
    options.measured.removeAll { !called.contains($0.operation) }
    let check = DraftCheck(DraftPage(contract: contract, options: options, sessions: sessions).text, contract)
    let commented = sessions.map { ($0.name, check.commented($0.steps)) }
    var page = DraftPage(contract: contract, options: options, sessions: commented)
    operations = Dictionary(sessions.map { ($0.name, Set($0.steps.calls.map(\.operation))) }) { $0.union($1) }
    rate = page.rate
    page.addRemarks(left: self.left.lines, unsafe: unsafe, variables: variables)
    text = page.text
  }

  /// The sessions, where 404 is accepted for items that a step of one of them deletes.
  private static func withGoneItems(
    _ sessions: [(name: String, steps: [DraftedStep])], _ contract: Contract
  ) -> [(name: String, steps: [DraftedStep])] {
    let deleted = Set(
      sessions.flatMap(\.steps.calls).compactMap { call -> [String]? in
        guard let index = contract.index(of: call.operation), contract.operations[index].method == "DELETE" else {
          return nil
        }
        return PathShape(contract.operations[index].path).segments
      })
    return sessions.map { session in
      let steps = session.steps.mapCalls { call in
        guard let path = call.mayBeGone, deleted.contains(path) else { return call }
        var call = call
        call.statuses.append(404)
        call.comment = call.comment ?? "this call can fail with 404, because another user may have deleted the item"
        return call
      }
      return (session.name, steps)
    }
  }

  /// The path of the document's first server, without a slash at its end: `/api/v3`; empty if there is none.
  package static func basePath(_ contract: Contract) -> String {
    let url = contract.servers.first?.url() ?? ""
    let path = URLComponents(string: url)?.percentEncodedPath ?? ""
    return path.hasSuffix("/") ? String(path.dropLast()) : path
  }

  /// The operations grouped by the first word of their path that differs, in the document's order.
  private static func resources(_ contract: Contract, _ operations: [Int]) -> [(name: String, operations: [Int])] {
    let paths = operations.map { PathShape(contract.operations[$0].path).segments }
    var common = 0
    while let first = paths.first, common + 1 < first.count, !first[common].contains("{}"),
      paths.allSatisfy({ $0.count > common + 1 && $0[common] == first[common] })
    { common += 1 }
    let isVersion = { (word: String) in word.wholeMatch(of: /api|rest|v[0-9]+([.][0-9]+)?/) != nil }
    var order: [String] = []
    var groups: [String: [Int]] = [:]
    for (operation, path) in zip(operations, paths) {
      let words = path.dropFirst(common).drop(while: isVersion)
      let name = words.first { !$0.contains("{}") } ?? path.last { !$0.contains("{}") } ?? "root"
      if groups[name] == nil { order.append(name) }
      groups[name, default: []].append(operation)
    }
    return order.map { ($0, groups[$0] ?? []) }
  }
}
