import MurphyModel

/// Whether murphy itself was the bottleneck: then its numbers say nothing of the API.
///
/// A late send makes its latency longer by the same time, so budgets that are kept all the same stay proven; the
/// verdict looks at lateness where one is broken. Here lateness counts when it bends the load out of its shape:
/// long in itself (half a second), and a good part (a quarter) of the latency that was measured.
struct GeneratorDoubts {
  var report: GeneratorReport
  var latency: LatencyHistogram
  /// Requests not sent for want of room in murphy.
  var dropped: Int
  var planned: Int
  /// Requests that failed because this machine had no port, file or memory left.
  var exhausted: Int

  /// Microseconds.
  private static let longLateness = 500_000.0
  private static let partOfLatency = 0.25
  /// Of a loop's core, per cent.
  private static let fullCore = 95.0
  /// Microseconds.
  private static let longStall = 1_000_000.0

  var sentences: [String] {
    var sentences: [String] = []
    let late = report.lateness.p99
    let slow = Double(latency.percentile(99)) / 1000
    let isLate = late > Self.longLateness && late > slow * Self.partOfLatency
    if isLate {
      sentences.append(
        "murphy sent 1 % of the requests more than \(milliseconds(late)) late, which is a good part of their latency "
          + "(p99 \(milliseconds(slow))). Give it more cores, or less load")
    }
    if report.cpuPercent > Self.fullCore, late > Self.longLateness / 10 {
      sentences.append(
        "a loop of murphy used \(report.cpuPercent.rounded()) % of its core. Give it more cores, or less load")
    }
    if report.longestStall > Self.longStall {
      sentences.append(
        "a loop of murphy stood still for \(milliseconds(report.longestStall)): the machine was busy with something else"
      )
    }
    if dropped > 0 {
      let share = Double(dropped) * 100 / Double(max(planned, 1))
      sentences.append(
        "\(dropped) of \(planned) planned requests (\((share * 10).rounded() / 10) %) were dropped because too many "
          + "users were there at once")
    }
    if exhausted > 0 {
      sentences.append("\(exhausted) requests failed because this machine had no port, file or memory left for them")
    }
    return sentences
  }

  private func milliseconds(_ microseconds: Double) -> String { "\((microseconds / 100).rounded() / 10) ms" }
}
