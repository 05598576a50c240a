import Foundation
import MurphyContract
import MurphyModel
import MurphyScenario

/// Lints a scenario or an OpenAPI document, whichever a file is; nothing is sent.
public enum FileCheck {
  public struct Report: Sendable {
    /// What the file is, `scenario "Murphy's Laws release gate"`.
    public var subject: String
    /// Every mistake and warning, in the file's order.
    public var diagnostics: [Diagnostic]
  }

  /// - Throws: a `GateError` when the file cannot be read.
  public static func check(_ file: String) throws(GateError) -> Report {
    var folder: ObjCBool = false
    guard FileManager.default.fileExists(atPath: file, isDirectory: &folder), !folder.boolValue else {
      throw .usage("cannot read \(file): \(folder.boolValue ? "it is a folder" : "there is no such file").")
    }
    guard let data = FileManager.default.contents(atPath: file) else {
      throw .usage("cannot read \(file): permission denied.")
    }
    let text = String(decoding: data, as: UTF8.self)
    return Scenario.outline(text: text, file: file).isScenario
      ? scenario(file, text) : Report(subject: "OpenAPI document", diagnostics: Contract.check(file))
  }

  private static func scenario(_ file: String, _ text: String) -> Report {
    do throws(GateError) {
      let gate = try Gate.load(file, toleratesMissingEnvironment: true)
      return Report(
        subject: "scenario \"\(gate.scenario.name)\"",
        diagnostics: gate.scenario.warnings + gate.undecidableBudgets(in: text))
    } catch {
      if case .mistakes(let diagnostics) = error { return Report(subject: "scenario", diagnostics: diagnostics) }
      let mark = SourceMark(file: file, line: 1, column: 1)
      return Report(subject: "scenario", diagnostics: [Diagnostic(error.description, at: mark)])
    }
  }
}
