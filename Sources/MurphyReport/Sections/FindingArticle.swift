import MurphyModel

/// One finding: its message, place, frequency and load, and the exchange that proves it.
struct FindingArticle: Sendable {
  let finding: Finding
  /// The number in the order of the page, from 1.
  let number: Int
  var unfolded = false
  /// True if its heading directly follows that of a section: headings descend one level at a time.
  var followsSection = false
  /// Its details that no earlier finding and no chart shows.
  var details: [String] = []
  /// The finding that already shows some of its details.
  var sibling: Int?
  /// The numbers of the checks that it fails.
  var breaks: [(number: Int, name: String)] = []
  /// The stages of the run's load.
  var stages: [LoadStage] = []
  /// The finding of the same kind with the advice; nil if this one has it.
  var advisedAt: Int?
  /// The finding that its first detail names as the cause.
  var causedBy: Int?

  init(_ finding: Finding, number: Int) { (self.finding, self.number) = (finding, number) }

  init(_ entry: FindingList.Entry, in list: FindingList) {
    self.init(entry.finding, number: entry.number)
    causedBy = list.cause(of: entry.finding)
  }

  /// The element that a link to a finding leads to.
  static func anchor(_ number: Int) -> String { "finding-\(number)" }

  var markup: Markup {
    .element(
      .article, [.class("finding \(finding.severity.rawValue)"), .id(Self.anchor(number))] + finding.filters, content)
  }

  @MarkupBuilder private var content: Markup {
    element(.p, .class("what")) {
      element(
        .a, .class("number"), .anchor(Self.anchor(number)), .label("Link to finding \(number)"), text: "\(number)")
      Badge.of(finding.severity)
      element(.code, text: finding.kind.rawValue)
      if let operation = finding.operation { element(.span, .class("name"), text: operation) }
    }
    element(followsSection ? .h3 : .h4, text: finding.message)
    element(.div, .class("when")) {
      hasMoment ? finding.occurrence : ""
      if let threshold = finding.loadThreshold {
        " · "
        element(.strong, text: threshold)
      }
      for (index, check) in breaks.enumerated() {
        index == 0 && !hasMoment ? "fails " : " · fails "
        element(.a, .anchor(Check.anchor(check.number)), text: check.name)
      }
    }
    if !details.isEmpty || sibling != nil {
      element(.ul, .class("details")) {
        for line in details.prefix(Self.detailsShown) { element(.li, text: line) }
        if let sibling {
          element(.li) {
            "more details: see finding "
            element(.a, .anchor(Self.anchor(sibling)), text: "\(sibling)")
          }
        }
      }
    }
    if details.count > Self.detailsShown {
      element(.details) {
        element(.summary, text: counted(details.count - Self.detailsShown, "more line"))
        element(.ul, .class("details")) {
          for line in details.dropFirst(Self.detailsShown).prefix(24) { element(.li, text: line) }
        }
      }
    }
    if let witness = finding.evidence?.witness { WitnessView(witness, number: number).markup }
    LoadDrift(finding: finding, stages: stages).markup
    if let drift = finding.drift { DriftChart(drift: drift, id: "drift-\(number)").block }
    remedy
    EvidenceView(
      evidence: finding.evidence ?? Evidence(), fingerprint: finding.fingerprint, unfolded: unfolded, number: number
    ).markup
  }

  private static let detailsShown = 5

  /// The advice for findings of the kind, shown once.
  private var remedy: Markup {
    if let advisedAt {
      return element(.p, .class("remedy")) {
        "what to do: see finding "
        element(.a, .anchor(Self.anchor(advisedAt)), text: "\(advisedAt)")
      }
    }
    return element(.details, .class("remedy")) {
      element(.summary, text: "What to do")
      element(.p) { Markup.prose(finding.kind.rule.remedy) }
    }
  }

  /// A budget and a check on the traffic concern the whole run, a drift a part of it.
  private var hasMoment: Bool {
    finding.drift != nil || finding.kind.family != .budget && finding.kind.family != .traffic
  }
}

extension FindingArticle {
  /// In a summary: message, place, frequency, and the command that reproduces it.
  var markdown: String {
    let subject = [finding.kind.rawValue, finding.operation].compactMap(\.self).map(MarkdownText.code)
      .joined(separator: " ")
    let lines = [
      "**\(number). \(finding.severity.rawValue)** \(subject): \(MarkdownText.plain(finding.message))  ",
      occurrence + (finding.loadThreshold.map { ", **\($0)**" } ?? "")
        + (finding.evidence?.source.map { ", declared at \(MarkdownText.code($0.text))" } ?? ""),
    ]
    let command = finding.evidence?.curl.map {
      "\n" + Block.fold("Reproduce", [.code($0.text, language: "sh")]).markdown
    }
    return lines.joined(separator: "\n") + (command ?? "")
  }

  private var occurrence: String { finding.occurrence + (causedBy.map { ", caused by finding \($0)" } ?? "") }

  private static let exchangesShown = 6

  /// On a terminal: message, place, frequency, and the first of the exchanges that prove it.
  func lines(_ terminal: Terminal) -> [String] {
    let sign = terminal.paint(finding.severity.rawValue, finding.severity == .error ? .boldRed : .boldYellow)
    let subject = [finding.operation, finding.kind.rawValue].compactMap(\.self).map(TerminalText.safe)
      .joined(separator: " ")
    let threshold = finding.loadThreshold.map { ", \($0)" } ?? ""
    let head = [
      "\(number). \(sign) \(terminal.paint(TerminalText.cut(subject, to: terminal.width - 12), .bold))"
    ]
    return head + terminal.indented("\(finding.message) (\(occurrence)\(threshold))")
      + witness(terminal)
  }

