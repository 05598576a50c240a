import MurphyContract
import MurphyModel
import MurphySchema

extension ScenarioReader {
  /// The cost of a request of a limit: a whole number, or an expression over one exchange; nil without the key and after
  /// reporting a mistake.
  func cost(_ node: MarkedValue?) -> Formula? {
    guard let node else { return nil }
    let outer = flow
    defer { flow = outer }
    flow = SessionFlow()
    flow.known = Set(ExchangeScope.names)
    guard let cost = formula(node, "cost") else { return nil }
    if cost.draws { return refuse("\"cost\" cannot use functions that generate random values", at: node) }
    if case .literal(let value) = cost.expression, ExchangeScope.cost(value) ?? 0 < 1 {
      return refuse(
        "cost must be a whole number from 1, or an expression such as ${count(body)}; found \(found(node))", at: node)
    }
    return cost
  }
}

/// The values of one exchange that the cost of a limit reads.
package struct ExchangeScope: Sendable {
  /// The parts of a request, as expressions name them. The response is `answer`.
  package static let names = ["body", "query", "path", "header"]

  private let formula: Formula

  package init(_ formula: Formula) { self.formula = formula }

  /// True if the expression reads a part of the request.
  package func reads(_ name: String) -> Bool { formula.expression.variables.contains { $0.name == name } }
  /// True if the expression reads the response.
  package var readsAnswer: Bool { formula.expression.readsAnswer }

  /// The cost of an exchange; nil if the exchange does not have it.
  ///
  /// - Parameters:
  ///   - parts: those of ``names`` that the expression reads and the request has.
  ///   - answer: nil without a response, or if the expression does not read it.
  package func cost(_ parts: [String: JSONValue], answer: LastAnswer?) -> Int? {
    let variables = formula.expression.variables
    var scope = Scope(variables: (variables.map(\.slot).max() ?? -1) + 1)
    for variable in variables { scope[variable] = parts[variable.name] }
    (scope.answer, scope.status) = (answer, answer?.status)
    var random = RandomSource(seed: 0)
    return (try? formula.evaluate(in: &scope, random: &random)).flatMap(Self.cost)
  }

  /// A whole number from 0, also as a string.
  static func cost(_ value: JSONValue) -> Int? {
    let number: Int? = if case .string(let text) = value { Int(text) } else { value.int }
    return number.flatMap { $0 < 0 ? nil : min($0, LimitCost.most) }
  }
}
