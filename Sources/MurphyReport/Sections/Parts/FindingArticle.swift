import MurphyModel

/// One finding: what, where, how often, at which load, and the exchange that proves it.
struct FindingArticle {
  let finding: Finding
  /// In the order of the page, from 1.
  let number: Int
  let unfolded: Bool
  /// Its details that neither a finding before it has told nor a drawing shows.
  let details: [String]
  /// The finding that has told some of its details.
  let sibling: Int?
  /// The checks that it breaks, by their numbers.
  let breaks: [(number: Int, name: String)]
  /// The stages of the run's load.
  let stages: [LoadStage]
  /// The finding of the same kind that has said what to do; nil where this one says it.
  let advisedAt: Int?

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
    element(.h4, text: finding.message)
    element(.div, .class("when")) {
      hasMoment ? finding.occurrence : ""
      if let threshold = finding.loadThreshold {
        " · "
        element(.strong, text: threshold)
      }
      for (index, check) in breaks.enumerated() {
        index == 0 && !hasMoment ? "breaks " : " · breaks "
        element(.a, .anchor(Check.anchor(check.number)), text: check.name)
      }
    }
    if !details.isEmpty || sibling != nil {
      element(.ul, .class("details")) {
        for line in details.prefix(Self.detailsShown) { element(.li, text: line) }
        if let sibling {
          element(.li) {
            "more as at finding "
            element(.a, .anchor(Self.anchor(sibling)), text: "\(sibling)")
          }
        }
      }
    }
    if details.count > Self.detailsShown {
      element(.details) {
        element(.summary, text: counted(details.count - Self.detailsShown, "more line"))
        list(details.dropFirst(Self.detailsShown).prefix(24), "details")
      }
    }
    if let witness = finding.evidence?.witness { WitnessView(witness, id: "witness-\(number)").markup }
    LoadDrift(finding: finding, stages: stages).markup
    if let drift = finding.drift { DriftChart(drift, id: "drift-\(number)").markup }
    remedy
    EvidenceView(
      evidence: finding.evidence ?? Evidence(), fingerprint: finding.fingerprint, unfolded: unfolded, number: number
    ).markup
  }

  private static let detailsShown = 5

  /// What to do about findings of the kind, said once.
  private var remedy: Markup {
    if let advisedAt {
      return element(.p, .class("remedy")) {
        "what to do: as at finding "
        element(.a, .anchor(Self.anchor(advisedAt)), text: "\(advisedAt)")
      }
    }
    return element(.details, .class("remedy")) {
      element(.summary, text: "What to do")
      element(.p) {
        for part in finding.kind.rule.remedyParts {
          switch part {
          case .text(let text): text
          case .code(let code): element(.code, text: code)
          }
        }
      }
    }
  }

  /// A budget and a check on the traffic are of the whole run, a drift of a part of it.
  private var hasMoment: Bool {
    finding.drift != nil || finding.kind.family != .budget && finding.kind.family != .traffic
  }
}

extension Finding {
  /// What the page's script filters findings by.
  var filters: [Attribute] {
    [
      Attribute("data-severity", severity.rawValue),
      Attribute("data-family", String(kind.rawValue.prefix { $0 != "." })),
    ] + (operation.map { [Attribute("data-operation", $0)] } ?? [])
  }
}

/// How often a finding came at each stage of the load, where that differs: a bar per stage.
struct LoadDrift {
  let finding: Finding
  /// The run's stages.
  let stages: [LoadStage]

  var markup: Markup {
    let occurrences = finding.load.filter { $0.requests > 0 && stages.indices.contains($0.stage) }
    let (lowest, highest) = (occurrences.map(share).min() ?? 0, occurrences.map(share).max() ?? 0)
    // As often at every load: its count says that.
    guard occurrences.count > 1, highest > 1.25 * lowest else { return .nothing }
    return element(.div, .class("drift"), Attribute("role", "img"), .label("How often it came at each load")) {
      for stage in occurrences.prefix(24) { line(stage, highest) }
    }
  }

  private func share(_ stage: LoadOccurrence) -> Double { Double(stage.occurrences) / Double(stage.requests) }

  /// A share only where each request can show the finding once.
  private func amount(_ stage: LoadOccurrence) -> String {
    let requests = counted(stage.requests, "request")
    return stage.occurrences > stage.requests
      ? "\(Figure.count(stage.occurrences).text) times in \(requests)"
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

/// The exchange that proves a finding, and the command that repeats it.
struct EvidenceView {
  let evidence: Evidence
  let fingerprint: String
  let unfolded: Bool
  let number: Int

  var markup: Markup {
    element(.details, .class("evidence"), unfolded ? .open : Attribute("data-folded", "")) {
      element(.summary, text: "Evidence")
      places
      if let curl = evidence.curl { command(curl.text) }
      element(.p, .class("fingerprint")) {
        "fingerprint "
        element(.code, text: fingerprint)
      }
      if let exchange = evidence.exchange {
        ExchangeView(exchange: exchange, pointer: evidence.instancePointer, number: number).markup
      }
    }
  }

  private var places: Markup {
    let places: [(String, String)] = [
      ("in the body", evidence.instancePointer.map { $0.isEmpty ? "the whole body" : $0 }),
      ("in the contract", evidence.schemaPointer), ("declared at", evidence.source?.text),
    ].compactMap { name, place in place.map { (name, $0) } }
    return places.isEmpty ? .nothing : facts(places.map { ($0, element(.code, text: $1)) }, "facts places")
  }

  private func command(_ curl: String) -> Markup {
    element(.div, .class("command")) {
      element(.h4, text: "Reproduce")
      element(
        .pre, .id("curl-\(number)"), Attribute("tabindex", "0"), Attribute("role", "region"),
        .label("curl command of finding \(number)")
      ) {
        element(.code, text: curl)
      }
    }
  }
}

/// A request and its answer as they went over the wire.
struct ExchangeView {
  let exchange: Exchange
  let pointer: String?
  /// Of the finding, so that no two regions of a page have one name.
  let number: Int

  var markup: Markup {
    element(.div, .class("exchange")) {
      element(.div) {
        element(.h4, text: "Request, at \(Figure.seconds(exchange.sent).text)")
        message(
          "\(exchange.method) \(exchange.url)", exchange.requestHeaders,
          exchange.requestBody.map { BodyListing($0, pointer: nil).markup }, label: "request of finding \(number)")
      }
      element(.div) {
        if let status = exchange.status {
          element(.h4, text: "Answer, after \(Figure.latency(exchange.took).text)")
          message(
            "\(status)", exchange.responseHeaders,
            exchange.responseBody.map { BodyListing($0, pointer: pointer).markup }, label: "answer of finding \(number)"
          )
          cutNote
        } else {
          element(.h4, text: "No answer, for \(Figure.latency(exchange.took).text)")
        }
      }
    }
  }

  private func message(_ line: String, _ headers: [HeaderField], _ body: Markup?, label: String) -> Markup {
    element(.pre, Attribute("tabindex", "0"), Attribute("role", "region"), .label(label)) {
      element(.strong, text: line)
      for header in headers.prefix(60) {
        "\n"
        element(.span, .class("field"), text: header.name + ": ")
        header.value
      }
      if let body {
        "\n\n"
        body
      }
    }
  }

  private var cutNote: Markup {
    let kept = exchange.responseBody?.utf8.count ?? 0
    guard exchange.responseSize > kept, exchange.responseBody != nil else { return .nothing }
    return element(.p, .class("cut"), text: "Cut: the whole has \(Figure.bytes(exchange.responseSize).text).")
  }
}
