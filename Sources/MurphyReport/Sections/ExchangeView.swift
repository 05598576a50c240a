import MurphyModel

/// A request and its answer as they went over the wire.
struct ExchangeView {
  let exchange: Exchange
  let pointer: String?

  var markup: Markup {
    element(.div, .class("exchange")) {
      element(.div) {
        element(.h4, text: "Request, at \(Figure.seconds(exchange.sent).text)")
        message(
          "\(exchange.method) \(exchange.url)", exchange.requestHeaders,
          exchange.requestBody.map { BodyListing($0, pointer: nil).markup }, label: "request")
      }
      element(.div) {
        if let status = exchange.status {
          element(.h4, text: "Answer, after \(Figure.latency(exchange.took).text)")
          message(
            "\(status)", exchange.responseHeaders,
            exchange.responseBody.map { BodyListing($0, pointer: pointer).markup }, label: "answer")
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
    return element(
      .p, .class("cut"),
      text: "Cut: the whole has \(Figure.bytes(exchange.responseSize).text).")
  }
}
