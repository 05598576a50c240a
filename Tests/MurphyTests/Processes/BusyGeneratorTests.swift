import Foundation
import Murphy
import TestSupport
import Testing
import WildServer

/// Murphy as the bottleneck: such a run is INVALID, says why, and what to change.
@Suite(.alone) struct BusyGeneratorTests {
  private static let isRoot = geteuid() == 0

  /// 600 requests in 3 s on one loop, of which sessions in Swift block it `times` times for 150 ms.
  private func blocked(_ times: Int) async throws -> RunResult {
    let server = try WildServer(OutcomeCase.healthy)
    defer { server.stop() }
    let scenario = OutcomeCase.shop(expect: "budgets: { listItems: { p99: 40ms } }", load: "[{ hold: 204/s, for: 3s }]")
      .replacing("URL", with: server.url)
    return try await ShopAPI.withFiles(scenario) { file in
      var gate = try Gate.load(file, environment: [:])
      let count = Counter()
      gate.scenario.sessions[0].share = 50
      gate.sessions = [SwiftSession("block", share: 1) { _ in if count.add() <= times { usleep(150_000) } }]
      var options = RunOptions()
      options.loops = 1
      return gate.judge(try await gate.run(options), options: options)
    }
  }

  /// The block delays 5 % of the requests by up to 150 ms: only murphy's own delay breaks the budget.
  @Test func `a loop that is blocked once for 150 ms decides no budget`() async throws {
    let result = try await blocked(1)
    #expect(result.verdict == .invalid, "\(result.reasons)")
    let row = try #require(result.budgets.first { $0.operation == "listItems" })
    #expect(row.verdict == .noData && row.undecided?.cause == .generator, "\(row)")
    let stall = try #require(result.generator.reservations?.first { [.shortStalls, .stall].contains($0.kind) })
    #expect(stall.sentence.contains("was blocked") && stall.sentence.contains("Give murphy dedicated cores"))
    #expect(result.generator.longestStall >= .milliseconds(150), "\(result.reasons)")
  }

  @Test func `a loop that is blocked for a tenth of the run gives no verdict`() async throws {
    let result = try await blocked(3)
    #expect(result.verdict == .invalid, "\(result.reasons)")
    #expect(result.generator.reservations?.contains { $0.kind == .stall } == true, "\(result.generator)")
    #expect(result.reasons.contains { $0.contains("was blocked 3 times") || $0.contains("of the run") })
  }

  @Test func `a murphy that gets no core says who had it`() async throws {
    let server = try WildServer(OutcomeCase.healthy)
    defer { server.stop() }
    let scenario = OutcomeCase.shop(load: "[{ hold: 3000/s, for: 2s }]").replacing("URL", with: server.url)
    try await ShopAPI.withFiles(scenario) { file in
      let folder = (file as NSString).deletingLastPathComponent
      // Ten programs leave murphy a tenth of the one core that it may use, and 3,000 requests a second need three times as
      // much (a lower priority would not do: schedulers weigh it within a group only). They end by themselves.
      let line = """
        burn() { exec taskset -c 0 bash -c 'while [ $SECONDS -lt 60 ]; do :; done' > /dev/null 2>&1; }
        pids=; for i in 1 2 3 4 5 6 7 8 9 10; do burn & pids="$pids $!"; done
        taskset -c 0 "$MURPHY" run scenario.yaml --loops 1 --report r; status=$?
        kill -KILL $pids; exit $status
        """
      let ended = try await Shell.run(line, in: folder)
      let agreement = try RunAgreement(ended.said, folder: folder + "/r")
      agreement.expect(.invalid)
      let kinds = (agreement.result.generator.reservations ?? []).map(\.kind)
      #expect(kinds.contains(.starved) || kinds.contains(.core), "\(agreement.result.generator)")
      let loop = try #require(agreement.result.generator.perLoop?.first)
      #expect((loop.waitingPercent ?? 0) > 20, "\(loop)")
      #expect(agreement.result.reasons.contains { $0.contains("had no core for") }, "\(agreement.result.reasons)")
    }
  }

  /// In a network of its own, where 50 ports are all that there are.
  @Test(.enabled(if: isRoot, "a network of its own needs root")) func `ports that run out are named with their number`()
    async throws
  {
    let scenario = """
      name: ports
      contract: \(Repository.scenarios)/openapi.yaml
      target: embedded:murphys-laws
      sessions: { read: { steps: [{ call: getLaw, path: { id: 1 } }] } }
      load: [{ hold: 150/s, for: 2s }]
      """
    try await ShopAPI.withFiles(scenario) { file in
      let folder = (file as NSString).deletingLastPathComponent
      let line = """
        echo 40000 40049 > /proc/sys/net/ipv4/ip_local_port_range; ip link set lo up
        exec "$MURPHY" run scenario.yaml --report r
        """
      let ended = try await Shell.run(
        "export MURPHY; unshare -n bash -c '\(line.replacing("'", with: "'\\''"))'", in: folder)
      let agreement = try RunAgreement(ended.said, folder: folder + "/r")
      agreement.expect(.invalid)
      #expect(
        agreement.result.reasons.contains {
          $0.contains("no free port (50 in all") && $0.contains("connections: reuse")
        },
        "\(agreement.result.reasons)")
      #expect(agreement.result.generator.resources?.ports == 50)
    }
  }
}
