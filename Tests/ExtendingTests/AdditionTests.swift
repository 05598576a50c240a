import ArgumentParser
import Foundation
import FoundationNetworking
import MurphyContract
import MurphyJudge
import MurphyModel
import MurphyReport
import MurphyServer
import Testing

@testable import Murphy
@testable import MurphyCommand
@testable import MurphyScenario

/// Each kind of addition, made: the files of `Additions` are those of docs/extending.md, and each takes effect
/// through the one list that it is a line of.
@Suite struct AdditionTests {
  @Test func `a load shape is read planned and explained`() throws {
    let scenario = try Scenario.parse(
      text: Self.scenario("{ wave: 10/s..50/s, for: 60s }"), file: "s.yaml", operations: nil,
      shapes: StageShape.all + [.wave])
    #expect(scenario.load.duration == .seconds(60))
    #expect(scenario.load.stages.map(\.to) == [50, 10])
    #expect {
      try Scenario.parse(
        text: Self.scenario("{ wav: 10/s..50/s, for: 60s }"), file: "s.yaml", operations: nil,
        shapes: StageShape.all + [.wave])
    } throws: { "\($0)".contains("wave") }
  }

  @Test func `a judge decides the verdict`() async throws {
    let gate = try Gate.load(Self.root.appending(path: "scenarios/murphys-laws/smoke.yaml").path)
    var record = try await gate.run()
    let before = FinishedRun(record, gate.scenario, gate.contract).result(judges: [AnsweredJudge.self])
    #expect(before.verdict == .pass, "\(before.reasons)")
    record.operations[0].outcomes = Outcomes()
    record.operations[0].sent = max(record.operations[0].sent, 1)
    let after = FinishedRun(record, gate.scenario, gate.contract).result(
      judges: JudgeResult.judges + [AnsweredJudge.self])
    #expect(after.verdict == .fail)
    #expect(after.findings.contains { $0.message.hasSuffix("requests was answered") })
  }

  @Test func `a report format is written beside the others`() async throws {
    let gate = try Gate.load(Self.root.appending(path: "scenarios/murphys-laws/smoke.yaml").path)
    let result = gate.judge(try await gate.run())
    let folder = FileManager.default.temporaryDirectory.appending(path: "murphy-csv-\(UUID())")
    defer { try? FileManager.default.removeItem(at: folder) }
    let written = try Report.write(result, to: folder.path, formats: ReportFormat.all + [.csv])
    #expect(written.count == ReportFormat.all.count + 1)
    let lines = try String(contentsOf: folder.appending(path: "operations.csv"), encoding: .utf8).split(separator: "\n")
    #expect(lines.count == 1 + result.operations.count)
  }

  @Test func `a fault shows and the contract catches nothing else`() async throws {
    let fault = try #require(Fault.shoutingFaults.first)
    #expect(!ReferenceAPI.murphysLaws.faults.contains { $0.name == fault.name })
    var options = ReferenceOptions()
    options.faults = [fault]
    let server = try await ReferenceAPI.murphysLaws.start(options)
    let page = try await Self.json(server.url + "/api/v1/laws?limit=25")
    let laws = try #require(page["data"] as? [[String: Any]])
    let titled = try #require(laws.first { $0["title"] is String }?["id"] as? Int)
    var titles: Set<String> = []
    for _ in 0..<4 {
      titles.insert(try #require(try await Self.json("\(server.url)/api/v1/laws/\(titled)")["title"] as? String))
    }
    await server.stop()
    #expect(titles.count == 2)
    #expect(Set(titles.map { $0.uppercased() }).count == 1)
  }

  @Test func `a verb is parsed`() throws {
    struct Root: ParsableCommand {
      static let configuration = CommandConfiguration(
        commandName: "murphy", subcommands: MurphyCommand.verbs + [KindsVerb.self])
    }
    #expect(try Root.parseAsRoot(["kinds"]) is KindsVerb)
    #expect(Root.helpMessage().contains("Lists every kind of finding."))
  }

  private static func json(_ url: String) async throws -> [String: Any] {
    let (data, _) = try await URLSession.shared.data(from: try #require(URL(string: url)))
    return try #require(JSONSerialization.jsonObject(with: data) as? [String: Any])
  }

  static let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent()

  private static func scenario(_ stage: String) -> String {
    """
    name: additions
    contract: openapi.yaml
    load:
      - \(stage)
    sessions:
      reader:
        steps:
          - think: 1s
    """
  }
}
