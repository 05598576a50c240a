import MurphyModel

/// The few exchanges that prove a finding of the state judge. They are shown over time and sessions, and listed with
/// their commands.
package struct WitnessView {
  let witness: [WitnessExchange]
  /// The number of the finding, unique in the page.
  let number: Int
  private var id: String { "witness-\(number)" }

  package init(_ witness: [WitnessExchange], number: Int) { (self.witness, self.number) = (witness, number) }

  private static let lane = 26.0
  private static let left = 92.0
  private static let right = 16.0
  private static let foot = 22.0
  /// Space for the number of a bar in the first lane.
  private static let top = 10.0

  var markup: Markup {
    guard !witness.isEmpty else { return .nothing }
    return element(.div, .class("witness")) {
      element(.h4, text: "Exchanges that prove the finding")
      // Two sizes; the page shows the one that fits.
      drawing(width: 960, variant: "wide")
      drawing(width: 360, variant: "narrow")
      element(.ul, .class("exchanges")) {
        for (index, (exchange, line)) in zip(witness, Finding.lines(of: witness)).enumerated() {
          element(.li) {
            element(.code, text: line)
            if let curl = exchange.curl {
              element(.details) {
                element(.summary, text: "Reproduce")
                region("command of exchange \(index + 1) of finding \(number)") { element(.code, text: curl.text) }
              }
            }
          }
        }
      }
    }
  }

  /// Sessions from top to bottom in the order in which they appear.
  private var lanes: [Int] { witness.grouped(by: \.session).map(\.key) }

  /// Seconds, with a margin on both sides. The time before the load is included only for requests sent before it.
  private var span: ClosedRange<Double> {
    let low = witness.map(\.sent.inSeconds).min() ?? 0
    let high = witness.map(\.answered.inSeconds).max() ?? 0
    let margin = max((high - low) * 0.02, 0.001)
    return (low < 0 ? low - margin : max(low - margin, 0))...high + margin
  }

  /// Time runs to the right, and each session has a lane. Each exchange is a bar from its send to its response.
  package func drawing(width: Double, variant: String) -> Markup {
    let (lanes, span) = (lanes, span)
    let height = Double(lanes.count) * Self.lane + Self.foot + Self.top + 4
    func x(_ moment: Duration) -> Double {
      Self.left + (moment.inSeconds - span.lowerBound) / (span.upperBound - span.lowerBound)
        * (width - Self.left - Self.right)
    }
    func y(_ session: Int) -> Double {
      Double(lanes.firstIndex(of: session) ?? 0) * Self.lane + Self.lane / 2 + Self.top
    }
    return element(
      .svg, .class("chart spacetime \(variant)"), .viewBox(width, height), Attribute("role", "img"),
      Attribute("aria-labelledby", "\(id)-\(variant)-title \(id)-\(variant)-desc")
    ) {
      element(.title, .id("\(id)-\(variant)-title"), text: "The exchanges in time, one line for each session")
      element(.desc, .id("\(id)-\(variant)-desc"), text: Finding.lines(of: witness).joined(separator: "; "))
      for session in lanes {
        element(
          .text, .class("y"), Attribute("x", Self.left - 8), Attribute("y", y(session) + 4),
          text: session < 0 ? "murphy" : "session \(session)")
        element(.path, .class("lane"), .path("M\(Self.left) \(y(session))H\(width)"))
      }
      // The send time of a read limits which writes it can have missed. The ends of writes determine which must be
      // visible.
      for exchange in witness where exchange.isRead {
        element(.path, .class("bound"), .path("M\(x(exchange.sent)) 2V\(height - Self.foot)"))
      }
      for (index, exchange) in witness.enumerated() {
        bar(exchange, index + 1, from: x(exchange.sent), to: x(exchange.answered), y: y(exchange.session))
      }
      let length = Duration.saturating(seconds: span.upperBound - span.lowerBound)
      for (end, anchor) in [(span.lowerBound, "start"), (span.upperBound, "end")] {
        let moment = Duration.saturating(seconds: end)
        element(
          .text, Attribute("x", x(moment)), Attribute("y", height - 6), Attribute("text-anchor", anchor),
          text: Figure.moment(moment, within: length).text)
      }
    }
  }

  private func bar(_ exchange: WitnessExchange, _ number: Int, from: Double, to: Double, y: Double) -> Markup {
    let end = max(to, from + 3)
    let kind = exchange.isRead ? "read" : "write"
    let style = exchange.isSuspect ? "\(kind) suspect" : exchange.outcome == .unknown ? "\(kind) unknown" : kind
    return element(.g, .class("bar \(style)")) {
      element(.path, .path("M\(from) \(y - 5)H\(end)V\(y + 5)H\(from)Z"))
      element(
        .text, Attribute("x", (from + end) / 2), Attribute("y", y - 7), Attribute("text-anchor", "middle"),
        text: "\(number)")
    }
  }
}
