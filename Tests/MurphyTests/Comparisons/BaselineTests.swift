import Foundation
import Murphy
import TestSupport
import Testing

/// `murphy run --baseline` against stored runs of the same load, on the real reference API.
@Suite(.serialized, .timed) struct BaselineTests {
  static let scenario = """
    name: One page
    contract: CONTRACT
    target: embedded:murphys-laws
    client: { connections: reuse }
    sessions:
      look: { steps: [ { call: listLaws } ] }
    load:
      - { hold: 120/s, for: 3s }
    """

  /// A run, once more where the machine was too busy for murphy: that is INVALID, and here another response is tested.
  static func run(
    _ file: String, _ arguments: [String], into folder: String, attempts: Int = 4
  ) async throws -> (outcome: Program.Outcome, result: RunResult) {
    let outcome = try await Program().run(
      ["run", file, "-v", "--limits", "off", "--work", "50", "--workers", "1000", "--quiet", "--report", folder]
        + arguments)
    let result = try ResultFile.read(folder + "/result.json")
    guard result.verdict == .invalid, !result.generator.doubts.isEmpty, attempts > 1 else { return (outcome, result) }
    return try await run(file, arguments, into: folder, attempts: attempts - 1)
  }

  @Test func `a comparison of few short runs can be read again`() async throws {
    try await withScenario(Self.scenario.replacing("120/s, for: 3s", with: "20/s, for: 1s")) { file in
      let folder = (file as NSString).deletingLastPathComponent
      // The third run is compared, with a detectable change of any size, and is a part of the baseline from then on.
      for number in 1...4 {
        let (outcome, result) = try await Self.run(file, ["--baseline", folder + "/kept"], into: "\(folder)/\(number)")
        try #require([0, 5].contains(outcome.status), "\(outcome.output)\(outcome.errors)")
        #expect(result.regression?.folder?.leftOut.contains { $0.reason == .unreadable } == false)
      }
    }
  }

  @Test(.timeLimit(.minutes(4))) func `a slowdown fails the run and what is not comparable says so`() async throws {
    try await withScenario(Self.scenario) { file in
      let folder = (file as NSString).deletingLastPathComponent
      for number in 1...4 {
        let (outcome, _) = try await Self.run(file, ["--seed", "5"], into: "\(folder)/base/\(number)")
        try #require(outcome.status == 0, "\(outcome.output)\(outcome.errors)")
      }
      let baseline = ["--baseline", folder + "/base"]

      let (slow, slowResult) = try await Self.run(file, ["--fault", "slow-list"] + baseline, into: folder + "/slow")
      #expect(slow.status == 1 && slow.lastLine == "FAIL", "\(slow.output)\(slow.errors)")
      #expect(slowResult.run.seed == 5, "the baseline's seed is taken")
      // Of the base's four runs a busy machine may have slowed one down: then it is another percentile that tells.
      let row = slowResult.regression?.rows.filter { $0.verdict == .fail }
        .max { ($0.candidate ?? 0) - ($0.base ?? 0) < ($1.candidate ?? 0) - ($1.base ?? 0) }
      // The fault adds 600 ms; a busy machine adds to both sides.
      let added = (row?.candidate ?? 0) - (row?.base ?? 0)
      #expect(row?.verdict == .fail && added > 300_000, "\(String(describing: row))")
      #expect(slowResult.findings.contains { $0.kind == .budgetRegression && $0.operation == "listLaws" })
      let junit = try String(contentsOfFile: folder + "/slow/junit.xml", encoding: .utf8)
      #expect(junit.contains("listLaws p50 within +5% of the baseline") && junit.contains("<failure"))
      #expect(try String(contentsOfFile: folder + "/slow/report.html", encoding: .utf8).contains("of the baseline"))

      let (same, sameResult) = try await Self.run(file, baseline, into: folder + "/same")
      // Four runs may be too few to rule a slowdown out. What others take of the machine during the fifth slows the
      // server down in truth: such a change may count, but is nowhere near that of the fault.
      let most = sameResult.regression?.rows.filter { $0.verdict == .fail }.compactMap(\.change).max() ?? 0
      #expect(same.status != 1 || most < (row?.change ?? 0) / 3, "\(same.output)\(same.errors)")
      #expect([0, 1, 5].contains(same.status), "\(same.output)\(same.errors)")
      #expect(sameResult.regression?.rows.contains { $0.smallestEffect != nil } == true)
      #expect(same.output.contains("of the baseline"), "\(same.output)")

      for (arguments, reason) in [
        (["--load", "0.5"], "the load differs"), (["--seed", "6"], "the seed differs"),
      ] {
        // Listed results must be comparable; those of a folder need not.
        let listed = ["--baseline"] + (1...4).map { "\(folder)/base/\($0)" }
        let (other, result) = try await Self.run(file, arguments + listed, into: folder + "/other")
        #expect(other.status == 5 && other.lastLine == "NO DATA", "\(other.output)")
        #expect(result.regression?.reasons.contains { $0.contains(reason) } == true, "\(result.reasons)")
      }
      let (single, _) = try await Self.run(
        file, ["--baseline", folder + "/base/1/result.json"], into: folder + "/single")
      #expect(single.status == 5 && single.output.contains("the base has one run"), "\(single.output)")
    }
  }

