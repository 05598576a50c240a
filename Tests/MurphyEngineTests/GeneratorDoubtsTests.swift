import MurphyModel
import Testing

@testable import MurphyEngine

@Suite struct GeneratorDoubtsTests {
  private func kinds(
    late milliseconds: Int64, of latency: Int64, cpu: Double = 10, stall: Double = 0, dropped: Int = 0,
    exhausted: Int = 0
  ) -> [GeneratorReservation.Kind] {
    report(milliseconds, latency, cpu, stall, dropped, exhausted).reservations?.map(\.kind) ?? []
  }

  /// All sends as late, all latencies as long.
  private func report(
    _ late: Int64, _ latency: Int64, _ cpu: Double, _ stall: Double, _ dropped: Int, _ exhausted: Int
  ) -> GeneratorReport {
    var (lateness, latencies) = (LatencyHistogram(), LatencyHistogram())
    for _ in 0..<200 {
      lateness.record(late * 1_000_000)
      latencies.record(latency * 1_000_000)
    }
    var report = GeneratorReport(
      loops: 1, lateness: LatencySummary(lateness), loopStalls: 0, longestStall: stall * 1000, cpuPercent: cpu,
      offered: 1, achieved: 1, peakUsers: 1, peakMemory: 1, doubts: [])
    report.add(
      GeneratorDoubts(
        report: report, latency: latencies, dropped: dropped, planned: 200, exhausted: exhausted
      ).reservations)
    return report
  }

  @Test func latenessThatDominatesLatencyIsNoPraise() {
    #expect(kinds(late: 174, of: 123) == [.lateFigures])
    #expect(kinds(late: 174, of: 300) == [.lateFigures])
    #expect(kinds(late: 174, of: 400) == [])
    #expect(report(174, 123, 10, 0, 0, 0).doubts == [])
  }

  @Test func theNoiseOfABusyMachineIsNoDoubt() {
    #expect(kinds(late: 9, of: 9) == [])
    #expect(kinds(late: 0, of: 1, cpu: 100, stall: 900) == [])
  }

  @Test func aLoadThatLostItsShapeLeavesNoVerdict() {
    #expect(kinds(late: 600, of: 900) == [.lateLoad])
    #expect(report(600, 900, 10, 0, 0, 0).doubts.count == 1)
    #expect(report(600, 900, 10, 0, 0, 0).doubts[0].contains("a good part of their latency (p99"))
    // What was sent that late may not have been answered at all.
    #expect(report(12_000, 8_000, 10, 0, 0, 0).doubts[0].contains("longer than the answers took that came (p99"))
    // The API was slower still: it bunched the requests more than murphy did.
    #expect(kinds(late: 600, of: 5_000) == [])
  }

  @Test func everyKindIsToldByItself() {
    #expect(kinds(late: 60, of: 9_000, cpu: 99) == [.core])
    #expect(kinds(late: 0, of: 9_000, stall: 1_100) == [.stall])
    #expect(kinds(late: 0, of: 9_000, dropped: 3) == [.dropped])
    #expect(kinds(late: 0, of: 9_000, exhausted: 3) == [.exhausted])
  }
}
