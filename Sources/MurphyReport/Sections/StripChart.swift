import MurphyModel

/// Every request of one key over time, with the windows of the policy and the proof.
struct StripChart {
  let strip: KeyStrip
  /// Length of the policy's windows, seconds.
  let window: Double?
  let id: String
  /// The duration of the run in seconds.
  let duration: Double
  var labelsX = true

  /// A strip longer than this many windows shows only the part around its proof.
  private static let windowsShown = 6.0

  var markup: Markup {
    element(.div, .class("strip")) {
      element(.h4) {
        "key "
        element(.code, text: strip.key)
        element(.small, text: words)
      }
      chart.responsive(wide: size(960), narrow: size(360))
    }
  }

  private func size(_ width: Double) -> ChartSize {
    // The bracket and its words need space above the ticks.
    let top = strip.witness.isEmpty ? 4.0 : 24.0
    return ChartSize(width: width, height: top + 62, left: 6, right: 14, top: top)
  }

  private var chart: Chart {
    let span = span
    let shown = strip.requests.filter { span.contains($0.at) }
    func times(_ decision: LimitDecision) -> [Double] { shown.filter { $0.decision == decision }.map(\.at) }
    let proof = strip.witness.compactMap { strip.requests.indices.contains($0) ? strip.requests[$0] : nil }
    var marks: [Mark] = [
      Mark.band(bands(span), style: "window"),
      Mark.strip(admitted: times(.admitted), refused: times(.refused), unknown: times(.unknown)),
    ]
    if let first = proof.map(\.at).min(), let last = proof.map(\.at).max() {
      marks.append(Mark.bracket(first...last, label: proofWords(proof)))
    }
    var x = Axis.time(to: span.upperBound)
    if span.lowerBound > 0 {
      x = Axis(span, title: x.title) { Figure.seconds($0).text }
    }
    return Chart(
      id: id, title: "Requests of key \(strip.key)", description: words + ".", x: x,
      y: Axis(-1...1, title: "", ticks: [0]) { _ in "" }, labelsX: labelsX, marks: marks)
  }

  private var words: String {
    func count(_ decision: LimitDecision) -> Int { strip.requests.count { $0.decision == decision } }
    let unknown = count(.unknown)
    return "\(Figure.count(count(.admitted)).text) admitted, \(Figure.count(count(.refused)).text) refused"
      + (unknown > 0 ? ", \(Figure.count(unknown).text) unknown" : "")
  }

  private func proofWords(_ proof: [KeyStrip.Tick]) -> String {
    let admitted = proof.count { $0.decision == .admitted }
    let refused = proof.count { $0.decision == .refused }
    let span = (proof.map(\.at).max() ?? 0) - (proof.map(\.at).min() ?? 0)
    let parts = [admitted > 0 ? "\(admitted) admitted" : "", refused > 0 ? "\(refused) refused" : ""].filter {
      !$0.isEmpty
    }
    return "proof: \(parts.joined(separator: ", ")) within \(Figure.seconds(span).text)"
  }

  /// The whole run, or the windows around the proof if the run is long.
  var span: ClosedRange<Double> {
    let last = strip.requests.map(\.at).max() ?? 0
    let whole = 0...max(duration, last, 1)
    guard let window, window > 0, whole.upperBound > window * Self.windowsShown else { return whole }
    let proof = strip.witness.filter { strip.requests.indices.contains($0) }.map { strip.requests[$0].at }
    let middle = proof.isEmpty ? (strip.requests.first?.at ?? 0) : (proof.min() ?? 0)
    let from = max(middle - 1.5 * window, 0)
    return from...max((proof.max() ?? middle) + 1.5 * window, from + Self.windowsShown / 2 * window)
  }

  /// Every other window, so that adjacent windows can be distinguished.
  private func bands(_ span: ClosedRange<Double>) -> [ClosedRange<Double>] {
    guard let window, window > 0 else { return [] }
    return strip.windows.sorted().enumerated().compactMap { index, start in
      let next = index + 1 < strip.windows.count ? strip.windows.sorted()[index + 1] : .infinity
      guard index.isMultiple(of: 2), start <= span.upperBound, start + window >= span.lowerBound else { return nil }
      return start...min(start + window, max(next, start))
    }
  }
}
