import Foundation
import MurphyContract
import MurphyModel

/// A first scenario for an API, out of its OpenAPI document: a session for each resource, in which answers give what later
/// requests need. It is meant to be read and changed.
package struct ScenarioDraft: Sendable {
  package struct Options: Sendable {
    /// The contract as the scenario names it: a path from the scenario's folder.
    package var contract: String
    package var target: String?
    /// What made the scenario; nil for a draft out of the contract.
    var origin: String?
    /// Who comes, where the scenario is made of a file that tells it.
    var plan: DraftedPlan?
    /// Whether operations are called that change something.
    package var writes = false
    /// Which of those may be called; nil for the rule without a named operation.
    package var rule: WriteRule?
    /// Whether users ask for access tokens themselves where the contract says how (OAuth 2, client credentials).
    package var asksForTokens = true
    /// Where each user gets a token of its own; nil for one token of the environment.
    package var login: DraftLogin?
    /// Whether all users share a token, and the limits that are counted by it.
    package var sharesToken = false
    /// What was measured at the target, by operationId; empty where nothing was.
    package var measured: [MeasuredLatency] = []
    /// The share of the calm run's requests that were not open any more when it ended.
    package var answeredShare = 1.0
    package var isMeasured = false

    /// Operations of which no answer told of success when they were measured, with the statuses that came.
    package var refused: [String: [Int]] = [:]
    /// Operations that answered with 409: their samples are other ones for each user.
    package var conflicting: Set<String> = []
    /// Statuses of errors of operations that succeeded, too, when they were measured.
    package var errors: [String: [StatusCount]] = [:]
    /// Places whose items are named by the second field that names one, as paths cut into segments.
    package var secondNames: Set<[String]> = []
    /// Operations that users of a calm run never came to.
    package var unreached: Set<String> = []
    /// Operations whose responses 201 named one item twice: what they name may be another user's.
    package var repeating: Set<String> = []
    /// Why sessions of the calm run did not come to their last step, by session.
    package var endings: [String: String] = [:]

    /// With a smaller share of responses the server had a queue.
    package static let keepingUp = 0.8

    package init(contract: String) { self.contract = contract }
  }

  /// What a short calm run says of an operation.
  package struct MeasuredLatency: Sendable {
    package var operation: String
    package var answers: Int
    /// Seconds.
    package var p95: Double

    package init(operation: String, answers: Int, p95: Double) {
      (self.operation, self.answers, self.p95) = (operation, answers, p95)
    }
  }

  /// The scenario, YAML.
  package let text: String
  /// Operations without a step, each with the reason.
  package let left: [String]
  /// Operations that change something and were not asked for.
  package let unsafe: [String]
  /// Environment variables with credentials.
  package let variables: [String]
  /// How many operations have a step.
  package let called: Int

  /// The scenario of steps that are known.
  ///
  /// - Parameters:
  ///   - origin: what made it.
  ///   - left: what was not carried over.
  package static func text(
    _ contract: Contract, _ options: Options, origin: String, sessions: [(name: String, steps: [DraftedStep])],
    left: [String]
  ) -> String {
    var options = options
    options.origin = origin
    options.asksForTokens = false
    var page = DraftPage(contract: contract, options: options, sessions: sessions)
    page.note(left: left, unsafe: [], variables: contract.credentialVariables)
    return page.text
  }

  package init(_ contract: Contract, _ options: Options) {
    let producers = Producers(contract, second: options.secondNames)
    let rule = options.rule ?? WriteRule(contract)
    var sessions: [(name: String, steps: [DraftedStep])] = []
    var left: [SkippedOperation] = []
    var unsafe: [String] = []
    var wanted: [Int] = []
    var called: Set<String> = []
    for (index, operation) in contract.operations.enumerated() {
      if let mistake = operation.mistakes.first {
        left.append(.init(operation: operation.id, reason: "\(mistake.mark.text): \(mistake.message)"))
      } else if let reason = rule.exclusion(of: operation) {
        left.append(.init(operation: operation.id, reason: "\(reason); \(WriteRule.option(operation.id))"))
      } else if !WriteRule.isSafe(operation.method), !options.writes, !rule.isNamed(operation) {
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
      let steps = items.kept(draft.steps(for: operations, options)).withoutIdleSaves
      called.formUnion(steps.calls.map(\.operation))
      left += draft.left + items.left
      if !steps.isEmpty { sessions.append((name, steps)) }
    }
    sessions = Self.withGoneItems(sessions, contract)
    variables = contract.draftedVariables(options.asksForTokens).filter { $0 != options.login?.variable }
    // One that a step calls is not left out, and each is left out once.
    var named = called
    self.left = left.filter { named.insert($0.operation).inserted }.map { "\($0.operation): \($0.reason)" }
    (self.unsafe, self.called) = (unsafe, called.count)
    var options = options
    options.measured.removeAll { !called.contains($0.operation) }
    var page = DraftPage(contract: contract, options: options, sessions: sessions)
    page.note(left: self.left, unsafe: unsafe, variables: variables)
    text = page.text
  }

  /// The sessions, in which 404 is fine for items that a step of one of them deletes.
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
        guard let place = call.mayBeGone, deleted.contains(place + ["{}"]) else { return call }
        var call = call
        call.statuses.append(404)
        call.comment = call.comment ?? "another user may have deleted it"
        return call
      }
      return (session.name, steps)
    }
  }

  /// The path of the document's first server, without a slash at its end: `/api/v3`; empty for none.
  package static func basePath(_ contract: Contract) -> String {
    let url = contract.servers.first?.url() ?? ""
    let path = URLComponents(string: url)?.percentEncodedPath ?? ""
    return path.hasSuffix("/") ? String(path.dropLast()) : path
  }

  /// The operations by the first word of their path that tells them apart, in the document's order.
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
