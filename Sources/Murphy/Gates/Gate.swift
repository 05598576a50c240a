import Foundation
import MurphyContract
import MurphyEngine
import MurphyModel
import MurphyScenario

/// A scenario with its contract, ready to be run and judged.
///
/// ```swift
/// let gate = try Gate.load("scenarios/murphys-laws/release-gate.yaml")
/// let record = try await gate.run()
/// let result = gate.judge(record)
/// try gate.report(result, to: "reports/mine")
/// ```
public struct Gate: Sendable {
  public var scenario: Scenario
  public let contract: Contract
  /// Sessions written in Swift, run beside the scenario's.
  public var sessions: [SwiftSession] = []
  /// What earlier runs saw of the contract, from the scenario's `coverage: baseline:`; nil before the first.
  var coverageBaseline: CoverageBaseline?
  /// Questionable things in the files that are no mistakes.
  public var warnings: [Diagnostic] { contract.warnings + scenario.warnings }
}
