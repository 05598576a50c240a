import MurphyModel

/// The accounting of every request, written as the sums that must be equal.
struct LedgerSection: ReportSection {
  static let id = "ledger"
  static let title = "Ledger"

  let result: RunResult

  private var ledger: Ledger { result.ledger }

  var isFolded: Bool { result.ledger.contradictions.isEmpty }

  var blocks: [Block] {
    Block.lead(
      "The equations count every planned request. Requests that murphy did not send, and responses that murphy did not "
        + "check, are listed by reason.")
    element(.div, .class("equations")) {
      equation(("planned", ledger.planned), [("sent", ledger.sent), ("dropped", ledger.droppedTotal)])
      equation(
        ("sent", ledger.sent),
        [
          ("answered", ledger.answered), ("lost", ledger.transport), ("cancelled", ledger.cancelled),
          ("in flight at the end", ledger.inFlightAtEnd),
        ])
      equation(
        ("answered", ledger.answered),
        [("conformant", ledger.conformant), ("violating", ledger.violating), ("unchecked", ledger.uncheckedTotal)])
    }
    reasons("Dropped requests by reason", ledger.dropped)
    reasons("Unchecked responses by reason", ledger.unchecked)
    let notes =
      [ledger.redirects > 0 ? redirects : nil, retries > 0 ? retried : nil].compactMap(\.self) + result.sideNotes
      + (ledger.repeated > 0 ? [ledger.repeatSentence] : [])
    notes.map { Block.text(Phrase($0)) }
    let broken = ledger.contradictions
    if broken.isEmpty {
      Block.text("✓ The totals are consistent.", style: "sum kept")
    } else {
      Block.lines(broken.map { "✗ \($0)" }, style: "sum broken")
    }
  }

  private var retries: Int { result.operations.reduce(0) { $0 + ($1.retries ?? 0) } }

  private var retried: String {
    "The client sent \(counted(retries, "retry", "retries")) (`retry:`). Each retry counts as a separate request above."
  }

  private var redirects: String {
    "\(counted(ledger.redirects, "response")) redirected the client. Each followed redirect counts as a separate "
      + "request above."
  }

  private func equation(_ total: (String, Int), _ parts: [(String, Int)]) -> Markup {
    element(.p, .class("equation")) {
      term(total, "")
      for (index, part) in parts.enumerated() { term(part, index == 0 ? "=" : "+") }
    }
  }

  /// A sign and the number after it stay on one line.
  private func term(_ term: (String, Int), _ sign: String) -> Markup {
    element(.span, .class("term\(term.1 == 0 ? " zero" : "")")) {
      if !sign.isEmpty { element(.span, .class("op"), text: "\(sign) ") }
      element(.strong, text: term.1.text)
      " "
      element(.small, text: term.0)
    }
  }

  @BlockBuilder private func reasons(_ title: String, _ reasons: [ReasonCount]) -> [Block] {
    if !reasons.isEmpty {
      Block.heading(title)
      Block.lines(
        reasons.map { "\($0.count.text) × \($0.reason)" }.first(20) {
          "and \(counted($0, "more reason"))"
        })
    }
  }
}

extension Ledger {
  /// The repeated requests, in words.
  var repeatSentence: String {
    "Murphy sent \(counted(repeated, "request")) a second time, because the server closed the connection before the "
      + "response. \(sendings.text) transmissions = \(sent.text) sent + \(repeated.text) repeated."
  }
}
