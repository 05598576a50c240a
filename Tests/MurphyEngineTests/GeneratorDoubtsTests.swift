import MurphyEngine
import MurphyModel
import Testing

@Suite struct GeneratorDoubtsTests {
  private func kinds(
    late milliseconds: Int64, of latency: Int64?, cpu: Double = 10, stall: Double = 0, dropped: Int = 0,
    exhausted: Int = 0
  ) -> [GeneratorReservation.Cause] {
    report(milliseconds, latency, cpu, stall, dropped, exhausted).reservations?.map(\.kind) ?? []
  }

  /// All sends as late, all latencies as long; none without a response.
  private func report(
    _ late: Int64, _ latency: Int64?, _ cpu: Double, _ stall: Double, _ dropped: Int, _ exhausted: Int
  ) -> GeneratorReport {
    var (lateness, latencies) = (LatencyHistogram(), LatencyHistogram())
    for _ in 0..<200 {
      lateness.record(late * 1_000_000)
      if let latency { latencies.record(latency * 1_000_000) }
    }
    var report = GeneratorReport(
      loops: 1, lateness: LatencySummary(lateness), loopStalls: 0, longestStall: .saturating(seconds: stall / 1000),
      cpuPercent: cpu,
      offered: 1, achieved: 1, peakUsers: 1, peakMemory: 1, doubts: [])
    report.add(
      GeneratorWarnings(
        report: report, latency: latencies, dropped: dropped, planned: 200, lacking: [.files: exhausted]
      ).reservations)
    return report
  }

  @Test func `lateness that dominates latency is no praise`() {
    #expect(kinds(late: 174, of: 123) == [.lateFigures])
    #expect(kinds(late: 174, of: 300) == [.lateFigures])
    #expect(kinds(late: 174, of: 400) == [])
    #expect(report(174, 123, 10, 0, 0, 0).doubts == [])
    #expect(kinds(late: 174, of: nil) == [])
  }

  @Test func `the noise of a busy machine is no doubt`() {
    #expect(kinds(late: 9, of: 9) == [])
    #expect(kinds(late: 0, of: 1, cpu: 100, stall: 900) == [])
  }

  @Test func `a load that lost its shape leaves no verdict`() {
    #expect(kinds(late: 600, of: 900) == [.lateLoad])
    #expect(report(600, 900, 10, 0, 0, 0).doubts.count == 1)
    #expect(report(600, 900, 10, 0, 0, 0).doubts[0].contains("a large part of their latency (p99"))
    // What was sent that late may not have been answered at all.
    #expect(report(12_000, 8_000, 10, 0, 0, 0).doubts[0].contains("longer than the responses took (p99"))
    // Nothing to compare it with.
    let alone = report(12_000, nil, 10, 0, 0, 0).doubts
    #expect(
      alone.count == 1 && alone[0].contains("there was no complete response") && !alone[0].contains("p99"), "\(alone)")
    // The API was slower still: it bunched the requests more than murphy did.
    #expect(kinds(late: 600, of: 5_000) == [])
  }

  /// Late by so many milliseconds (all latencies are 9 s), on one loop that fared so.
  private func reservations(
    late milliseconds: Int64 = 0, waiting: Double = 0, stalled: Double = 0, steal: Double = 0, timeWait: Int = 0,
    missed: Int = 0, lacking: [Scarcity: Int] = [:]
  ) -> [GeneratorReservation] {
    var lateness = LatencyHistogram()
    var latencies = LatencyHistogram()
    lateness.record(milliseconds * 1_000_000, count: 200)
    latencies.record(9_000_000_000, count: 200)
    var report = GeneratorReport(
      loops: 1, lateness: LatencySummary(lateness), loopStalls: 0, longestStall: .zero, cpuPercent: 10, offered: 1,
      achieved: 1, peakUsers: 1, peakMemory: 1, doubts: [])
    report.perLoop = [
      GeneratorLoop(
        loop: 0, cpuPercent: 10, waitingPercent: waiting, stalls: 3, longestStall: .milliseconds(150),
        stalledPercent: stalled)
    ]
    report.resources = GeneratorResources(
      stealPercent: steal, peakDescriptors: 10, descriptorLimit: 1_024, peakTimeWait: timeWait, ports: 28_232)
    return GeneratorWarnings(
      report: report, latency: latencies, dropped: 0, planned: 1_000, missed: missed, lacking: lacking
    ).reservations
  }

  /// A loop that waits for a core is starved only where its sends were late for it; steal counts like waiting.
  @Test(arguments: [
    (260, 30.0, 0.0, true), (240, 90, 0, false), (260, 15, 0, false), (260, 15, 10, true), (260, 0, 25, true),
  ]) func `a loop without a core was starved`(late: Int64, waiting: Double, steal: Double, isStarved: Bool) {
    let told = reservations(late: late, waiting: waiting, steal: steal)
    #expect(told.map(\.kind) == (isStarved ? [.starved] : []))
    #expect(told.allSatisfy { $0.kind.weight == .forbidsTiming && $0.sentence.contains("`taskset`") })
    if steal > 0, isStarved { #expect(told.first?.sentence.contains("hypervisor gave \(Int(steal))%") == true) }
  }

  @Test(
    arguments: [(0.9, nil), (1.1, .shortStalls), (9.9, .shortStalls), (10.1, .stall)]
      as [(Double, GeneratorReservation.Cause?)])
  func `stalls count by their share of the run`(stalled: Double, kind: GeneratorReservation.Cause?) {
    let told = reservations(stalled: stalled)
    #expect(told.map(\.kind) == [kind].compactMap { $0 })
    let blocked = "3 times, for at most 150 ms at a time and \(stalled)% of the run"
    #expect(told.allSatisfy { $0.sentence.contains(blocked) })
  }

  @Test func `what was missed, and what the machine lacked, is told with its number and what to change`() {
    #expect(reservations(missed: 10).isEmpty)
    #expect(reservations(missed: 11).map(\.kind) == [.shortfall])
    #expect(reservations(missed: 11)[0].sentence.contains("11 of 1,000 planned requests (1.1%)"))
    #expect(reservations(timeWait: 25_000).isEmpty)
    #expect(reservations(timeWait: 26_000).map(\.kind) == [.ports])
    let lacking = reservations(timeWait: 28_000, lacking: [.ports: 7, .files: 1])
    #expect(lacking.map(\.kind) == [.exhausted, .exhausted])
    #expect(
      lacking[0].sentence.contains("7 requests failed because this machine had no free port (28,232 in all, 28,000"))
    #expect(lacking[1].sentence.contains("1 request failed") && lacking[1].sentence.contains("(at most 1,024)"))
  }

  @Test func `every kind is told by itself`() {
    #expect(kinds(late: 60, of: 9_000, cpu: 99) == [.core])
    #expect(kinds(late: 0, of: 9_000, stall: 1_100) == [.stall])
    #expect(kinds(late: 0, of: 9_000, dropped: 3) == [.dropped])
    #expect(kinds(late: 0, of: 9_000, exhausted: 3) == [.exhausted])
  }
}
