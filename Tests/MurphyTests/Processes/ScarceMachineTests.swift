import Foundation
import Murphy
import Testing
import WildServer

/// A machine with few processes, few files or a full disk, and a user who does not want to wait.
@Suite(.serialized) struct ScarceMachineTests {
  private static let isRoot = geteuid() == 0
  private static let needsRoot: Comment = "a file system of its own, or another user, needs root"

  @Test(arguments: [1, 3, 6, 12, 24]) func `few processes allowed end murphy or let it run, and never hang it`(
    processes: Int
  ) async throws {
    try await ShopAPI.withFiles(OutcomeCase.shop().replacing("URL", with: "http://127.0.0.1:1")) { file in
      let folder = (file as NSString).deletingLastPathComponent
      // Root has no limit of processes, and another user may not read where the tests were built.
      let user = Self.isRoot ? "setpriv --reuid=61234 --regid=61234 --clear-groups --" : ""
      let line = """
        chmod 777 .; cp "$MURPHY" murphy; for verb in check run; do
        \(user) bash -c "ulimit -u \(processes); exec ./murphy $verb scenario.yaml"; echo "status $?"; done
        """
      let ended = try await Shell.run(line, in: folder)
      #expect(ended.seconds < 100)
      let statuses = ended.said.output.split(separator: "\n").filter { $0.hasPrefix("status ") }
      #expect(statuses.count == 2, "\(ended.said)")
      if statuses == ["status 2", "status 2"] {
        #expect(ended.said.errors.contains("ulimit -u"), "\(ended.said)")
      } else {
        #expect(statuses == ["status 0", "status 3"], "\(ended.said)")
      }
      if processes == 1, Self.isRoot { #expect(statuses.first == "status 2") }
    }
  }

  @Test func `few files allowed are told with the limit to raise`() async throws {
    let server = try WildServer { _, connection in
      connection.pause(milliseconds: 1500)
      connection.answer(body: ShopAPI.body)
    }
    defer { server.stop() }
    let scenario = OutcomeCase.shop(load: "[{ hold: 120/s, for: 2s }]").replacing("URL", with: server.url)
    try await ShopAPI.withFiles(scenario) { file in
      let folder = (file as NSString).deletingLastPathComponent
      let ended = try await Shell.run("ulimit -n 100; exec \"$MURPHY\" run scenario.yaml -v --report r", in: folder)
      let agreement = try RunAgreement(ended.said, folder: folder + "/r")
      agreement.expect(.invalid)
      let finding = try #require(agreement.result.findings.first { $0.kind == .transportExhausted })
      #expect(finding.message.contains("`ulimit -n`"))
      #expect(
        agreement.result.reasons.contains { $0.contains("no free file descriptor (at most 100)") },
        "\(agreement.result.reasons)")
      let resources = try #require(agreement.result.generator.resources)
      #expect(resources.descriptorLimit == 100 && (60...100).contains(resources.peakDescriptors), "\(resources)")
      #expect(agreement.page.contains("open files and connections"))
      // The terminal's lines are filled.
      let words = agreement.outcome.output.split(whereSeparator: \.isWhitespace).joined(separator: " ")
      #expect(words.contains("of 100 files open"), "\(agreement.outcome.output)")
    }
  }

  @Test(.enabled(if: isRoot, needsRoot)) func `a full disk moves the reports, and leaves none of an earlier run`()
    async throws
  {
    let server = try WildServer(OutcomeCase.healthy)
    defer { server.stop() }
    try await ShopAPI.withFiles(OutcomeCase.shop().replacing("URL", with: server.url)) { file in
      let folder = (file as NSString).deletingLastPathComponent
      // The first run fails a budget and has room; the second one passes and has none.
      let line = """
        mkdir r t; mount -t tmpfs -o size=2m none r
        (cat scenario.yaml; echo 'expect: { budgets: { listItems: { max: 1us } } }') > fail.yaml
        "$MURPHY" run fail.yaml --report r; echo "first $?"; ls r
        head -c 3000000 /dev/zero > r/rest; "$MURPHY" run scenario.yaml --report r > second; status=$?
        grep -lE 'value="FAIL"|"verdict": "fail"|FAIL ·' r/*; echo "stale $?"; cat second
        exit $status
        """
      let ended = try await Shell.run(
        "unshare -m bash -c '\(line.replacing("'", with: "'\\''"))'", in: folder, environment: ["TMPDIR": folder + "/t"]
      )
      #expect(ended.said.output.contains("first 1"), "\(ended.said)")
      #expect(ended.said.output.contains("stale 1"), "a report of the first run is left: \(ended.said)")
      #expect(ended.said.errors.contains("no space left on device"), "\(ended.said)")
      let refuges = try FileManager.default.contentsOfDirectory(atPath: folder + "/t")
      let refuge = try #require(refuges.first, "\(ended.said)")
      #expect(refuges.count == 1 && refuge.hasPrefix("murphy-") && refuge.count >= 13)
      #expect(ended.said.errors.contains("in a temporary folder instead: \(folder)/t/\(refuge)"))
      #expect(ended.said.output.contains("\(folder)/t/\(refuge)/report.html"), "\(ended.said)")
      let attributes = try FileManager.default.attributesOfItem(atPath: "\(folder)/t/\(refuge)")
      #expect((attributes[.posixPermissions] as? NSNumber)?.intValue == 0o700)
      try RunAgreement(ended.said, folder: "\(folder)/t/\(refuge)").expect(.pass)
    }
  }

  @Test func `the second signal ends a run whose reports cannot be written`() async throws {
    let server = try WildServer(OutcomeCase.healthy)
    defer { server.stop() }
    let scenario = OutcomeCase.shop(load: "[{ hold: 20/s, for: 90s }]").replacing("URL", with: server.url)
    try await ShopAPI.withFiles(scenario) { file in
      let reports = OutcomeCase.reports(of: file)
      let murphy = try WatchedProgram(["run", file, "--report", reports])
      defer { murphy.end() }
      #expect(try await murphy.waits(for: " req/s "))
      // A pipe in a report's place keeps its writer until somebody reads.
      #expect(mkfifo(reports + "/summary.md", 0o600) == 0)
      murphy.send(SIGINT)
      #expect(try await murphy.waits(for: "Stopping"))
      try await Task.sleep(for: .seconds(1))
      murphy.send(SIGTERM)
      let begun = ContinuousClock.now
      let said = try await murphy.outcome()
      #expect(ContinuousClock.now - begun < .seconds(30))
      #expect(said.status == 4 && said.lastLine == "INVALID", "\(said)")
      #expect(try ResultFile.read(reports + "/result.json").verdict == .invalid)
    }
  }

  @Test func `a third signal ends murphy at once`() async throws {
    let server = try WildServer { _, connection in _ = connection.waitForClose(atMost: 60) }
    defer { server.stop() }
    let scenario = OutcomeCase.shop(load: "[{ hold: 5/s, for: 90s }]").replacing("URL", with: server.url)
    try await ShopAPI.withFiles(scenario) { file in
      let murphy = try WatchedProgram(["run", file, "--report", OutcomeCase.reports(of: file)])
      defer { murphy.end() }
      #expect(try await murphy.waits(for: " req/s "))
      for _ in 0..<3 {
        murphy.send(SIGINT)
        try await Task.sleep(for: .milliseconds(20))
      }
      let said = try await murphy.outcome()
      #expect([4, 130].contains(said.status), "\(said)")
    }
  }
}