  /// The exchanges that prove a finding of the state judge, and a possible explanation.
  private func witness(_ terminal: Terminal) -> [String] {
    let lines = finding.witnessLines
    guard !lines.isEmpty else { return [] }
    let cut = lines.count - Self.exchangesShown
    let rest =
      cut > 0 ? ["  " + terminal.paint("and \(counted(cut, "more exchange"))\(terminal.elsewhere)", .faint)] : []
    return lines.prefix(Self.exchangesShown).flatMap(terminal.indented) + rest
      + finding.remarks.flatMap(terminal.indented)
  }
}

extension Finding {
  /// The attributes by which the script of the page filters findings.
  var filters: [Attribute] {
    [
      Attribute("data-severity", severity.rawValue),
      Attribute("data-family", kind.family.rawValue),
    ] + (operation.map { [Attribute("data-operation", $0)] } ?? [])
  }
}

/// The frequency of a finding at each stage of the load, if it differs: a bar per stage.
struct LoadDrift {
  let finding: Finding
  /// The run's stages.
  let stages: [LoadStage]

  var markup: Markup {
    let occurrences = finding.load.filter { $0.requests > 0 && stages.indices.contains($0.stage) }
    let (lowest, highest) = (occurrences.map(share).min() ?? 0, occurrences.map(share).max() ?? 0)
    // The frequency is the same at every load, so its count is enough.
    guard occurrences.count > 1, highest > 1.25 * lowest else { return .nothing }
    return element(.div, .class("drift"), Attribute("role", "img"), .label("Frequency at each load")) {
      for stage in occurrences.prefix(24) { line(stage, highest) }
    }
  }

  private func share(_ stage: LoadOccurrence) -> Double { Double(stage.occurrences) / Double(stage.requests) }

  /// A share only if each request can show the finding at most once.
  private func amount(_ stage: LoadOccurrence) -> String {
    let requests = counted(stage.requests, "request")
    return stage.occurrences > stage.requests
      ? "\(stage.occurrences.text) times in \(requests)"
      : "\(Figure.percent(stage.occurrences, of: stage.requests).text) of \(requests)"
  }

  private func line(_ stage: LoadOccurrence, _ highest: Double) -> Markup {
    element(.div) {
      element(.span, .class("stage"), text: stages[stage.stage].text)
      element(.span, .class("gauge broken"), .decorative) {
        element(.i, .width(percent: highest > 0 ? share(stage) * 100 / highest : 0))
      }
      element(.span, .class("share"), text: "\(amount(stage)) at \(Figure.rate(stage.rate).text)")
    }
  }
}

/// The curve of a drift over the load or over time. It has a dot for each interval of the run, and a line at the
/// beginning of the drift.
struct DriftChart {
  let drift: Drift
  /// Unique in the page.
  let id: String

  var block: Block {
    .panels(
      [(chart, 190)], style: "curve",
      caption: Phrase(
        "The x axis shows: \(x.title). Each dot is a part of the run. All parts have about the same number of "
          + "requests. Hollow dots: \(bound). Filled dots: \(beyond)."))
  }

  private var chart: Chart {
    let (low, high) = (drift.points.filter { !isBeyond($0) }, drift.points.filter(isBeyond))
    return Chart(
      id: id, title: "\(name) over \(drift.axis == .time ? "time" : "the load")",
      description: "The median is \(value(drift.low)) \(bound), and \(value(drift.high)) \(beyond).", x: x, y: y,
      marks: [
        Mark.rule(x: drift.threshold, style: "stage"),
        Mark.scatter(low.map(dot), style: "base", ring: true), Mark.scatter(high.map(dot), style: "p99"),
      ])
  }

  private var name: String { drift.measure == .latency ? "latency (geometric mean)" : "share of errors" }

  private func isBeyond(_ point: Drift.Point) -> Bool {
    drift.axis == .time ? point.from >= drift.threshold : point.load > drift.threshold
  }

  private func dot(_ point: Drift.Point) -> Point {
    Point(drift.axis == .time ? (point.from + point.until) / 2 : point.load, point.value)
  }

  private var bound: String {
    switch drift.axis {
    case .requests: "up to \(Figure.digits(drift.threshold)) requests/s"
    case .users: "up to \(Figure.digits(drift.threshold)) users"
    case .time: "until \(Figure.time(.saturating(seconds: drift.threshold)).text)"
    }
  }

  private var beyond: String { drift.axis == .time ? "after that time" : "above that load" }

  private var x: Axis {
    let highest = drift.points.map(\.load).max() ?? 0
    return switch drift.axis {
    case .requests: .quantity(to: highest, title: "requests/s of all operations")
    case .users: .quantity(to: highest, title: "users")
    case .time: .time(to: .saturating(seconds: drift.points.last?.until ?? 0))
    }
  }

  private var y: Axis {
    let values = drift.points.map(\.value)
    if drift.measure == .latency { return .latency(values, title: name) }
    return Axis(0...max((values.max() ?? 0) * 1.08, 0.01), title: name) { percentText($0) }
  }

  private func value(_ value: Double) -> String {
    drift.measure == .latency ? Figure.latency(.microseconds(saturating: value)).text : percentText(value)
  }
}
