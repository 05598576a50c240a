import MurphyModel
import Yams

/// A YAML file, composed with marks, and what is wrong with it as YAML.
struct YAMLFile {
  /// Values that the file may have, aliases unfolded: what keeps a "billion laughs" file from unfolding.
  static let mostValues = 200_000
  static let longestFile = BoundedFile.scenario.bytes
  /// A key that stands twice is renamed to begin with one of these, so that composing can go on.
  private static let duplicateMarks: ClosedRange<UInt32> = 0xE000...0xE0FF

  let source: SourceText
  private(set) var root: Node?
  private(set) var mistakes: [Diagnostic] = []

  init(_ source: SourceText) {
    self.source = source
    guard source.text.utf8.count <= Self.longestFile else {
      mistakes.append(source.diagnostic("the file is longer than 4 MiB", line: 1, column: 1))
      return
    }
    guard !Self.mayHoldKeyBomb(source.text) else {
      mistakes.append(source.diagnostic("a key is a text, not an alias or a list", line: 1, column: 1))
      return
    }
    compose()
    guard let root, Self.size(root, limit: Self.mostValues) > Self.mostValues else { return }
    self.root = nil
    mistakes.append(
      source.diagnostic("the file's aliases unfold to more than \(Self.mostValues) values", line: 1, column: 1))
  }

  /// Composing compares keys whole, which takes for ever when a key is an alias of aliases of aliases.
  /// One needs many anchors for that; a file with few is left to be read.
  private static func mayHoldKeyBomb(_ text: String) -> Bool {
    let anchor = /(?:^|[\s\[{,])&[A-Za-z0-9_-]+/
    guard text.contains("&"), text.matches(of: anchor).count >= 8 else { return false }
    let key = /(?:^|[\s\[{,])\?\s+[*\[{&]|\*[A-Za-z0-9_-]+\s*:(?:\s|$)|[\]}]\s*:(?:\s|$)/
    return text.firstMatch(of: key) != nil
  }

  private mutating func compose() {
    var text = source.text
    for mark in Self.duplicateMarks {
      do {
        root = try Yams.compose(yaml: text)
        if root == nil { mistakes.append(source.diagnostic("the file is empty", line: 1, column: 1)) }
        return
      } catch YamlError.duplicatedKeysInMapping(let keys, let context) {
        guard let renamed = Self.rename(in: text, at: context.mark, mark) else {
          let key = keys.first ?? ""
          mistakes.append(
            source.diagnostic("duplicate key \"\(key)\"", line: context.mark.line, column: context.mark.column))
          return
        }
        text = renamed
      } catch {
        mistakes.append(Self.diagnostic(error, source))
        return
      }
    }
  }

  /// Puts a mark in place of the first character of the key at `place`; nil for a key without one.
  private static func rename(in text: String, at place: Mark, _ mark: UInt32) -> String? {
    var lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    guard lines.indices.contains(place.line - 1), let scalar = Unicode.Scalar(mark) else { return nil }
    var characters = Array(lines[place.line - 1].unicodeScalars)
    var index = place.column - 1
    if characters.indices.contains(index), characters[index] == "\"" || characters[index] == "'" { index += 1 }
    guard characters.indices.contains(index), !["\"", "'", ":"].contains(characters[index]) else { return nil }
    characters[index] = scalar
    lines[place.line - 1] = String(String.UnicodeScalarView(characters))
    return lines.joined(separator: "\n")
  }

  /// The original name of a key that stands again further down; nil for any other key.
  static func isDuplicate(_ key: String) -> Bool {
    key.unicodeScalars.first.map { duplicateMarks.contains($0.value) } ?? false
  }

  /// Values in the tree, counting no further than `limit`.
  private static func size(_ root: Node, limit: Int) -> Int {
    var count = 0
    var stack = [root]
    while let node = stack.popLast(), count <= limit {
      count += 1
      switch node {
      case .scalar, .alias: continue
      case .sequence(let sequence): stack.append(contentsOf: sequence)
      case .mapping(let mapping):
        for (key, value) in mapping {
          stack.append(key)
          stack.append(value)
        }
      }
    }
    return count
  }
}

extension YAMLFile {
  /// What libyaml says, in words that name the mistake.
  static func diagnostic(_ error: any Error, _ source: SourceText) -> Diagnostic {
    switch error {
    case YamlError.scanner(let context, let problem, let mark, _),
      YamlError.parser(let context, let problem, let mark, _),
      YamlError.composer(let context, let problem, let mark, _):
      return diagnostic(context, problem, mark, source)
    case YamlError.reader(let problem, let offset, _, _):
      let before = source.text.utf8.prefix(offset ?? 0)
      let line = before.count { $0 == 0x0A } + 1
      return source.diagnostic("not a YAML text: \(problem)", line: line, column: 1)
    default:
      return source.diagnostic("not a YAML text: \(error)", line: 1, column: 1)
    }
  }

  private static func diagnostic(
    _ context: YamlError.Context?, _ problem: String, _ mark: Mark, _ source: SourceText
  ) -> Diagnostic {
    let line = source.line(mark.line) ?? ""
    let lead = line.prefix { $0 == " " || $0 == "\t" }
    if let tab = lead.firstIndex(of: "\t") {
      let column = lead.distance(from: lead.startIndex, to: tab) + 1
      return source.diagnostic(
        "not a YAML text: a tab cannot indent; use spaces", line: mark.line, column: column)
    }
    let known = [
      "mapping values are not allowed in this context":
        "a second \": \" in one line; put a text with a colon in quotes, or check the indentation",
      "did not find expected key": "expected a key; check the indentation and the quotes of the lines before",
      "did not find expected '-' indicator": "expected another \"- \"; check the indentation",
      "could not find expected ':'": "expected \": \" behind a key",
      "found character that cannot start any token": "a text that begins with this character needs quotes",
      "found unexpected end of stream": "the file ends within quotes or brackets",
      "did not find expected ',' or '}'": "expected , or } in a mapping in braces; a text with ${…} needs quotes there",
      "did not find expected ',' or ']'": "expected , or ] in a list in brackets; a text with ${…} needs quotes there",
      "found undefined alias": "there is no anchor of this name before",
      "found unknown escape character": "this is no escape within double quotes; use single quotes, or \\\\",
    ]
    var message = "not a YAML text: \(known[problem] ?? problem)"
    if let context, context.mark.line > 0, context.mark.line != mark.line {
      message += " (\(context.text), which begins in line \(context.mark.line))"
    }
    // The end of the file is better shown where the open bracket or quote stands.
    if problem == "found unexpected end of stream", let context {
      return source.diagnostic(message, line: context.mark.line, column: context.mark.column)
    }
    return source.diagnostic(message, line: mark.line, column: mark.column)
  }
}
