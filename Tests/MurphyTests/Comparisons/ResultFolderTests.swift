import Foundation
import Murphy
import Testing

/// The folder of `--baseline FOLDER`, without a load.
@Suite struct ResultFolderTests {
  static let sample = Repository.root + "/Tests/MurphyReportTests/Results/result-2-first.json"

  /// A run of a scenario, by the second of its start.
  static func run(_ second: Int, _ scenario: String = "Gate", _ verdict: Verdict = .pass) throws -> RunResult {
    var result = try ResultFile.read(sample)
    result.run.scenario = scenario
    result.run.started = "2026-11-22T10:\(second / 60 + 10):\(second % 60 + 10)Z"
    result.verdict = verdict
    return result
  }

  /// Reads the baseline of a run, compares and stores the run, as `murphy run` does.
  static func keep(
    _ result: RunResult, in folder: String, _ keep: Int? = nil, reports: String = "/tmp/reports"
  ) throws -> (result: RunResult, folder: BaselineFolder) {
    var baseline = try Baseline([folder], keep: keep)
    try baseline.read(for: result)
    var result = baseline.judge(result)
    baseline.store(&result, reports: reports)
    return (result, try #require(result.regression?.folder))
  }

  static func names(_ folder: String) -> [String] {
    ((try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []).sorted()
  }

  @Test func `the first run makes the baseline, and the third is compared`() async throws {
    try await withTemporaryFolder { parent in
      let folder = parent + "/new/kept"
      for second in 0..<3 {
        let (result, kept) = try Self.keep(try Self.run(second), in: folder)
        #expect(kept.comparable == second && kept.stored != nil && kept.leftOut.isEmpty, "\(kept)")
        let regression = try #require(result.regression)
        #expect(regression.baselines.count == second)
        #expect(regression.rows.isEmpty == (second < 2), "\(second)")
        if second < 2 { #expect(result.verdict == .pass, "a run without a baseline keeps its verdict") }
        let stored = try ResultFile.read("\(folder)/\(kept.stored ?? "")")
        #expect(stored.run == result.run && stored.verdict == result.verdict)
      }
      let trend = Trend.of(try StoredResults.read([folder]))
      #expect(trend.scenarios.map(\.runs.count) == [3])
    }
  }

  @Test(arguments: [Verdict.fail, .invalid]) func `a run with this verdict is not stored`(verdict: Verdict) async throws
  {
    try await withTemporaryFolder { folder in
      let (_, kept) = try Self.keep(try Self.run(0, "Gate", verdict), in: folder)
      #expect(kept.stored == nil && kept.failure == nil)
      #expect(Self.names(folder).isEmpty)
    }
  }

  @Test func `only the newest results are compared, and a failed one never`() async throws {
    try await withTemporaryFolder { folder in
      for second in 0..<14 {
        try ResultFile.write(
          try Self.run(second, "Gate", second == 13 ? .fail : .pass), to: "\(folder)/\(second).json")
      }
      let (result, kept) = try Self.keep(try Self.run(14), in: folder)
      #expect(kept.comparable == 13)
      #expect(result.regression?.baselines == (3..<13).map { "\(folder)/\($0).json" })
      #expect(kept.leftOut.map(\.reason) == [.failed])
    }
  }

  @Test func `the oldest results of the scenario are removed, and no other file`() async throws {
    try await withTemporaryFolder { folder in
      try "{}".write(toFile: folder + "/gate-mine.json", atomically: true, encoding: .utf8)
      try ResultFile.write(try Self.run(0), to: folder + "/mine.json")
      _ = try Self.keep(try Self.run(1, "Gate 2"), in: folder, 2)
      var stored: [String] = []
      for second in 2..<6 {
        let (_, kept) = try Self.keep(try Self.run(second), in: folder, 2)
        stored.append(try #require(kept.stored))
        #expect(kept.removed == (second < 4 ? nil : 1))
      }
      let names = Self.names(folder)
      #expect(names.filter { $0.hasPrefix("gate-2026") } == Array(stored.suffix(2)))
      #expect(names.count == 5 && names.contains("gate-mine.json") && names.contains("mine.json"), "\(names)")
    }
  }

  @Test func `files that are no results are left out with a reason`() async throws {
    try await withTemporaryFolder { folder in
      let whole = try ResultFile.encode(try Self.run(1))
      let files: [(String, String)] = [
        ("empty", ""), ("cut", String(whole.prefix(whole.count / 2))), ("foreign", "[1, 2]"), ("deep", deep),
        ("older", whole.replacing("murphy-result/2", with: "murphy-result/1")),
        ("wrong", whole.replacing("\"verdict\": \"pass\"", with: "\"verdict\": 7")),
        ("number", whole.replacing("\"planned\": 4995", with: "\"planned\": 9000000000000000000")),
      ]
      for (name, text) in files { try text.write(toFile: "\(folder)/\(name).json", atomically: true, encoding: .utf8) }
      try Data([0xFF, 0xFE, 0x7B]).write(to: URL(filePath: folder + "/bytes.json"))
      #expect(mkfifo(folder + "/pipe.json", 0o600) == 0)
      #expect(symlink("/nowhere", folder + "/link.json") == 0)
      #expect(truncate(create(folder + "/huge.json"), 300 << 20) == 0)
      try FileManager.default.createDirectory(atPath: folder + "/empty", withIntermediateDirectories: true)
      let (_, kept) = try Self.keep(try Self.run(2), in: folder)
      let left = try #require(kept.leftOut.first)
      #expect(kept.comparable == 0 && kept.leftOut.count == 1 && left.reason == .unreadable, "\(kept)")
      let named = Set(left.files.map { $0.file.dropFirst(folder.count + 1).dropLast(5) })
      #expect(named == Set((files.map(\.0) + ["bytes", "pipe", "huge", "link"]).map { Substring($0) }), "\(named)")
      #expect(left.files.allSatisfy { !$0.detail.isEmpty && !$0.detail.hasSuffix(".") }, "\(left)")
      let (runs, unreadable) = try StoredResults.gather([folder])
      #expect(runs.count == 1 && unreadable.count >= left.count)
    }
  }

  private var deep: String { String(repeating: "[", count: 100_000) }

  private func create(_ path: String) -> String {
    _ = FileManager.default.createFile(atPath: path, contents: nil)
    return path
  }

  @Test func `runs at the same time have a file each`() async throws {
    try await withTemporaryFolder { folder in
      try await withThrowingTaskGroup(of: Void.self) { group in
        for number in 0..<16 {
          group.addTask { _ = try Self.keep(try Self.run(number / 4), in: folder, 8) }
        }
        try await group.waitForAll()
      }
      let names = Self.names(folder)
      #expect(names.count == 8, "\(names)")
      #expect(try StoredResults.read([folder]).count == names.count, "each file is whole")
    }
  }

  @Test func `the first runs of a scenario have one seed, without a word between them`() async throws {
    try await withTemporaryFolder { parent in
      let gate = try Gate.load(Repository.root + "/scenarios/murphys-laws/smoke.yaml", environment: [:])
      let seeds = try ["a", "b"].map { name in
        var baseline = try Baseline([parent + "/" + name])
        var options = RunOptions()
        try baseline.read(for: gate, &options, isPlan: true)
        return options.seed
      }
      #expect(seeds[0] != nil && seeds[0] == seeds[1])
      #expect(seeds[0].map { $0 < 1 << 53 } == true)
    }
  }

  @Test func `a report inside the folder is the stored result`() async throws {
    try await withTemporaryFolder { folder in
      let (_, kept) = try Self.keep(try Self.run(0), in: folder + "/", reports: folder + "/one")
      #expect(kept.stored == "one/result.json")
      #expect(Self.names(folder).isEmpty)
      #expect(try Baseline([folder]).keeps(folder + "/../" + (folder as NSString).lastPathComponent))
    }
  }

  @Test func `a folder that cannot be written is an error, or a warning where a comparison is possible`() async throws {
    try await withTemporaryFolder { folder in
      try "text".write(toFile: folder + "/file", atomically: true, encoding: .utf8)
      var impossible = try Baseline([folder + "/file/kept"])
      let error = #expect(throws: GateError.self) { try impossible.read(for: try Self.run(0)) }
      #expect(error.map { "\($0)" }?.contains("file/kept: not a directory. Allow murphy to write") == true)

      // Not even root can create a file in /proc.
      var unwritable = try Baseline(["/proc/self/fdinfo"])
      #expect(throws: GateError.self) { try unwritable.read(for: try Self.run(0)) }
    }
  }

  @Test func `options that do not fit are errors`() {
    for (paths, keep, text) in [
      (["a"], 1, "from 2 to 10000, found 1"), (["a"], 10_001, "found 10001"), ([], 5, "--keep needs --baseline"),
      ([Self.sample], 5, "--keep needs --baseline with one folder"),
      ([""], nil, "--baseline is empty"), (["/nowhere/base.json"], nil, "/nowhere/base.json: no such file"),
    ] as [([String], Int?, String)] {
      let error = #expect(throws: GateError.self) { try Baseline.option(paths, keep: keep) }
      #expect(error.map { "\($0)" }?.contains(text) == true, "\(String(describing: error))")
    }
  }
}