  @Test func `a baseline that is not there is status two before anything is sent`() async throws {
    let outcome = try await Program().run(
      ["run", CompareCommandTests.smoke, "--baseline", "/nowhere/base.json", "--report", "/nowhere/report"])
    #expect(outcome.status == 2 && outcome.errors.contains("/nowhere/base.json"), "\(outcome.errors)")
  }

  @Test(.timeLimit(.minutes(4))) func `a folder keeps the baseline from run to run`() async throws {
    try await withScenario(Self.scenario) { file in
      let parent = (file as NSString).deletingLastPathComponent
      let folder = parent + "/kept"
      let arguments = ["--baseline", folder]
      let (first, firstResult) = try await Self.run(file, arguments, into: parent + "/1")
      try #require(first.status == 0, "\(first.output)\(first.errors)")
      #expect(first.output.contains("No baseline yet: this result is the first of"), "\(first.output)")

      try "{".write(toFile: folder + "/broken.json", atomically: true, encoding: .utf8)
      let (second, secondResult) = try await Self.run(file, arguments, into: parent + "/2")
      try #require(second.status == 0, "\(second.output)\(second.errors)")
      #expect(second.output.contains("1 result left out: 1 × unreadable"), "\(second.output)")
      #expect(second.output.contains("broken.json"), "\(second.output)")
      #expect(secondResult.run.seed == firstResult.run.seed, "the seed of the folder is taken")

      for number in 3...4 {
        // With so few runs, the comparison may be undecided.
        let (more, _) = try await Self.run(file, arguments, into: "\(parent)/\(number)")
        try #require([0, 5].contains(more.status), "\(more.output)\(more.errors)")
      }
      let (slow, slowResult) = try await Self.run(file, ["--fault", "slow-list"] + arguments, into: parent + "/slow")
      #expect(slow.status == 1 && slow.lastLine == "FAIL", "\(slow.output)\(slow.errors)")
      #expect(slowResult.regression?.baselines.count == 4)
      #expect(slow.output.contains("not stored in the folder, because the run failed"), "\(slow.output)")

      let text = try String(contentsOfFile: file, encoding: .utf8)
      try (text + "\n# Another text\n").write(toFile: file, atomically: true, encoding: .utf8)
      let (other, otherResult) = try await Self.run(file, arguments, into: parent + "/other")
      #expect(otherResult.regression?.folder?.leftOut.contains { $0.reason == .scenario && $0.count == 4 } == true)
      #expect(other.status == 0 && other.output.contains("No baseline yet"), "\(other.output)")
    }
  }

  @Test func `options for the folder are checked before anything is sent`() async throws {
    try await withTemporaryFolder { folder in
      for (arguments, text) in [
        (["--baseline", folder, "--keep", "1"], "--keep takes a number of results from 2 to 10000, found 1"),
        (["--keep", "5"], "--keep needs --baseline"),
        (["--baseline", folder, "--report", folder], "--report and --baseline name the same folder"),
        (["--baseline", "/dev/null/kept"], "cannot store a result in /dev/null/kept"),
      ] {
        let outcome = try await Program().run(["run", CompareCommandTests.smoke] + arguments, in: folder)
        #expect(outcome.status == 2 && outcome.errors.contains(text), "\(outcome.errors)")
      }
    }
  }
}
