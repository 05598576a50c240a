import MurphyJudge
import MurphyModel
import Testing

@Suite struct BaselineChoiceTests {
  static func header(_ name: String, change: (inout RunResult) -> Void = { _ in }) -> StoredHeader {
    StoredHeader(
      StoredComparisonTests.run(name) {
        $0.run.scenarioDigest = "a"
        change(&$0)
      })
  }

  static func choice(_ stored: [StoredHeader], seed: UInt64? = 7) -> BaselineChoice {
    BaselineChoice(stored, for: header("planned").run, seed: seed, in: BaselineFolder(path: "kept"))
  }

  @Test func `results of the same load are comparable, the newest first`() {
    let choice = Self.choice(["2", "1", "3"].map { Self.header($0) })
    #expect(choice.comparable.map(\.file) == ["3.json", "2.json", "1.json"])
    #expect(choice.folder.comparable == 3 && choice.folder.leftOut.isEmpty)
  }

  @Test(arguments: LeftOutResults.Reason.allCases.filter { $0 != .unreadable && $0 != .repeated })
  func `a result that is no repetition is left out for its reason`(reason: LeftOutResults.Reason) {
    func changes(_ result: inout RunResult, _ way: Int) {
      switch (reason, way) {
      case (.incomplete, 0): result.verdict = .invalid
      case (.incomplete, 1): result.run.cutShort = true
      case (.incomplete, _): result.verdict = .shard
      case (.failed, _): result.verdict = .fail
      case (.scenario, 0): result.run.scenario = "Another"
      case (.scenario, 1): result.run.scenarioDigest = "b"
      case (.scenario, _): result.run.scenarioDigest = nil
      case (.load, _): result.run.load[0].to = 50
      case (.seed, _): result.run.seed = 8
      case (.machine, _): result.run.machine = "Linux, 4 cores"
      case (.version, 0): result.run.murphy = "2"
      case (.version, _): result.run.libcurl = "9"
      case (.unreadable, _), (.repeated, _): break
      }
    }
    for way in 0..<3 {
      let choice = Self.choice([Self.header("1"), Self.header("2") { changes(&$0, way) }])
      #expect(choice.comparable.map(\.file) == ["1.json"], "\(way)")
      #expect(choice.folder.leftOut.map(\.reason) == [reason], "\(way)")
      #expect(choice.folder.leftOut.first?.files.first?.file == "2.json")
      #expect(choice.folder.leftOut.first?.files.first?.detail.isEmpty == false)
    }
  }

  @Test func `without a seed the newest comparable result gives it`() {
    let choice = Self.choice(
      [
        Self.header("1") { $0.run.seed = 5 }, Self.header("2") { $0.run.seed = 6 },
        Self.header("3") { ($0.run.seed, $0.verdict) = (9, .fail) },
      ], seed: nil)
    #expect(choice.comparable.map(\.run.seed) == [6])
    #expect(choice.folder.leftOut.map(\.reason) == [.failed, .seed])
  }

  @Test func `a run in two files counts once`() {
    var copy = Self.header("1")
    copy.file = "copy.json"
    let choice = Self.choice([Self.header("1"), copy])
    #expect(choice.comparable.map(\.file) == ["copy.json"])
    #expect(choice.folder.leftOut.map(\.reason) == [.repeated])
  }

  @Test func `each left out file counts, and the first ones are listed`() {
    let others = (100..<150).map { number in Self.header("\(number)") { $0.verdict = .fail } }
    let choice = Self.choice(others)
    #expect(choice.folder.leftOut.map(\.count) == [50])
    #expect(choice.folder.leftOut[0].files.count == LeftOutResults.mostFiles)
    #expect(choice.folder.leftOut[0].files[0].file == "149.json")
  }

  @Test func `a comparable result with an unreadable body is left out`() {
    var choice = Self.choice([Self.header("1"), Self.header("2")])
    choice.leaveOut("2.json", because: "it is cut off")
    #expect(choice.comparable.map(\.file) == ["1.json"] && choice.folder.comparable == 1)
    #expect(choice.folder.leftOut.map(\.reason) == [.unreadable])
  }
}
