import Foundation
import Murphy
import TestSupport
import Testing

/// `murphy selfcheck` as a user runs it, on whatever machine runs the tests.
@Suite(.alone) struct SelfcheckTests {
  @Test func `the check ends within a minute, and word, status, text and file say the same`() async throws {
    try await ShopAPI.withFiles("") { file in
      let folder = (file as NSString).deletingLastPathComponent
      let begin = ContinuousClock.now
      let said = try await Program().run([
        "selfcheck", "--seed", "5", "--trials", "20", "--quiet", "--json", folder + "/self.json",
      ])
      #expect(ContinuousClock.now - begin < .seconds(60))
      let result = try JSONValue.parse(String(contentsOfFile: folder + "/self.json", encoding: .utf8))
      #expect(result["format"] == .string("murphy-selfcheck/1"))
      let isTrusted = result["verdict"] == .string("pass")
      #expect(said.status == (isTrusted ? 0 : 4), "\(said)")
      #expect(said.lastLine == (isTrusted ? "PASS" : "INVALID"), "\(said)")
      let checks = result["checks"]?.array ?? []
      #expect(checks.count == 10)
      #expect(isTrusted == checks.allSatisfy { $0["verdict"] == .string("pass") })
      #expect(isTrusted == (result["reasons"]?.array?.isEmpty == true))
      // Time decides the others; these are murphy's own, whatever the machine does.
      for name in ["recorder", "schema"] {
        let check = checks.first { $0["check"] == .string(name) }
        #expect(check?["verdict"] == .string("pass"), "\(said.output)")
      }
      #expect(result["distributions"]?.array?.count == 5)
      for row in result["distributions"]?.array ?? [] {
        #expect(row["samples"] == row["imposed"], "\(row["name"]?.text ?? "")")
        #expect((row["samples"]?.number?.int ?? 0) > 2_000)
      }
    }
  }

  /// Five busy programs for each core: what murphy measures here is the machine, and it says so.
  @Test func `a machine that is too busy is not trusted`() async throws {
    let line = """
      burn() { exec bash -c 'while [ $SECONDS -lt 60 ]; do :; done' > /dev/null 2>&1; }
      pids=; for i in 1 2 3 4 5 6 7 8 9 10; do burn & pids="$pids $!"; done
      nice -n 5 "$MURPHY" selfcheck --quiet --trials 0; status=$?; kill -KILL $pids; exit $status
      """
    let ended = try await Shell.run(line)
    #expect(ended.said.status == 4, "\(ended.said)")
    #expect(ended.said.lastLine == "INVALID")
    #expect(ended.said.output.replacing("\n  ", with: " ").contains("The machine was too busy"))
  }

  @Test func `no loop at all is wrong usage`() async throws {
    let said = try await Program().run(["selfcheck", "--loops", "0"])
    #expect(said.status == 2 && said.errors.contains("--loops takes a number from 1 to"), "\(said)")
  }
}
