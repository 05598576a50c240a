import MurphyModel

/// The tested rate limits: the keys of each, with every request as a tick.
struct LimitsSection: ReportSection {
  static let id = "limits"
  static let title = "Rate limits"
  static let entry = "Limits"

  let result: RunResult

  var blocks: [Block] {
    let judged = result.limits.enumerated().filter { $1.verdict != .inconclusive }
    if !judged.isEmpty {
      let list = result.findingList
      Block.lead(
        "The limiter identifies a client by its key (for example by the value of X-Device-ID). Admitted: the request "
          + "passed the limiter, whatever the API responded. Refused: a limiter rejected the request. Unknown: the "
          + "request got no response.")
      for (index, row) in judged {
        LimitArticle(
          row: row, number: index + 1, finding: list.numbers(row.findings).first, duration: result.run.duration
        ).markup
      }
    }
  }
}

/// One policy: the sentence of the judge, the strips of its keys, and each request of the proof.
struct LimitArticle {
  let row: LimitRow
  let number: Int
  /// The finding that reports its violation.
  let finding: Int?
  /// The duration of the run.
  let duration: Duration

  /// A proof needs more space than a limit that passed.
  private var stripsShown: Int { row.witness.isEmpty ? 3 : 6 }

  private static let proofShown = 60

  var markup: Markup {
    element(.article, .class("limit")) {
      element(.h3) {
        row.name
        " "
        Badge.of(row.verdict)
      }
      element(.div, .class("account"), text: account)
      if let finding { told(finding) } else { notes }
      strength
      strips
      proof
    }
  }

  /// The figures, and the observed parts: limit reached, limit enforced, quota renewed.
  private var account: String {
    let figures = [(row.admitted, "admitted"), (row.refused, "refused"), (row.unknown, "unknown")]
      .map { "\($0.0.text) \($0.1)" }.joined(separator: ", ")
    let seen = row.tests?.filter { $0.outcome == .kept && $0.test.isSeen } ?? []
    let kept = seen.map { "\($0.test.rawValue): \($0.sentence)" }
    return "\(row.policy), declared by the \(row.declaredBy.rawValue). "
      + "\(counted(row.keys, "key")); requests: \(figures)."
      + (kept.isEmpty ? "" : " Confirmed: " + kept.joined(separator: "; ") + ".")
  }

  /// The wrong limiters that its traffic would have detected, and the other limiters that fit the log.
  @MarkupBuilder private var strength: Markup {
    if let strength = row.strength {
      element(.p, .class("lead strength"), text: "This check \(strength.text).")
      element(.p, .class("lead strength"), text: "The requests of the run fit these policies: \(strength.fitText).")
    }
  }

  private func told(_ finding: Int) -> Markup {
    element(.p, .class("lead")) {
      "The violation, and the script that reproduces it, are in "
      element(.a, .anchor(FindingArticle.anchor(finding)), text: "finding \(finding)")
    }
  }

  private var notes: Markup {
    let notes = [
      row.verdict == .consistent ? nil : row.sentence, row.refutes,
      row.tick.map {
        "This verdict is valid if the server's clock advances in steps of at most "
          + "\(Figure.latency(.saturating(seconds: $0)).text)."
      },
      row.operations.count > 1 ? "Operations that share the limit: \(row.operations.joined(separator: ", "))." : nil,
    ].compactMap { $0 }
    return .group(notes.map { element(.p, .class("lead"), text: $0) })
  }

  /// Strips over the same time share the labels of the last one.
  private var charts: [StripChart] {
    var charts = row.strips.prefix(stripsShown).enumerated().map { index, strip in
      StripChart(strip: strip, window: row.window, id: "strip-\(number)-\(index + 1)", duration: duration)
    }
    for index in charts.indices.dropLast() { charts[index].labelsX = charts[index].span != charts[index + 1].span }
    return charts
  }

  @MarkupBuilder private var strips: Markup {
    if !row.strips.isEmpty {
      element(.figure, .class("strips")) {
        for chart in charts { chart.markup }
        element(.figcaption) {
          "Each tick is a request: above the line if admitted, below the line if refused. A ring on the line is a "
            + "request with an unknown decision. "
          row.window == nil ? "" : "Every other window is shaded. "
          row.witness.isEmpty ? "" : "The bracket marks the requests that prove the violation."
        }
      }
    }
    // A result contains the strips of a few keys only.
    let hidden = max(row.keys, row.strips.count) - min(row.strips.count, stripsShown)
    Block.cut(row.strips.isEmpty ? 0 : hidden) { "Not shown: \(counted($0, "key"))." }
  }

  @MarkupBuilder private var proof: Markup {
    if !row.witness.isEmpty {
      element(.details, .class("numbers")) {
        element(.summary, text: "Evidence: \(counted(row.witness.count, "request"))")
        ReportTable(
          "Requests that prove the violation",
          [.text("request"), .number("sent"), .number("answered"), .number("status"), .text("decision")],
          row.witness.prefix(Self.proofShown).enumerated().map { Self.cells($0 + 1, $1) }, style: "dense"
        ).markup
        Block.cut(row.witness.count - Self.proofShown) {
          "Not shown: \(counted($0, "request")) (see result.json)."
        }
      }
    }
  }

  private static func cells(_ number: Int, _ request: WitnessRequest) -> [ReportTable.Cell] {
    [
      .text("\(number). \(request.operation)"), .text(moment(request.sent)),
      .text(request.answered.map(moment) ?? "no response"), .text(request.status == 0 ? "–" : String(request.status)),
      .text(request.decision.rawValue),
    ]
  }

  /// To the millisecond, because a proof needs it.
  private static func moment(_ seconds: Double) -> String { Figure.exact(.saturating(seconds: seconds)).text }
}

/// Every request of one key over time, with the windows of the policy and the proof.
struct StripChart {
  let strip: KeyStrip
  /// Length of the policy's windows, seconds.
  let window: Double?
  let id: String
  /// The duration of the run.
  let duration: Duration
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
    var x = Axis.time(to: .saturating(seconds: span.upperBound))
    if span.lowerBound > 0 {
      x = Axis(span, title: x.title) { Figure.time(.saturating(seconds: $0)).text }
    }
    return Chart(
      id: id, title: "Requests of key \(strip.key)", description: words + ".", x: x,
      y: Axis(-1...1, title: "", ticks: [0]) { _ in "" }, labelsX: labelsX, marks: marks)
  }

  private var words: String {
    func count(_ decision: LimitDecision) -> Int { strip.requests.count { $0.decision == decision } }
    let unknown = count(.unknown)
    return "\(count(.admitted).text) admitted, \(count(.refused).text) refused"
      + (unknown > 0 ? ", \(unknown.text) unknown" : "")
  }

  private func proofWords(_ proof: [KeyStrip.Tick]) -> String {
    let admitted = proof.count { $0.decision == .admitted }
    let refused = proof.count { $0.decision == .refused }
    let span = (proof.map(\.at).max() ?? 0) - (proof.map(\.at).min() ?? 0)
    let parts = [admitted > 0 ? "\(admitted) admitted" : "", refused > 0 ? "\(refused) refused" : ""].filter {
      !$0.isEmpty
    }
    return "proof: \(parts.joined(separator: ", ")) within \(Figure.time(.saturating(seconds: span)).text)"
  }

  /// The whole run, or the windows around the proof if the run is long.
  var span: ClosedRange<Double> {
    let last = strip.requests.map(\.at).max() ?? 0
    let whole = 0...max(duration.inSeconds, last, 1)
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
