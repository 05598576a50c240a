import MurphyJudge
import MurphyModel

/// Latency and responses over the load: the loads that passed and failed, and the knee between them.
struct CapacityCurve {
  let result: CapacityResult
  /// Windows of one load, by ascending load.
  private let loads: [(load: Double, steps: [CapacityStep])]

  init(_ result: CapacityResult) {
    self.result = result
    let steps = result.steps.filter(\.isOnCurve)
    loads = Dictionary(grouping: steps, by: \.load).sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
  }

  @BlockBuilder var blocks: [Block] {
    if loads.isEmpty {
      Block.lead("No window was measured.")
    } else {
      Block.lead(
        "Each dot is a window, each line joins the medians of the loads. Shaded: between the highest passing and the lowest "
          + "failing load. Ring: the knee, the load with the best throughput per latency (throughput over p95, Kleinrock's "
          + "power).")
      Block.panels([(latency, 300), (throughput, 190)])
    }
  }

  private var x: Axis {
    let highest = loads.last?.load ?? 1
    return Axis(0...max(highest * 1.05, 1), title: "") { Figure.digits($0) + (result.unit == .users ? "" : "/s") }
  }

  private func line(_ value: (CapacityStep) -> Double?) -> [Point?] {
    loads.compactMap { load in
      let values = load.steps.compactMap(value).sorted()
      return values.isEmpty ? nil : Point(load.load, values[values.count / 2])
    }
  }

  private func dots(_ value: (CapacityStep) -> Double?) -> [Point] {
    loads.flatMap { load in load.steps.compactMap { value($0).map { Point(load.load, $0) } } }
  }

  /// The capacity, or its known bounds.
  private var edges: [Mark] {
    var marks: [Mark] = []
    if let held = result.held, let broke = result.broke {
      marks.append(Mark.band([held...max(broke, held)], style: "window"))
    }
    return marks
  }

  private func edgeRules(labels: Bool) -> [Mark] {
    [
      result.held.map { Mark.rule(x: $0, style: "stage", label: labels ? "held \(result.text($0))" : nil) },
      result.broke.map { Mark.rule(x: $0, style: "limit") },
    ].compactMap { $0 }
  }

  private var latency: Chart {
    let percentiles: [(String, (CapacityStep) -> Double?)] = [("p99", \.p99), ("p95", \.p95), ("p50", \.p50)]
    let values = percentiles.flatMap { dots($0.1).map(\.y) }
    var marks = edges + edgeRules(labels: true)
    for (style, value) in percentiles {
      marks.append(Mark.line(line(value), style: style, label: style))
      marks.append(Mark.scatter(dots(value), style: style, radius: 2))
    }
    if let knee = result.knee {
      marks.append(Mark.scatter([Point(knee.load, knee.p95)], style: "p95", radius: 7, ring: true))
    }
    return Chart(
      id: "capacity-latency", title: "Latency over the load", description: words, x: x, y: .latency(values),
      marks: marks)
  }

  private var throughput: Chart {
    let answers = dots(\.throughput)
    let highest = loads.flatMap { $0.steps.map { max($0.offered, $0.throughput) } }.max() ?? 1
    let marks: [Mark] =
      edges + edgeRules(labels: false) + [
        Mark.line(line(\.offered), style: "planned", label: "asked"),
        Mark.line(line(\.throughput), style: "p50", label: "responses"), Mark.scatter(answers, style: "p50", radius: 2),
      ]
    return Chart(
      id: "capacity-throughput", title: "Responses per second over the load",
      description: "At most \(Figure.digits(answers.map(\.y).max() ?? 0)) responses/s.", x: x,
      y: .quantity(to: highest, title: "requests/s"), marks: marks)
  }

  private var words: String {
    let ends = [loads.first, loads.last].compactMap { end in
      end.flatMap { end in
        end.steps.compactMap(\.p95).min().map { "p95 \(Figure.latency($0).text) at \(result.text(end.load))" }
      }
    }
    return ends.joined(separator: ", ") + "."
  }
}
