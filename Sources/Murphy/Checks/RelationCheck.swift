import MurphyContract
import MurphyModel
import MurphyScenario

/// What `murphy check` says of relations: which ones are looked for in the answers of which operation, and why.
package enum RelationCheck {
  /// `relations looked for: listLaws 9, getLaw 2 (--relations lists them)`; nil where nothing is looked for.
  package static func summary(_ contract: Contract, _ wanted: RelationExpectation = RelationExpectation()) -> String? {
    let found = Dictionary(rows(contract, wanted).filter(\.isOn).map { ($0.operation, 1) }, uniquingKeysWith: +)
    let counts = contract.operations.compactMap { operation in found[operation.id].map { "\(operation.id) \($0)" } }
    guard !counts.isEmpty else { return nil }
    return "relations looked for: \(counts.joined(separator: ", ")) (--relations lists them)"
  }

  /// The table of `--relations`.
  package static func table(_ contract: Contract, _ wanted: RelationExpectation = RelationExpectation()) -> [String] {
    let rows = rows(contract, wanted)
    guard !rows.isEmpty else {
      return ["no relations: no operation answers with a list that can be asked for, or an item"]
    }
    let width = rows.map(\.operation.count).max() ?? 0
    let names = rows.map(\.rule.rawValue.count).max() ?? 0
    return rows.map { row in
      "\(pad(row.operation, width))  \(pad(row.rule.rawValue, names))  \(row.isOn ? "on " : "off")  (\(row.reason))"
    }
  }

  private struct Row {
    var operation: String
    var rule: RelationRule
    var isOn: Bool
    var reason: String
  }

  private static func rows(_ contract: Contract, _ wanted: RelationExpectation) -> [Row] {
    ContractRelations(contract, promises: wanted.lists).rows(contract).map { row in
      let id = contract.operations[row.operation].id
      let own = wanted[id]
      let isSwitchedOff = own.isOff || own.rules[row.rule] == false
      let needs = row.state == .on ? row.needs.map { "; needs \($0)" } ?? "" : ""
      return Row(
        operation: id, rule: row.rule, isOn: row.state == .on && !isSwitchedOff,
        reason: row.state == .on && isSwitchedOff ? "the scenario switches it off" : row.reason + needs)
    }
  }

  private static func pad(_ text: String, _ width: Int) -> String {
    text + String(repeating: " ", count: max(width - text.count, 0))
  }
}
