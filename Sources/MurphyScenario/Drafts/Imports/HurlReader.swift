import Foundation
import MurphyContract
import MurphySchema

/// Reads a Hurl file. Its requests become one session, captures become `save`, and asserts become `expect`.
struct HurlReader {
  /// The part of a request or of its response that a line belongs to.
  enum Part: Hashable {
    case request, response
    case section(String)
  }

  let lines: [String]
  var index = 0
  var part = Part.request
  var collection = RequestCollection()
  var requests: [CollectedRequest] = []
  /// True if the last request is not sent.
  var isSkipped = false
  private var form: [(name: String, value: String)] = []

  static func isFile(_ text: String, _ file: String) -> Bool {
    if file.hasSuffix(".hurl") { return true }
    let first = text.textLines.first { !$0.allSatisfy(\.isWhitespace) && !$0.hasPrefix("#") }
    return first?.prefixMatch(of: request) != nil
  }

  static func recording(
    _ text: String, _ file: String, _ contract: Contract
  ) throws(ImportedScenario.Mistake) -> Recording {
    var reader = HurlReader(text)
    do throws(Fault) {
      try reader.read()
    } catch {
      throw ImportedScenario.Mistake(description: "\(file):\(reader.index): \(error.reason)")
    }
    let name = file.split(separator: "/").last?.prefix { $0 != "." }
    reader.collection.add(reader.requests, to: name.flatMap { $0.isEmpty ? nil : String($0) } ?? "requests")
    return reader.collection.recording(contract, function)
  }

  /// The reason why a file cannot be read; its place is the current line.
  struct Fault: Error { var reason: String }

  static var request: Regex<(Substring, Substring, Substring)> { /\s*([A-Z]+)[ \t]+((?:https?:\/\/|\{\{)\S*)/ }
  static var response: Regex<(Substring, Substring)> {
    /\s*HTTP(?:\/[0-9.]+)?[ \t]+([0-9]{3}|\*)[ \t]*(?:#.*)?/
  }

  private init(_ text: String) {
    lines = text.textLines
  }

  private mutating func read() throws(Fault) {
    while index < lines.count {
      let line = lines[index]
      index += 1
      let text = line.trimmingCharacters(in: .whitespaces)
      if text.isEmpty || text.hasPrefix("#") { continue }
      if let match = line.prefixMatch(of: Self.request) {
        finish()
        requests.append(CollectedRequest("line \(index)", String(match.1), String(match.2)))
        part = .request
      } else if requests.isEmpty {
        let shown = ContentMask.shown(String(text.prefix(60)))
        throw Fault(reason: "expected a request (`GET https://…`); found \(shown)")
      } else if let match = line.wholeMatch(of: Self.response) {
        part = .response
        if let status = Int(match.1), !requests[requests.count - 1].statuses.contains(status) {
          requests[requests.count - 1].statuses.append(status)
        }
      } else if let match = text.wholeMatch(of: /\[([A-Za-z]+)\](?:\s*#.*)?/) {
        part = .section(String(match.1))
      } else {
        try read(text)
      }
    }
    finish()
  }

  /// A line other than the start of a request, a response or a section.
  private mutating func read(_ text: String) throws(Fault) {
    if case .section("Asserts") = part { return expect(Self.uncommented(text)) }
    let pair = Self.pair(text)
    switch part {
    case .section(let name):
      if let pair, !text.hasPrefix("{"), !text.hasPrefix("\"") { return read(pair, in: name) }
      if name == "Captures" { throw Fault(reason: "expected `name: query`") }
      try readBody(text)
    case .request:
      if let pair, text.prefixMatch(of: /[A-Za-z0-9_{}$.-]+\s*:/) != nil, !text.hasPrefix("{\"") {
        requests[requests.count - 1].request.headers.append(pair)
      } else {
        try readBody(text)
      }
    case .response:
      if text.prefixMatch(of: /[A-Za-z0-9_{}$.-]+\s*:/) != nil {
        leave("the expected header \(text.prefix { $0 != ":" })")
      } else {
        try readBody(text)
      }
    }
  }

  mutating func leave(_ reason: String) { collection.left.append("line \(index): \(reason)") }

  private mutating func read(_ pair: (name: String, value: String), in section: String) {
    let last = requests.count - 1
    switch section {
    case "Query", "QueryStringParams": requests[last].request.query.append(pair)
    case "Form", "FormParams": form.append(pair)
    case "Multipart", "MultipartFormData":
      guard let file = pair.value.wholeMatch(of: /file,\s*([^;]*);\s*(.*)/) else {
        return requests[last].request.parts.append(RecordedPart(name: pair.name, text: pair.value))
      }
      let type = file.2.isEmpty ? nil : String(file.2)
      requests[last].request.parts.append(RecordedPart(name: pair.name, path: String(file.1), type: type))
    case "BasicAuth":
      _ = requests[last].authorize("basic") { $0 == "username" ? pair.name : pair.value }
    case "Cookies": leave("the cookie \(pair.name), because each user stores the cookies that the API sets")
    case "Options": readOption(pair)
    case "Captures": capture(pair)
    default: leave("[\(section)]")
    }
  }

  private mutating func finish() {
    defer { (form, isSkipped) = ([], false) }
    guard !requests.isEmpty else { return }
    if isSkipped {
      requests.removeLast()
    } else if !form.isEmpty, requests[requests.count - 1].request.body == nil {
      requests[requests.count - 1].request.setForm(form)
    }
  }

  private static func function(_ name: String) -> String? {
    switch name {
    case "newUuid": "${uuid()}"
    case "newDate": "${now()}"
    default: nil
    }
  }
}
