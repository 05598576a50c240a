import MurphyModel
import MurphySchema

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
  /// `base of `, if the page has two exchanges of the finding.
  var side = ""
  /// `status` or `header NAME`, to mark it; other places are in the body.
  var place = ""

  var markup: Markup {
    element(.div, .class("exchange")) {
      element(.div) {
        element(.h4, text: "Request, sent at \(Figure.time(exchange.sent).text)")
        if let trace = exchange.traceText { element(.p, .class("fingerprint"), text: trace) }
        message(
          "\(exchange.method) \(exchange.url)", exchange.requestHeaders,
          exchange.requestBody.map { BodyListing($0, pointer: nil).markup },
          label: "request of \(side)finding \(number)")
      }
      element(.div) {
        if let status = exchange.status {
          element(.h4, text: "Response, received after \(Figure.latency(exchange.took).text)")
          message(
            "\(status)", exchange.responseHeaders,
            exchange.responseBody.map { BodyListing($0, pointer: pointer).markup },
            label: "response of \(side)finding \(number)", marks: place)
          cutNote
        } else {
          element(.h4, text: "No response after \(Figure.latency(exchange.took).text)")
        }
      }
    }
  }

  private func message(
    _ line: String, _ headers: [HeaderField], _ body: Markup?, label: String, marks place: String = ""
  ) -> Markup {
    region(label) {
      place == "status" ? element(.mark, text: line) : element(.strong, text: line)
      for header in headers.prefix(60) {
        "\n"
        element(.span, .class("field"), text: header.name + ": ")
        place == "header \(header.name.lowercased())" ? element(.mark, text: header.value) : .text(header.value)
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
      text:
        "Truncated: the whole body has \(Figure.bytes(exchange.responseSize).text)."
    )
  }
}

/// Unchanged text, which scrolls if it is long. A keyboard user reaches it by its name, which is unique in the page.
func region(_ label: String, id: String? = nil, @MarkupBuilder content: () -> Markup) -> Markup {
  .element(
    .pre, (id.map { [.id($0)] } ?? []) + [Attribute("tabindex", "0"), Attribute("role", "region"), .label(label)],
    content())
}

/// A body over several lines. The value at a pointer is marked, and distant lines are omitted.
package struct BodyListing {
  /// One line of the listing.
  package struct Line: Sendable, Hashable {
    package var text: String
    /// True if the line belongs to the value at the pointer.
    package var marked: Bool
  }

  package let lines: [Line]

  /// Lines shown before and after the marked ones, and the maximum in total.
  private static let around = 8
  private static let most = 48
  private static let charactersOfText = 4_000
  private static let charactersOfLine = 400

  /// A body that is not JSON, or was cut, is not changed.
  package init(_ body: String, pointer: String?) {
    guard let value = try? JSONValue.parse(body) else {
      let text = String(body.prefix(Self.charactersOfText)) + (body.count > Self.charactersOfText ? "…" : "")
      lines = text.textLines.prefix(Self.most).map { Line(text: $0, marked: false) }
      return
    }
    // Marking the whole body would not help.
    let tokens = pointer.flatMap { JSONPointer($0) }?.tokens ?? []
    var writer = BodyWriter(target: tokens.isEmpty ? nil : tokens)
    writer.write(value)
    lines = Self.window(writer.lines)
  }

  package var markup: Markup {
    .group(
      lines.enumerated().map { index, line in
        let lineBreak: Markup = index == 0 ? .nothing : .text("\n")
        let indent = String(line.text.prefix { $0 == " " })
        let words = String(line.text.dropFirst(indent.count))
        return .group([lineBreak, .text(indent), line.marked ? element(.mark, text: words) : .text(words)])
      })
  }

  /// The lines around the marked ones; a line states how many were omitted.
  private static func window(_ lines: [Line]) -> [Line] {
    let lines = lines.map { line in
      line.text.count <= charactersOfLine
        ? line : Line(text: line.text.prefix(charactersOfLine) + "…", marked: line.marked)
    }
    guard lines.count > most else { return lines }
    let first = lines.firstIndex(where: \.marked).map { max($0 - around, 0) } ?? 0
    let last = min((lines.lastIndex(where: \.marked) ?? most - around) + around, first + most, lines.count)
    var shown: [Line] = []
    if first > 0 { shown.append(Line(text: "⋯ \(counted(first, "line"))", marked: false)) }
    shown += lines[first..<last]
    if last < lines.count { shown.append(Line(text: "⋯ \(counted(lines.count - last, "line"))", marked: false)) }
    return shown
  }
}

/// Writes JSON line by line and marks the lines of the target.
struct BodyWriter {
  private(set) var lines: [BodyListing.Line] = []
  /// Tokens from here to the target; nil if the target is elsewhere.
  private let target: [String]?

  init(target: [String]?) { self.target = target }

  mutating func write(_ value: JSONValue) {
    write(value, prefix: "", suffix: "", depth: 0, rest: target, marked: false)
  }

  private mutating func write(
    _ value: JSONValue, prefix: String, suffix: String, depth: Int, rest: [String]?, marked: Bool
  ) {
    let marked = marked || rest?.isEmpty == true
    switch value {
    case .array(let values) where !values.isEmpty:
      add(prefix + "[", depth, marked)
      for (index, value) in values.enumerated() {
        write(
          value, prefix: "", suffix: index == values.count - 1 ? "" : ",", depth: depth + 1,
          rest: Self.next(rest, String(index)), marked: marked)
      }
      add("]" + suffix, depth, marked)
    case .object(let object) where !object.isEmpty:
      add(prefix + "{", depth, marked)
      for (index, member) in object.members.enumerated() {
        write(
          member.value, prefix: JSONValue.string(member.key).text + ": ",
          suffix: index == object.count - 1 ? "" : ",", depth: depth + 1, rest: Self.next(rest, member.key),
          marked: marked)
      }
      add("}" + suffix, depth, marked)
    default: add(prefix + value.text + suffix, depth, marked)
    }
  }

  private static func next(_ rest: [String]?, _ token: String) -> [String]? {
    rest?.first == token ? Array((rest ?? []).dropFirst()) : nil
  }

  private mutating func add(_ text: String, _ depth: Int, _ marked: Bool) {
    lines.append(BodyListing.Line(text: String(repeating: "  ", count: min(depth, 40)) + text, marked: marked))
  }
}
