import ArgumentParser
import MurphyModel

@testable import MurphyCommand

/// `murphy kinds`: what a run can find.
struct KindsVerb: ParsableCommand {
  static let configuration = CommandConfiguration(commandName: "kinds", abstract: "Lists every kind of finding.")

  func run() {
    for kind in FindingKind.allCases { Console.print("\(kind): \(kind.rule.sentence)") }
  }
}
