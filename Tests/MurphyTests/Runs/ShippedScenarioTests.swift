import Foundation
import Murphy
import Testing

/// Every scenario that comes with murphy runs against its reference API, in its short form, without an accusation.
@Suite(.serialized) struct ShippedScenarioTests {
  static let scenarios =
    FileManager.default.enumerator(atPath: Repository.root + "/scenarios")?
    .compactMap { $0 as? String }
    .filter { name in
      guard name.hasSuffix(".yaml"), !name.hasSuffix("release-gate.yaml") else { return false }
      let text = try? String(contentsOfFile: "\(Repository.root)/scenarios/\(name)", encoding: .utf8)
      return text?.contains("\nload:") == true
    }.sorted() ?? []

  @Test func `all of them are found`() {
    #expect(Self.scenarios.count >= 13)
    #expect(Set(Self.scenarios.map { $0.prefix { $0 != "/" } }) == ["journal", "milo", "monica", "murphys-laws"])
  }

  @Test(arguments: scenarios) func `it runs shortly and accuses nobody`(name: String) async throws {
    let gate = try Gate.load("\(Repository.root)/scenarios/\(name)", environment: [:])
    var options = RunOptions()
    options.seed = 11
    options.duration = .seconds(3)
    let result = gate.judge(try await gate.run(options), options: options)
    #expect(result.ledger.answered > 0)
    #expect(result.ledger.contradictions == [])
    // How fast this machine is in a debug build is no matter here.
    let accusations = result.findings.filter { $0.severity == .error && !$0.kind.rawValue.hasPrefix("budget.") }
    #expect(accusations.map(\.headline) == [])
    #expect(result.sessions.allSatisfy { $0.failed.isEmpty }, "\(result.sessions.flatMap(\.failed).map(\.reason))")
    print("\(name) -> \(result.verdict), \(result.ledger.answered) responses")
  }
}
