import MurphyModel

/// Latency, errors and responses of each operation over time, as small charts next to each other.
struct OperationCharts {
  let result: RunResult

  /// The number of charts: those of the operations with the most requests.
  private static let drawn = 12
  private static let size = ChartSize(width: 320, height: 150, left: 56, right: 14, top: 40)

  @BlockBuilder var blocks: [Block] {
    let operations = result.operations.filter { $0.timeline != nil }
    if operations.count > 1 {
      let drawn = operations.sorted { $0.requests > $1.requests }.prefix(Self.drawn)
      let charts = drawn.flatMap { operation -> [Block] in
        guard let timeline = operation.timeline else { return [] }
        return [.heading(operation.operation), .multiples(self.charts(operation, timeline), Self.size)]
      }
      Block.fold(
        "Each operation over time",
        charts + Block.cut(operations.count - Self.drawn) { "\(counted($0, "more operation")) not shown." })
    }
  }

  private func charts(_ operation: OperationResult, _ timeline: OperationTimeline) -> [Chart] {
    let step = Double(timeline.step)
    func points(_ values: [Double]) -> [Point] {
      values.enumerated().map { Point((Double($0.offset) + 0.5) * step, $0.element) }
    }
    let rates = timeline.requests.map { Double($0) / step }
    let shares = zip(timeline.errors, timeline.requests).map { $1 > 0 ? Double($0) * 100 / Double($1) : 0 }
    let latencies = points(timeline.latency).map { $0.y > 0 ? $0 : nil }
    return [
      chart(
        operation, "latency", "typical latency", latencies, .latency(timeline.latency, title: ""),
        budget(operation, timeline)),
      chart(
        operation, "errors", "errors", points(shares),
        Axis(0...max(shares.max() ?? 0, 1), title: "") {
          "\(Figure.digits($0))%"
        }, []),
      chart(operation, "rate", "requests/s", points(rates), .quantity(to: rates.max() ?? 0, title: ""), []),
    ]
  }

  /// The operation's p95 budget, unless it is far above the values.
  private func budget(_ operation: OperationResult, _ timeline: OperationTimeline) -> [Mark] {
    let high = timeline.latency.max() ?? 0
    let row = result.budgets.first { $0.operation == operation.operation && $0.metric == .latency(percentile: 95) }
    guard let limit = row?.limit.value, limit <= high * 3 else { return [] }
    return [Mark.rule(y: limit, style: "limit", label: "p95 budget \(Figure.latency(limit).text)")]
  }

  private func chart(
    _ operation: OperationResult, _ name: String, _ title: String, _ points: [Point?], _ axis: Axis, _ rules: [Mark]
  ) -> Chart {
    let known = points.compactMap { $0?.y }
    let highest = axis.label(known.max() ?? 0)
    return Chart(
      id: "operation-\(operation.operation)-\(name)", title: "\(operation.operation), \(title), over time",
      description: "At most \(highest).", x: .time(to: Double(points.count) * Double(operation.timeline?.step ?? 1)),
      y: axis, heading: [title, "at most \(highest)"],
      marks: rules + [Mark.line(points, style: "p50", label: title, hasEndLabel: false)])
  }
}
