import MurphyContract
import MurphyHTTP
import MurphyModel
import MurphyScenario
import MurphySchema

/// The costs that the limits of a scenario declare for requests.
struct LimitCosts: Sendable {
  private struct Cost: Sendable {
    let text: String
    let expression: ExchangeScope
  }

  /// By operation; most have none.
  private let byOperation: [[Cost]]
  private let paths: [PathShape]

  /// Nil if no limit declares a cost.
  init?(_ limits: [LimitExpectation], _ contract: Contract) {
    let costs = limits.compactMap { limit in
      limit.cost.map { (limit.policy, Cost(text: $0.source, expression: ExchangeScope($0))) }
    }
    guard !costs.isEmpty else { return nil }
    byOperation = contract.operations.map { operation in
      costs.filter { $0.0.covers(operation.countsAs ?? operation.id) }.map(\.1)
    }
    paths = zip(contract.operations, byOperation).map { PathShape($0.path, isUsed: !$1.isEmpty) }
  }

  func concerns(_ operation: Int) -> Bool { !byOperation[operation].isEmpty }

  /// The known costs of a request, by the expression.
  ///
  /// - Parameter answer: nil without a response.
  func costs(of request: HTTPRequest, _ operation: Int, _ answer: LastAnswer?) -> [String: Int] {
    var parts: [String: JSONValue] = [:]
    var costs: [String: Int] = [:]
    for cost in byOperation[operation] {
      for name in ExchangeScope.names where parts[name] == nil && cost.expression.reads(name) {
        parts[name] = part(name, of: request, operation)
      }
      costs[cost.text] = cost.expression.cost(parts, answer: cost.expression.readsAnswer ? answer : nil)
    }
    return costs
  }

  private func part(_ name: String, of request: HTTPRequest, _ operation: Int) -> JSONValue? {
    switch name {
    case "body": return request.body.flatMap { try? JSONValue.parse($0) }
    case "path": return .object(paths[operation].values(in: request.target))
    case "header":
      var fields = JSONObject()
      for field in request.headers { fields[field.name.lowercased()] = .string(field.value) }
      return .object(fields)
    default:
      var pairs = JSONObject()
      let query = request.target.split(separator: "?", maxSplits: 1).dropFirst().first ?? ""
      for pair in query.split(separator: "&") {
        let sides = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        pairs[PercentEncoding.decode(form: sides[0])] = .string(
          sides.count > 1 ? PercentEncoding.decode(form: sides[1]) : "")
      }
      return .object(pairs)
    }
  }
}
