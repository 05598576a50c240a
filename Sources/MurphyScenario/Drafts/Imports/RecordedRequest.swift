import Foundation
import MurphyModel
import MurphySchema

/// A request as another tool's file describes it.
struct RecordedRequest {
  var method: String
  /// Percent-encoded, from the slash to the end.
  var path: String
  var query: [(name: String, value: String)] = []
  var headers: [(name: String, value: String)] = []
  var contentType: String?
  var body: String?
  /// The parts of a `multipart/form-data` body. If there are any, `body` is not used.
  var parts: [RecordedPart] = []

  /// Headers that a client writes automatically, or that belong to a browser.
  private static let own: Set<String> = [
    "host", "connection", "content-length", "content-type", "user-agent", "accept", "accept-encoding",
    "accept-language",
    "referer", "origin", "cookie", "pragma", "cache-control", "dnt", "upgrade-insecure-requests", "te", "priority",
    "transfer-encoding", "keep-alive", "proxy-connection", "x-requested-with", "postman-token",
    "if-none-match", "if-modified-since",
  ]

  /// Headers that a scenario also sends.
  var kept: [(name: String, value: String)] {
    headers.filter { field in
      let name = field.name.lowercased()
      return !Self.own.contains(name) && !name.hasPrefix("sec-") && !name.hasPrefix(":")
    }
  }

  var typeField: String? { headers.first { $0.name.lowercased() == "content-type" }?.value }

  /// Sets a form as its body. Variables of tools stay unchanged.
  mutating func setForm(_ fields: [(name: String, value: String)]) {
    func encoded(_ text: String) -> String {
      text.addingPercentEncoding(withAllowedCharacters: .alphanumerics.union(CharacterSet(charactersIn: "-._~{}")))
        ?? text
    }
    contentType = "application/x-www-form-urlencoded"
    body = fields.map { "\(encoded($0.name))=\(encoded($0.value))" }.joined(separator: "&")
  }

  static func pairs(_ text: some StringProtocol) -> [(name: String, value: String)] {
    text.split(separator: "&").map { pair in
      let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map {
        PercentEncoding.decode(form: $0)
      }
      return (parts[0], parts.count > 1 ? parts[1] : "")
    }
  }
}

struct RecordedPart {
  var name: String
  /// Nil if the content is not text, or was not recorded.
  var text: String?
  var fileName: String?
  var type: String?

  /// The parts of a body as it was sent (RFC 7578), if they can be read.
  static func parts(of body: String, contentType: String) -> [RecordedPart] {
    guard let boundary = boundary(of: body, contentType: contentType) else { return [] }
    let text = body.replacingScalars("\r\n", with: "\n")
    return text.components(separatedBy: "--" + boundary).dropFirst().compactMap { piece in
      guard let blank = piece.range(of: "\n\n") else { return nil }
      let head = String(piece[..<blank.lowerBound])
      guard let name = name(in: head) else { return nil }
      let content = piece[blank.upperBound...]
      return RecordedPart(
        name: name, text: readable(String(content.hasSuffix("\n") ? content.dropLast() : content)),
        fileName: head.firstMatch(of: /filename="([^"]*)"/).map { String($0.1) },
        type: head.firstMatch(of: /(?i)content-type:\s*([^\s;]+)/).map { String($0.1) })
    }
  }

  /// The boundary of the parts, from the media type or the first line of the body.
  static func boundary(of body: String, contentType: String) -> String? {
    if let match = contentType.firstMatch(of: /(?i)boundary="?([^";]+)"?/) { return String(match.1) }
    let line = body.utf8.prefix { $0 != 0x0D && $0 != 0x0A }
    return line.starts(with: "--".utf8) && line.count > 2 ? String(decoding: line.dropFirst(2), as: UTF8.self) : nil
  }

  /// The name of the form field, from a part's headers.
  static func name(in head: String) -> String? {
    (head.firstMatch(of: /(?i)[ ;]name="([^"]*)"/) ?? head.firstMatch(of: /(?i)[ ;]name=([^";\s]*)/)).map {
      String($0.1)
    }
  }

  /// The text; nil if the recording contains bytes that are not text.
  private static func readable(_ text: String) -> String? {
    let isText = text.unicodeScalars.allSatisfy {
      $0.value >= 0x20 && $0.value != 0xFFFD || "\n\t".unicodeScalars.contains($0)
    }
    return isText ? text : nil
  }

  /// The parameters of a HAR's `postData`.
  static func parts(of parameters: [JSONValue]) -> [RecordedPart] {
    parameters.compactMap { field in
      field["name"]?.string.map {
        RecordedPart(
          name: $0, text: field["value"]?.string.flatMap(readable), fileName: field["fileName"]?.string,
          type: field["contentType"]?.string)
      }
    }
  }
}

