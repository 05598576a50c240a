import MurphyModel

/// The whole distribution of latency: a percentile curve per operation, and where it lay over time.
struct DistributionSection: ReportSection {
  static let id = "distribution"
  static let title = "Latency distribution"
  static let entry = "Distribution"

  let result: RunResult

  /// More curves than this are left out, and said so.
  private static let curvesShown = 24

  var content: Markup? {
    let measured = result.operations.filter { $0.latency.count > 0 }
    guard !measured.isEmpty else { return nil }
    let shown = measured.sorted { $0.latency.count > $1.latency.count }.prefix(Self.curvesShown)
    let axis = Axis.latency(shown.flatMap { [$0.service.min, $0.latency.min, $0.latency.max] }.map { max($0, 1) })
    return .group([
      lead(
        "Read a curve from the left: half of the users waited at most its height at 50%, all but one in a hundred at "
          + "99%. The dashed line is the service time. All curves share one scale."
          + (result.unanswered > 0
            ? " \(counted(result.unanswered, "request")) got no answer and are in no curve: the true curves lie higher."
            : "")),
      element(.div, .class("multiples")) {
        for (index, operation) in shown.enumerated() {
          element(.figure) { PercentileCurve(operation: operation, index: index, y: axis).chart.svg(Self.size) }
        }
      },
      measured.count > shown.count
        ? element(
          .p, .class("cut"), text: "\(measured.count - shown.count) operations with fewer requests are not drawn.")
        : .nothing,
      LatencyHeat(result: result).markup,
    ])
  }

  private static let size = ChartSize(width: 320, height: 190, left: 50, right: 14, top: 40)
}
