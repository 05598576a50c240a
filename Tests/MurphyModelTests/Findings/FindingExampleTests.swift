import Foundation
import MurphyModel
import Testing

/// The example of each kind of finding is a message that murphy can print.
///
/// Murphy composes a message from values and from the fixed parts of string literals. So the words of an example must
/// be fixed parts of literals in Sources. At most three words, and at most one word in five, may be in none: words of
/// values, and forms that the code chooses, such as `were`. These limits come from data: each of 192 correct examples
/// has at most three such words. Seven of 22 examples that were out of date had four to twelve.
@Suite struct FindingExampleTests {
  @Test func `each example is a message of the sources`() throws {
    let parts = try Self.fixedParts()
    for kind in FindingKind.allCases {
      let (count, unknown) = Self.words(of: kind.rule.example, notIn: parts)
      #expect(unknown.count <= min(max(count / 5, 1), 3), "\(kind): no string literal in Sources has \(unknown)")
    }
  }

  @Test func `an example with other words is found`() throws {
    let parts = try Self.fixedParts()
    let example = "listLaws: the target refused the connection. Is it running, and is the port right?"
    #expect(Self.words(of: example, notIn: parts).unknown.count > 3)
  }

  /// Messages of the system, texts of an API, and names in a scenario.
  private static let foreign = [
    "No route to host", "Could not resolve host", "Cannot assign requested address", "Cannot query field",
    "Received HTTP/0.9 when not allowed", "Failed writing received data to disk/application",
    "self-signed certificate in certificate chain", "(most recent call last)", "fixed window, key x-device-id",
    "any algorithm, key x-device-id", "code, message", "downvotes, upvotes", "an integer", "throughput is", "query q",
  ]
  private static let units: Set<String> = ["s", "ms", "min", "MB", "KB"]
  private static let marks: Set<Character> = [".", ",", ";", ":", "(", ")", "[", "]", "{", "}", "…", "`", "\"", "?"]

  /// A word without the marks around it.
  private static func bare(_ word: Substring) -> Substring {
    var rest = word.drop { marks.contains($0) }
    while let last = rest.last, marks.contains(last) { rest.removeLast() }
    return rest
  }

  /// The texts between quotes and interpolations in Sources, in lower case. A single word has a `#` in the place of the
  /// interpolation next to it.
  private static func fixedParts() throws -> Set<String> {
    let folder = URL(filePath: #filePath).deletingLastPathComponent()
    let sources = folder.appending(path: "../../../Sources").standardized.path
    let continuation = try NSRegularExpression(pattern: #"\\\n\s*"#)
    let joint = try NSRegularExpression(pattern: #""\s*\+\s*""#)
    var parts: Set<String> = []
    for name in try FileManager.default.subpathsOfDirectory(atPath: sources)
    where name.hasSuffix(".swift") && !name.contains("/FindingRule+") {
      let lines = try String(contentsOfFile: sources + "/" + name, encoding: .utf8).components(separatedBy: "\n")
        .filter { !$0.trimmingCharacters(in: .whitespaces).hasPrefix("//") }
      var code = lines.joined(separator: "\n").replacingOccurrences(of: "\\\"", with: "`")
      for pattern in [continuation, joint] {
        code = pattern.stringByReplacingMatches(
          in: code, range: NSRange(code.startIndex..., in: code), withTemplate: "")
      }
      for text in code.components(separatedBy: CharacterSet(charactersIn: "\"\n")) {
        // A `)` also ends an interpolation.
        let pieces = text.replacingOccurrences(of: "\\(", with: ")").components(separatedBy: ")")
        for (index, piece) in pieces.enumerated() {
          let words = piece.split { $0 == " " }.map { bare($0).lowercased() }.filter { !$0.isEmpty }
          guard words.count < 2 else {
            parts.insert(words.joined(separator: " "))
            continue
          }
          guard let word = words.first else { continue }
          if index > 0 { parts.insert("# \(word)") }
          if index < pieces.count - 1 { parts.insert("\(word) #") }
        }
      }
    }
    return parts
  }

  /// The number of words of an example, and those that are in no fixed part. Numbers, quoted texts, names of operations
  /// and of methods, and units are values and not words.
  private static func words(of example: String, notIn parts: Set<String>) -> (count: Int, unknown: [String]) {
    var words: [(text: String, isValue: Bool)] = []
    var isQuoted = false
    for word in foreign.reduce(example, { $0.replacingOccurrences(of: $1, with: "0") }).split(separator: " ") {
      let quotes = word.count { $0 == "\"" || $0 == "`" }
      let text = String(bare(word))
      let isPlain = text.first?.isLetter == true && text.dropFirst().allSatisfy { $0.isLowercase || "'-".contains($0) }
      if !text.isEmpty {
        words.append((text.lowercased(), isQuoted || quotes > 0 || !isPlain || units.contains(text)))
      }
      if !quotes.isMultiple(of: 2) { isQuoted.toggle() }
    }
    func isValue(_ index: Int) -> Bool { words.indices.contains(index) && words[index].isValue }
    var isKnown = words.map { _ in false }
    for start in words.indices {
      let word = words[start].text
      if isValue(start + 1) && parts.contains("\(word) #") || isValue(start - 1) && parts.contains("# \(word)") {
        isKnown[start] = true
      }
      for end in words.indices.dropFirst(start + 1)
      where parts.contains(words[start...end].map { $0.text }.joined(separator: " ")) {
        for index in start...end { isKnown[index] = true }
      }
    }
    let own = words.indices.filter { !words[$0].isValue }
    return (own.count, own.filter { !isKnown[$0] }.map { words[$0].text })
  }
}