extension RecordedPart {
  /// A file at a path of the machine on which the request was written. Its bytes are not known.
  init(name: String, path: String, type: String? = nil) {
    self.init(
      name: name, fileName: path.split { $0 == "/" || $0 == "\\" }.last.map(String.init) ?? "file", type: type)
  }
}

/// Values of recorded responses. Steps save the values that later requests send, under names.
struct RecordedValues {
  private struct Origin {
    var step: Int
    var path: String
    var key: String
  }

  /// The newest response that contained a value.
  private var origins: [String: Origin] = [:]
  /// By value and step: the name.
  private var names: [String: String] = [:]
  private var taken = VariableNames()
  /// By the number of the call: the values that it saves.
  private(set) var saves: [Int: [DraftedSave]] = [:]

  /// The maximum number of values read from one response.
  private static let most = 20_000
  /// A minimum length for strings that are not ids: short strings match by chance.
  private static let shortest = 8

  mutating func recordResponse(_ answer: JSONValue, of step: Int) {
    var left = Self.most
    recordValue(answer, path: "$", key: "", step: step, left: &left)
  }

  private mutating func recordValue(_ value: JSONValue, path: String, key: String, step: Int, left: inout Int) {
    guard left > 0 else { return }
    left -= 1
    switch value {
    case .object(let members):
      for (name, value) in members {
        recordValue(value, path: path + Producers.step(name), key: name, step: step, left: &left)
      }
    case .array(let items):
      for (index, item) in items.enumerated() {
        recordValue(item, path: path + "[\(index)]", key: key, step: step, left: &left)
      }
    case .string(let text): keep(text, Origin(step: step, path: path, key: key))
    case .number: keep(value.text, Origin(step: step, path: path, key: key))
    case .bool, .null: break
    }
  }

  private mutating func keep(_ text: String, _ origin: Origin) {
    guard !text.isEmpty else { return }
    // The first place in the newest response. An id is preferred to a count with the same value.
    if let known = origins[text], known.step == origin.step, isID(known.key) || !isID(origin.key) { return }
    if let known = origins[text], isID(known.key), !isID(origin.key) { return }
    origins[text] = origin
    names[text] = nil
  }

  private func isID(_ key: String) -> Bool {
    let plain = DraftNames.plain(key)
    return plain.hasSuffix("id") || ["key", "slug", "code", "token", "accesstoken"].contains(plain)
  }

  /// The name of a value from an earlier response; nil if no response contained it.
  ///
  /// - Parameter isPath: true if the text is in a path or names an id. Then a small number is accepted too.
  mutating func name(for text: String, isPath: Bool) -> String? {
    guard let origin = origins[text], text.count >= Self.shortest || (isPath && isID(origin.key)) else { return nil }
    if let known = names[text] { return known }
    let name = taken.new(origin.key.isEmpty ? "value" : origin.key)
    names[text] = name
    saves[origin.step, default: []].append(DraftedSave(name: name, source: .body(origin.path)))
    return name
  }

  func holds(_ text: String) -> Bool { text.count >= Self.shortest && origins[text] != nil }
}
