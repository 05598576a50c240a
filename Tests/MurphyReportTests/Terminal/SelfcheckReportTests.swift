import MurphyModel
import MurphyReport
import Testing

/// The figures of `murphy selfcheck` on a terminal.
@Suite struct SelfcheckReportTests {
  private func text(holds: Bool) -> String {
    let row = DistributionRow(
      name: "constant", distribution: "constant 5 ms", reported: LatencyHistogram(), recorded: [5_200_000],
      imposed: [5_000_000])
    var result = SelfcheckResult(
      murphy: "1", machine: "a machine", loops: 2, seed: 7, clock: ClockFigures(steps: [20], late: [40]),
      sending: SendingFigures(.idle), rate: RateFigures(answered: 2_000, users: 32, cpu: 10, resources: nil),
      distributions: [row], freeze: FreezeFigures(length: .seconds(1), dueMeanwhile: 0, row: row, isFound: true))
    result.conclude([SelfcheckRow(.clock, holds, "resolution 20 ns", remedy: "Use another machine.")])
    return SelfcheckReport(result).document.terminal(width: 100)
  }

  @Test func `each condition has a line, and the last line is the verdict's word`() {
    let passed = text(holds: true)
    #expect(passed.contains("\n✓ clock  resolution 20 ns\n") && passed.hasSuffix("\n\nPASS\n"), "\(passed)")
    let failed = text(holds: false)
    #expect(failed.contains("\n✗ clock  resolution 20 ns\n") && failed.hasSuffix("\n\nINVALID\n"), "\(failed)")
    #expect(failed.contains("- clock: resolution 20 ns. Use another machine."), "\(failed)")
  }

  @Test func `a percentile has the imposed and the measured time, each with its unit`() throws {
    let lines = text(holds: true).split(separator: "\n")
    let place = try #require(lines.firstIndex { $0.hasPrefix("constant 5 ms: 1 sample") })
    let row = lines[place + 1]
    #expect(row.hasPrefix("  p50") && row.contains("5 ms") && row.contains("5.2 ms"), "\(row)")
  }
}
