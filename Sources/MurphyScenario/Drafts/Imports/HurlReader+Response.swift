import Foundation
import MurphySchema

/// Captures, asserts and options of a Hurl request, and the notation of its strings.
extension HurlReader {
  /// `id: jsonpath "$.id"`
  mutating func capture(_ pair: (name: String, value: String)) {
    guard let source = Self.source(pair.value) else { return leave("the capture \(pair.name)") }
    requests[requests.count - 1].saves.append((pair.name, source))
  }

  private static func source(_ query: String) -> DraftedSave.Source? {
    guard let match = query.wholeMatch(of: /(jsonpath|header)\s+"((?:[^"\\]|\\.)*)"(?:\s+redact)?/) else { return nil }
    let text = unescaped(String(match.2))
    if match.1 == "header" { return .header(text) }
    return (try? JSONPath(text)) == nil ? nil : .body(text)
  }

  /// `status == 404`, `jsonpath "$.id" == 7`, `jsonpath "$.id" exists`
  mutating func expect(_ text: String) {
    let last = requests.count - 1
    if let match = text.wholeMatch(of: /status\s*(?:==|equals)\s*([0-9]{3})/), let status = Int(match.1) {
      if !requests[last].statuses.contains(status) { requests[last].statuses.append(status) }
    } else if let match = text.wholeMatch(of: /jsonpath\s+"((?:[^"\\]|\\.)*)"\s+(?:exists|(?:==|equals)\s+(.+))/),
      let path = Optional(Self.unescaped(String(match.1))), (try? JSONPath(path)) != nil
    {
      guard let written = match.2 else { return requests[last].finds.append((path, nil)) }
      guard !written.contains("{{"), let value = try? JSONValue.parse(Array(written.utf8)) else {
        return leave("the assert \(ContentMask.shown(text))")
      }
      requests[last].finds.append((path, value))
    } else {
      leave("the assert \(ContentMask.shown(text))")
    }
  }

  mutating func readOption(_ pair: (name: String, value: String)) {
    let last = requests.count - 1
    switch pair.name {
    case "variable":
      let parts = pair.value.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
      if parts.count == 2 { collection.constants[parts[0]] = parts[1] }
    case "delay":
      guard let match = pair.value.wholeMatch(of: /([0-9]{1,7})(ms|s)?/) else { return leave("the delay") }
      requests[last].pause = String(match.1) + (match.2.map(String.init) ?? "ms")
    case "user": requests[last].authorize(basic: pair.value)
    case "skip": isSkipped = pair.value == "true"
    case _ where Self.local.contains(pair.name): break
    default: leave("the option \(pair.name)")
    }
  }

  /// Options that change only the output or the connection of Hurl.
  private static let local: Set<String> = [
    "compressed", "connect-timeout", "http1.0", "http1.1", "http2", "http3", "insecure", "ipv4", "ipv6", "max-time",
    "output", "path-as-is", "verbose", "very-verbose", "verbosity",
  ]

  /// `name: value`, without a comment.
  static func pair(_ text: String) -> (name: String, value: String)? {
    guard let colon = text.firstIndex(of: ":") else { return nil }
    let name = text[..<colon].trimmingCharacters(in: .whitespaces)
    guard !name.isEmpty else { return nil }
    let value = uncommented(String(text[text.index(after: colon)...]))
    return (unescaped(name), unescaped(value))
  }

  /// The text up to a comment.
  static func uncommented(_ text: String) -> String {
    var isQuoted = false
    var before: Character = " "
    for index in text.indices {
      if text[index] == "\"", before != "\\" { isQuoted.toggle() }
      if text[index] == "#", before.isWhitespace, !isQuoted {
        return text[..<index].trimmingCharacters(in: .whitespaces)
      }
      before = text[index]
    }
    return text.trimmingCharacters(in: .whitespaces)
  }

  /// Without the escapes of Hurl: `\"`, `\#`, `\n`, `\u{20}`.
  static func unescaped(_ text: String) -> String {
    text.replacing(/\\(?:u\{([0-9a-fA-F]{1,6})\}|(.))/) { match in
      if let code = match.1 {
        return UInt32(code, radix: 16).flatMap(Unicode.Scalar.init).map { String(Character($0)) } ?? ""
      }
      let letters = ["n": "\n", "r": "\r", "t": "\t", "b": "\u{8}", "f": "\u{C}"]
      let letter = String(match.2 ?? "")
      return letters[letter] ?? letter
    }
  }

  /// The number of brackets that a line of JSON opens and does not close.
  static func depth(_ line: String) -> Int {
    var depth = 0
    var isQuoted = false
    var isEscaped = false
    for byte in line.utf8 {
      if isEscaped {
        isEscaped = false
      } else if isQuoted {
        isEscaped = byte == UInt8(ascii: "\\")
        isQuoted = byte != UInt8(ascii: "\"")
      } else if byte == UInt8(ascii: "\"") {
        isQuoted = true
      } else if byte == UInt8(ascii: "{") || byte == UInt8(ascii: "[") {
        depth += 1
      } else if byte == UInt8(ascii: "}") || byte == UInt8(ascii: "]") {
        depth -= 1
      }
    }
    return depth
  }
}
