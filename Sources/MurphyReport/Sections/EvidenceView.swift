import MurphyModel

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
      if let curl = evidence.curl { command(curl) }
      element(.p, .class("fingerprint")) {
        "fingerprint "
        element(.code, text: fingerprint)
      }
      if let exchange = evidence.exchange { ExchangeView(exchange: exchange, pointer: evidence.instancePointer).markup }
    }
  }

  private var places: Markup {
    let places: [(String, String)] = [
      ("in the body", evidence.instancePointer.map { $0.isEmpty ? "the whole body" : $0 }),
      ("in the contract", evidence.schemaPointer), ("declared at", evidence.source?.text),
    ].compactMap { name, place in place.map { (name, $0) } }
    guard !places.isEmpty else { return .nothing }
    return element(.dl, .class("facts places")) {
      for (name, place) in places {
        element(.div) {
          element(.dt, text: name)
          element(.dd) { element(.code, text: place) }
        }
      }
    }
  }

  private func command(_ curl: String) -> Markup {
    element(.div, .class("command")) {
      element(.h4, text: "Repeat it")
      element(
        .pre, .id("curl-\(number)"), Attribute("tabindex", "0"), Attribute("role", "region"), .label("curl command")
      ) {
        element(.code, text: curl)
      }
    }
  }
}
