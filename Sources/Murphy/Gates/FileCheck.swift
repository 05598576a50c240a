import Foundation
import MurphyContract
import MurphyJudge
import MurphyModel
import MurphyScenario
import MurphyServer

/// Lints a scenario or an OpenAPI document; no load is sent.
package enum FileCheck {
  /// The outcome of a check.
  package struct Report: Sendable {
    /// The kind of the file, such as `scenario "Murphy's Laws release gate"`.
    package var subject: String
    /// Every error and warning, in the file's order.
    package var diagnostics: [Diagnostic]
    /// Nil if the file is not checked for relations.
    var check: RelationCheck?

    /// The relations to test, in a line; nil if there are none.
    package var relations: String? { check?.summary }
    /// All of them with the reasons, including those that are off.
    package var relationTable: [String] { check?.table ?? [] }
  }

  /// - Parameter target: the source of a contract that is a path of the target. No other request is sent there.
  package static func check(_ file: String, target: Target) async throws(GateError) -> Report {
    var options = RunOptions()
    options.target = target
    options.environment = ProcessInfo.processInfo.environment
    do throws(GateError) {
      let gate = try await Gate.load(file, options: options, toleratesMissingEnvironment: true)
      return report(gate, String(decoding: FileManager.default.contents(atPath: file) ?? Data(), as: UTF8.self))
    } catch {
      if case .mistakes(let diagnostics) = error { return Report(subject: "scenario", diagnostics: diagnostics) }
      throw error
    }
  }

  /// - Throws: a `GateError` if the file cannot be read.
  package static func check(_ file: String) throws(GateError) -> Report {
    let bytes: [UInt8]
    do {
      bytes = try BoundedFile.read(file, limit: BoundedFile.contract)
    } catch {
      throw .usage("cannot read \(file): \(error.sentence(of: file))")
    }
    // A scenario is never that long.
    if bytes.count <= BoundedFile.scenario.bytes, !beginsAsOpenAPI(bytes) {
      let text = String(decoding: bytes, as: UTF8.self)
      let outline = Scenario.outline(text: text, file: file)
      if outline.isPart {
        return Report(
          subject: "steps for scenarios that include it", diagnostics: Scenario.checkPart(text: text, file: file))
      }
      if outline.isScenario { return scenario(file, text) }
    }
    let (contract, diagnostics) = Contract.examine(file)
    return report(contract, diagnostics)
  }

  /// True for a text with the version of OpenAPI at its beginning. To read a large document as a scenario takes long.
  private static func beginsAsOpenAPI(_ bytes: [UInt8]) -> Bool {
    let head = String(decoding: bytes.prefix(1_000), as: UTF8.self)
    let isJSON = head.first { !$0.isWhitespace } == "{"
    return head.split { $0.isNewline || isJSON && "{,".contains($0) }.contains { part in
      // The keys of a YAML document have no space before them.
      let key = isJSON ? part.drop { $0.isWhitespace || $0 == "\"" } : part[...]
      return ["openapi", "swagger"].contains { name in
        key.hasPrefix(name) && key.dropFirst(name.count).drop { $0 == "\"" || $0 == " " }.first == ":"
      }
    }
  }

  /// Checks a document whose parts of other documents are put into it.
  ///
  /// - Returns: the text of that document, too.
  package static func bundle(_ file: String) async throws(GateError) -> (report: Report, text: String) {
    let bundle = try await ContractBundle.read(file)
    return (report(bundle.contract, bundle.diagnostics), bundle.text)
  }

  private static func report(_ contract: Contract?, _ diagnostics: [Diagnostic]) -> Report {
    let subject = "OpenAPI document" + (contract?.operations.isEmpty == true ? " without operations" : "")
    return Report(subject: subject, diagnostics: diagnostics, check: contract.map { RelationCheck($0) })
  }

  private static func report(_ gate: Gate, _ text: String) -> Report {
    return Report(
      subject: "scenario \"\(gate.scenario.name)\"",
      diagnostics: gate.contract.overlayWarnings + gate.scenario.warnings
        + UndecidableBudgets.warnings(gate.scenario, text: text)
        + UntestableLimits(gate.scenario, timeScale: gate.timeScale).warnings(text: text)
        + UntestableStrength.warnings(gate.scenario, text: text) + LateSteps.warnings(gate.scenario, text: text),
      check: RelationCheck(gate.contract, gate.scenario.expectations.relations))
  }

  private static func scenario(_ file: String, _ text: String) -> Report {
    let remote = Scenario.outline(text: text, file: file).contracts.filter {
      FetchedContracts.isOfTarget($0.name, in: file)
    }
    if !remote.isEmpty { return withoutContract(file, text, remote) }
    do throws(GateError) {
      return report(try Gate.load(file, toleratesMissingEnvironment: true), text)
    } catch {
      if case .mistakes(let diagnostics) = error { return Report(subject: "scenario", diagnostics: diagnostics) }
      let mark = SourceMark(file: file, line: 1, column: 1)
      return Report(subject: "scenario", diagnostics: [Diagnostic(error.description, at: mark)])
    }
  }

  /// The checks that are possible without the contract of the target: all except the names of operations and their
  /// parameters.
  private static func withoutContract(
    _ file: String, _ text: String, _ remote: [Scenario.Outline.Contract]
  ) -> Report {
    let lines = text.split(omittingEmptySubsequences: false) { $0.isNewline }
    let unchecked = remote.map { entry in
      Diagnostic(
        "the contract \(entry.name) is on the target, so murphy did not check operations, parameters, bodies and rate "
          + "limits. To check these parts, add --target URL", at: entry.mark, severity: .warning,
        sourceLine: lines.indices.contains(entry.mark.line - 1) ? String(lines[entry.mark.line - 1]) : nil,
        width: entry.name.count)
    }
    do throws(ScenarioError) {
      let scenario = try Scenario.parse(text: text, file: file, operations: nil, toleratesMissingEnvironment: true)
      return Report(subject: "scenario \"\(scenario.name)\"", diagnostics: unchecked + scenario.warnings)
    } catch {
      return Report(subject: "scenario", diagnostics: unchecked + error.diagnostics)
    }
  }
}

