import MurphyModel

/// A media type, or a range of them, as a contract documents it (RFC 9110 §8.3.1, §12.5.1).
///
/// Parameters in the contract must be equal in the response (`charset` without regard to case). Other parameters may
/// have any value.
package struct MediaRange: Sendable, Hashable {
  /// The original spelling.
  package let text: String
  /// Lower case; `*` for any.
  package let type: String
  /// `*` for all of the type.
  package let subtype: String
  /// Each must be equal in the response.
  package let parameters: [Parameter]

  /// A parameter after the type, such as `charset=utf-8`.
  package struct Parameter: Sendable, Hashable {
    package var name: String
    package var value: String
  }

  /// Nil when `text` is not `type/subtype`.
  package init?(_ text: String) {
    // Nearly all media types of a large contract.
    if text == "application/json" {
      (self.text, type, subtype, parameters) = (text, "application", "json", [])
      return
    }
    let parts = text.split(separator: ";", omittingEmptySubsequences: false)
    let names = parts[0].trimmed.lowercased().split(separator: "/", omittingEmptySubsequences: false)
    guard names.count == 2, names.allSatisfy({ HeaderName.isValid($0) }) else { return nil }
    guard names[0] != "*" || names[1] == "*" else { return nil }
    self.text = text
    type = String(names[0])
    subtype = String(names[1])
    parameters = parts.dropFirst().compactMap { part in
      let pair = part.split(separator: "=", maxSplits: 1)
      guard pair.count == 2 else { return nil }
      let value = pair[1].trimmed
      let unquoted =
        value.count >= 2 && value.first == "\"" && value.last == "\"" ? value.dropFirst().dropLast() : value
      return Parameter(name: pair[0].trimmed.lowercased(), value: unquoted.lowercased())
    }
  }

  /// JSON by RFC 8259 or by the `+json` suffix (RFC 6839).
  package var isJSON: Bool { subtype == "json" || subtype.hasSuffix("+json") }
  /// XML by RFC 7303 §9.1 or by the `+xml` suffix (§9.6).
  package var isXML: Bool { subtype == "xml" || subtype.hasSuffix("+xml") }
  /// Content that is neither text nor a supported structure: images, archives, `application/octet-stream`.
  package var isBinary: Bool {
    ["image", "audio", "video", "font"].contains(type) || ["octet-stream", "pdf", "zip", "gzip"].contains(subtype)
  }
  /// Consecutive items without an envelope (OpenAPI 3.2 §4.14.2.1), except for `multipart`.
  package var isSequence: Bool {
    ["jsonl", "ndjson", "x-ndjson", "x-jsonl", "json-seq", "event-stream", "*"].contains(subtype)
      || subtype.hasSuffix("+json-seq")
  }
  /// A range that includes JSON, and possibly other types.
  package var admitsJSON: Bool { isJSON || subtype == "*" }
  /// True for `text/*` only.
  package var isText: Bool { type == "text" }

  /// True if a response of the type `actual` is in this range. A documented parameter must not have a different value
  /// in the response. `charset` may be missing there, because it has a default.
  package func includes(_ actual: MediaRange) -> Bool {
    guard type == "*" || type == actual.type, subtype == "*" || subtype == actual.subtype else { return false }
    return parameters.allSatisfy { parameter in
      let given = actual.parameters.first { $0.name == parameter.name }?.value
      return given == parameter.value || given == nil && parameter.name == "charset"
    }
  }

  /// The more specific range wins (OpenAPI 3.1 §4.8.14.1): the exact type, then `type/*`, then `*/*`; parameters first.
  package var specificity: Int { (type == "*" ? 0 : subtype == "*" ? 1 : 2) * 8 + min(parameters.count, 7) }
}

extension StringProtocol {
  /// Without spaces and tabs at both ends (optional white space, RFC 9110 §5.6.3).
  package var trimmed: SubSequence {
    let start = firstIndex { $0 != " " && $0 != "\t" } ?? endIndex
    var end = endIndex
    while end > start, case let before = index(before: end), self[before] == " " || self[before] == "\t" {
      end = before
    }
    return self[start..<end]
  }
}
