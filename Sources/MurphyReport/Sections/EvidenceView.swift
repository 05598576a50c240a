import MurphyModel

/// The exchange that proves a finding, and the command that reproduces it.
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
    return places.isEmpty
      ? .nothing
      : [.facts(places.map { ($0, Phrase($1, markup: element(.code, text: $1))) }, style: "facts places")].html
  }

  private func command(_ curl: String) -> Markup {
    element(.div, .class("command")) {
      element(.h4, text: "Reproduce")
      region("curl command of finding \(number)", id: "curl-\(number)") { element(.code, text: curl) }
    }
  }
}

/// A request and its response as they were sent over the network.
struct ExchangeView {
  let exchange: Exchange
  let pointer: String?
  /// The number of the finding, so that each region of a page has a unique name.
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
          element(.h4, text: "Response, after \(Figure.latency(exchange.took).text)")
          message(
            "\(status)", exchange.responseHeaders,
            exchange.responseBody.map { BodyListing($0, pointer: pointer).markup },
            label: "response of finding \(number)"
          )
          cutNote
        } else {
          element(.h4, text: "No response after \(Figure.latency(exchange.took).text)")
        }
      }
    }
  }

  private func message(_ line: String, _ headers: [HeaderField], _ body: Markup?, label: String) -> Markup {
    region(label) {
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
    return element(
      .p, .class("cut"), text: "Truncated: the whole body has \(Figure.bytes(exchange.responseSize).text).")
  }
}

/// Unchanged text, which scrolls if it is long. A keyboard user reaches it by its name, which is unique in the page.
func region(_ label: String, id: String? = nil, @MarkupBuilder content: () -> Markup) -> Markup {
  .element(
    .pre, (id.map { [.id($0)] } ?? []) + [Attribute("tabindex", "0"), Attribute("role", "region"), .label(label)],
    content())
}
