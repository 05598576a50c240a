import Murphy

/// Prints the exchanges of a session, line by line: `murphy try`, `--http-debug`.
struct TraceText {
  /// True if every line names its session, because several are shown at once.
  let namesSessions: Bool
  let colours: Bool
  var isLong = true

  /// The maximum number of lines of a body.
  private static let mostLines = 24
  private static let longestLine = 160

  func text(_ event: SessionTrace.Event) -> String {
    switch event {
    case .began(let session, _): return namesSessions ? "" : bold("── \(session)") + "\n"
    case .exchanged(let exchanged): return text(exchanged)
    case .saved(let name, let value): return "   " + paint("saved", .faint) + " \(name) = \(short(value))\n"
    case .missed(let expected, let found):
      return "   " + paint("✗", .red) + " expected \(TerminalText.safe(expected)), found \(short(found))\n"
    case .performed(let note): return "   " + TerminalText.safe(note) + "\n"
    case .ended(let session, _, let reason, let isWanted):
      let name = namesSessions ? TerminalText.safe(session) + ": " : ""
      if let reason {
        return paint(isWanted ? "■" : "✗", isWanted ? .faint : .red) + " \(name)ended: \(TerminalText.safe(reason))\n"
      }
      return namesSessions ? "" : paint("✓", .green) + " completed\n"
    }
  }

  private func text(_ traced: TracedExchange) -> String {
    let exchange = traced.exchange
    let place = [namesSessions ? traced.session : nil, traced.step.isEmpty ? nil : "step \(traced.step)"]
      .compactMap(\.self).joined(separator: ", ")
    var lines = ["", bold("\(traced.operation)") + (place.isEmpty ? "" : paint("  \(place)", .faint))]
    lines.append("→ " + TerminalText.safe("\(exchange.method) \(exchange.url)"))
    if isLong {
      if let trace = exchange.traceText { lines.append("  " + paint(trace, .faint)) }
      lines += exchange.requestHeaders.map { "  " + TerminalText.safe("\($0.name): \($0.value)") }
      if let body = exchange.requestBody { lines += [""] + Self.lines(of: body) }
    }
    if let failure = traced.failure {
      lines.append(paint("✗ \(failure)", .red))
    } else if let status = exchange.status {
      let colour: TerminalText.Style = status < 300 ? .green : status < 400 ? .faint : status < 500 ? .yellow : .red
      lines.append(
        "← " + paint("\(status)", colour)
          + "  \(Figure.latency(exchange.took).text)\(Self.phases(traced)), \(exchange.responseSize) bytes")
      if isLong {
        lines += exchange.responseHeaders.map { "  " + TerminalText.safe("\($0.name): \($0.value)") }
        if let body = exchange.responseBody { lines += [""] + Self.lines(of: body) }
      }
    }
    if let violations = traced.violations {
      lines +=
        violations.isEmpty
        ? [paint("✓", .green) + " conforms to the contract"]
        : violations.map { paint("✗", .red) + " " + TerminalText.safe($0) }
    } else if let reason = traced.unchecked {
      lines.append(paint("? not fully checked: \(reason)", .yellow))
    }
    return lines.joined(separator: "\n") + "\n"
  }

  /// ` (connect 0.2 ms, TLS 1.9 ms, first byte 4 ms)`, if more than the wait for the first byte took time.
  private static func phases(_ traced: TracedExchange) -> String {
    guard let phases = traced.phases else { return "" }
    let times: [(String, Int64)] = [
      ("held", phases.held), ("connect", phases.connect ?? 0), ("TLS", phases.tls ?? 0),
      ("first byte", phases.firstByte), ("body", phases.body),
    ]
    let shown = times.filter { $0.1 >= 50_000 }.map { "\($0) \(Figure.latency(.nanoseconds($1)).text)" }
    return shown.count > 1 ? " (\(shown.joined(separator: ", ")))" : ""
  }

  /// The beginning of a body, indented; JSON with a line for each field.
  private static func lines(of body: String) -> [String] {
    let shown = (try? JSONValue.parse(Array(body.utf8))).map(\.pretty) ?? body
    var lines = shown.textLines
    let left = lines.count - mostLines
    if left > 0 { lines = lines.prefix(mostLines) + ["… \(left) more lines"] }
    return lines.map { "  " + TerminalText.safe($0.count > longestLine ? $0.prefix(longestLine) + "…" : $0) }
  }

  private func short(_ text: String) -> String {
    TerminalText.safe(text.count > 100 ? text.prefix(100) + "…" : text)
  }

  private func bold(_ text: String) -> String { paint(text, .bold) }

  private func paint(_ text: String, _ style: TerminalText.Style) -> String {
    TerminalText.paint(TerminalText.safe(text), style, colours)
  }
}
