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