/// The output of `murphy check` on relations: the tested relations of each operation, and the reason.
package struct RelationCheck: Sendable {
  /// `11 consistency rules for 2 operations, tested by murphy run (--relations lists them)`; nil if there are none.
  package var summary: String? {
    let rules = rows.filter(\.isOn)
    guard !rules.isEmpty else { return nil }
    let operations = Set(rules.map(\.operation)).count
    let places = counted(operations, "operation")
    return "\(counted(rules.count, "consistency rule")) for \(places), tested by murphy run (--relations lists them)"
  }

  /// The table of `--relations`.
  package var table: [String] {
    guard !rows.isEmpty else {
      return ["no consistency rules apply: no operation returns an item, or a list that has query parameters"]
    }
    let width = rows.map(\.operation.count).max() ?? 0
    let names = rows.map(\.rule.rawValue.count).max() ?? 0
    return rows.map { row in
      "\(Self.pad(row.operation, width))  \(Self.pad(row.rule.rawValue, names))  \(row.isOn ? "on " : "off")  (\(row.reason))"
    }
  }

  private struct Row: Sendable {
    var operation: String
    var rule: RelationRule
    var isOn: Bool
    var reason: String
  }

  private let rows: [Row]

  /// - Parameter wanted: the rules that a scenario switches on and off.
  package init(_ contract: Contract, _ wanted: RelationExpectation = RelationExpectation()) {
    rows = contract.relations(promising: wanted.lists).rows(contract).map { row in
      let id = contract.operations[row.operation].id
      let own = wanted[id]
      let isSwitchedOff = own.isOff || own.rules[row.rule] == false
      let needs = row.state == .on ? row.needs.map { "; needs \($0)" } ?? "" : ""
      return Row(
        operation: id, rule: row.rule, isOn: row.state == .on && !isSwitchedOff,
        reason: row.state == .on && isSwitchedOff ? "disabled by the scenario" : row.reason + needs)
    }
  }

  private static func pad(_ text: String, _ width: Int) -> String {
    text + String(repeating: " ", count: max(width - text.count, 0))
  }
}
