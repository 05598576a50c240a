import Foundation
import NIOCore

/// The parts of a `multipart/form-data` body (RFC 7578), read within fixed bounds.
package struct MultipartForm: Sendable {
  /// One part of the body.
  package struct Part: Sendable {
    /// The name of the field.
    package let name: String
    /// The name of the client's file; nil for a plain field.
    package let fileName: String?
    /// The media type, `text/plain` by default.
    package let type: String
    /// The bytes between the headers and the next boundary.
    package let content: Data
  }

  private static let mostParts = 20
  private static let longestHeader = 4096
  private static let lineEnd = Data("\r\n".utf8)

  private let parts: [Part]

  /// Splits a body. It throws (400) for a wrong boundary, a part without a name, and a body that does not end.
  ///
  /// - Parameter contentType: the value of `Content-Type`, with the boundary.
  init(_ body: Data, contentType: String) throws(APIError) {
    guard let boundary = HeaderParameters(contentType)?["boundary"], 1...70 ~= boundary.utf8.count else {
      throw Self.invalid("Content-Type has no boundary of 1 to 70 characters.")
    }
    let delimiter = Self.lineEnd + Data("--\(boundary)".utf8)
    // A delimiter begins with the end of the line before it. The first one may be at the beginning of the body.
    var rest = Self.lineEnd + body
    guard let first = rest.range(of: delimiter) else { throw Self.invalid("The body does not contain the boundary.") }
    rest = rest[first.upperBound...]
    var parts: [Part] = []
    while !rest.starts(with: "--".utf8) {
      guard let next = rest.range(of: delimiter) else { throw Self.invalid("The last boundary is missing.") }
      guard parts.count < Self.mostParts else { throw Self.invalid("The body has more than \(Self.mostParts) parts.") }
      parts.append(try Self.part(rest[..<next.lowerBound]))
      rest = rest[next.upperBound...]
    }
    self.parts = parts
  }

  /// The part between two delimiters: the end of the delimiter's line, headers, an empty line, the content.
  private static func part(_ bytes: Data) throws(APIError) -> Part {
    guard let gap = bytes.range(of: lineEnd + lineEnd), bytes.startIndex.distance(to: gap.lowerBound) <= longestHeader
    else { throw invalid("A part has no end of its headers within \(longestHeader) bytes.") }
    var headers: [String: String] = [:]
    for line in String(decoding: bytes[..<gap.lowerBound], as: UTF8.self).split(separator: "\r\n") {
      let sides = line.split(separator: ":", maxSplits: 1)
      guard sides.count == 2 else { throw invalid("A part has a header without a colon.") }
      headers[sides[0].lowercased()] = sides[1].trimmingCharacters(in: .whitespaces)
    }
    guard let disposition = headers["content-disposition"].flatMap({ HeaderParameters($0) }),
      disposition.value == "form-data", let name = disposition["name"]
    else { throw invalid("A part has no Content-Disposition: form-data with a name.") }
    return Part(
      name: name, fileName: disposition["filename"], type: headers["content-type"] ?? "text/plain",
      content: Data(bytes[gap.upperBound...]))
  }

  private static func invalid(_ message: String) -> APIError { .invalid(nil, message) }
}

extension MultipartForm {
  /// Throws (400) for a part with another name, and for two parts of one name.
  package func check(known: Set<String>) throws(APIError) {
    var seen: Set<String> = []
    for part in parts {
      let name = String(part.name.prefix(100))
      guard known.contains(part.name) else { throw .invalid(name, "Unknown part \(name).") }
      guard seen.insert(part.name).inserted else { throw .invalid(name, "\(name) must be one part.") }
    }
  }

  /// The text of a plain field.
  package func text(_ name: String) throws(APIError) -> String {
    guard let part = parts.first(where: { $0.name == name }) else { throw .invalid(name, "\(name) is missing.") }
    return String(decoding: part.content, as: UTF8.self)
  }

  /// A part with a file name of 1 to 200 characters.
  package func file(_ name: String) throws(APIError) -> Part {
    guard let part = parts.first(where: { $0.name == name }) else { throw .invalid(name, "\(name) is missing.") }
    guard let fileName = part.fileName, 1...200 ~= fileName.unicodeScalars.count else {
      throw .invalid(name, "\(name) must be a file with a name of 1 to 200 characters.")
    }
    return part
  }
}

/// A header's value with its parameters: `form-data; name="document"; filename="letter.txt"`.
struct HeaderParameters {
  /// In lower case, without the parameters.
  let value: String
  private let parameters: [String: String]

  /// Nil for a quoted string that does not end.
  init?(_ text: String) {
    var parts = [String.UnicodeScalarView()]
    var (isQuoted, isEscaped) = (false, false)
    for scalar in text.unicodeScalars {
      switch scalar {
      case _ where isEscaped:
        parts[parts.count - 1].append(scalar)
        isEscaped = false
      case "\\" where isQuoted: isEscaped = true
      case "\"": isQuoted.toggle()
      case ";" where !isQuoted: parts.append(String.UnicodeScalarView())
      default: parts[parts.count - 1].append(scalar)
      }
    }
    guard !isQuoted else { return nil }
    let texts = parts.map { String($0).trimmingCharacters(in: .whitespaces) }
    value = texts[0].lowercased()
    let pairs = texts.dropFirst().map { $0.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false) }
    parameters = Dictionary(
      pairs.filter { $0.count == 2 }.map { ($0[0].lowercased(), String($0[1])) },
      uniquingKeysWith: { first, _ in first })
  }

  /// The value of a parameter, by its name in lower case.
  subscript(name: String) -> String? { parameters[name] }
}
