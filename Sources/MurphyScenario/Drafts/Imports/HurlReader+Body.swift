import Foundation

/// The bodies of a Hurl file.
extension HurlReader {
  /// The text of a body: JSON, XML, or text between backticks. It ends the request or the response.
  mutating func readBody(_ first: String) throws(Fault) {
    let start = index
    var text = first
    var type = "application/json"
    if first.hasPrefix("```") {
      let language = first.dropFirst(3)
      text = try readRaw(String(language))
      type = Self.types[language.trimmingCharacters(in: .whitespaces)] ?? "text/plain"
    } else if first.hasPrefix("`"), first.count > 1, first.hasSuffix("`") {
      text = String(first.dropFirst().dropLast())
      type = "text/plain"
    } else if let file = first.wholeMatch(of: /(file|base64|hex),(.*)/) {
      while !text.contains(";"), index < lines.count { text += take() }
      return leave(
        file.1 == "file"
          ? "the content of \(file.2); write the content as the body of the step" : "a body in \(file.1)")
    } else if first.hasPrefix("<") {
      type = "application/xml"
      while index < lines.count, lines[index].prefixMatch(of: Self.request) == nil,
        lines[index].wholeMatch(of: Self.response) == nil
      { text += "\n" + take() }
    } else {
      guard first.prefixMatch(of: /[{\["0-9tfn-]/) != nil else {
        throw Fault(
          reason: "expected a header, a section or a body; found \(ContentMask.shown(String(first.prefix(60))))")
      }
      var depth = Self.depth(first)
      while depth > 0, index < lines.count {
        let line = take()
        depth += Self.depth(line)
        text += "\n" + line
      }
      guard depth <= 0 else {
        index = start
        throw Fault(reason: "the JSON body is not complete")
      }
    }
    guard part != .response, !Self.responseSections.contains(part) else { return leave("the expected body") }
    if type == "graphql" {
      let parts = text.split(separator: /(?m)^variables\s*(?=\{)/, maxSplits: 1)
      requests[requests.count - 1].setGraphQL(
        .string(String(parts.first ?? "")), variables: parts.count > 1 ? String(parts[1]) : "")
    } else {
      requests[requests.count - 1].setBody(text, type)
    }
  }

  private static let responseSections: Set<Part> = [.section("Captures"), .section("Asserts")]
  private static let types = [
    "json": "application/json", "xml": "application/xml", "graphql": "graphql",
  ]

  private mutating func take() -> String {
    defer { index += 1 }
    return lines[index]
  }

  /// The text up to three backticks.
  private mutating func readRaw(_ first: String) throws(Fault) -> String {
    let start = index
    if first.hasSuffix("```"), first.count >= 3 { return String(first.dropLast(3)) }
    var text: [String] = []
    while index < lines.count {
      let line = take()
      guard let end = line.range(of: "```") else {
        text.append(line)
        continue
      }
      text.append(String(line[..<end.lowerBound]))
      return text.joined(separator: "\n")
    }
    index = start
    throw Fault(reason: "the body has no closing ```")
  }
}
