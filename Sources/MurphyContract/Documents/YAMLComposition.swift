import Glibc
import MurphyModel
import Yams

/// The nodes of a YAML text, or its mistakes.
struct YAMLComposition {
  /// Anchors can be nested in anchors, and their release is recursive on the stack.
  private static let anchorLimit = 5_000
  /// With fewer anchors than this, no comparison of keys takes long.
  private static let harmlessAnchors = 8
  /// A duplicate key is renamed to start with one of these, so that composing can continue.
  private static let duplicateMarks: ClosedRange<UInt8> = 0x80...0xBF
  /// The maximum number of bytes that are composed again because of duplicates. After that, only the first duplicate is
  /// reported.
  private static let mostComposed = 16 << 20

  private(set) var root: Node
  /// The positions of keys that occur again later.
  private(set) var renamed: Set<SourceMarks.Place> = []
  private let source: SourceText

  init(_ source: SourceText) throws(Diagnostic) {
    self.source = source
    guard String(validating: source.bytes, as: UTF8.self) != nil else { throw Self.mistake("not UTF-8", source) }
    let anchors = Self.anchors(in: source.bytes)
    guard anchors <= Self.anchorLimit else { throw Self.mistake("more than \(Self.anchorLimit) anchors", source) }
    guard anchors < Self.harmlessAnchors || !KeyBomb.isPossible(in: source.bytes) else {
      throw Self.mistake("a key must be a string, not an alias or a list", source)
    }
    root = Node("")
    var text = source
    var composed = 0
    for mark in Self.duplicateMarks {
      do {
        // The basic resolver does not resolve scalars: ``YAMLScalar`` finds their types, without regular expressions.
        let node = try Yams.compose(yaml: String(decoding: text.bytes, as: UTF8.self), .basic, .default, .utf8)
        guard let node else { throw Self.mistake("the file is empty", source) }
        root = node
        return
      } catch YamlError.duplicatedKeysInMapping(let keys, let context) {
        composed += text.bytes.count
        guard composed <= Self.mostComposed, let next = Self.rename(keys.first, in: text, at: context.mark, mark) else {
          throw Self.duplicate(keys, context.mark, source)
        }
        renamed.insert(SourceMarks.Place(line: context.mark.line, column: context.mark.column))
        text = next
      } catch let diagnostic as Diagnostic {
        throw diagnostic
      } catch {
        throw YAMLMistake.diagnostic(error, source)
      }
    }
    throw Self.mistake("more than \(Self.duplicateMarks.count) keys appear twice", source)
  }

  private static func mistake(_ message: String, _ source: SourceText) -> Diagnostic {
    source.diagnostic(message, line: 1, column: 1)
  }

  private static func duplicate(_ keys: [String], _ mark: Mark, _ source: SourceText) -> Diagnostic {
    source.diagnostic("duplicate key \"\(keys.first ?? "")\"", line: mark.line, column: mark.column)
  }

  /// Replaces the first character of the key at `place` with a private one (U+E000 and up); nil for an empty key.
  private static func rename(_ key: String?, in text: SourceText, at place: Mark, _ mark: UInt8) -> SourceText? {
    guard let first = key?.unicodeScalars.first, var offset = text.offset(line: place.line, column: place.column) else {
      return nil
    }
    if [UInt8(ascii: "\""), UInt8(ascii: "'")].contains(text.bytes[offset]) { offset += 1 }
    let spelt = Array(String(first).utf8)
    guard text.bytes[offset...].starts(with: spelt), first != "\"", first != "'" else { return nil }
    var bytes = text.bytes
    bytes.replaceSubrange(offset..<offset + spelt.count, with: [0xEE, 0x80, mark])
    return SourceText(file: text.file, bytes: bytes)
  }

  /// The original spelling of a key that may be renamed.
  func name(of key: Node) -> String? {
    guard let mark = key.mark, let renamed = key.scalar?.string,
      var offset = source.offset(line: mark.line, column: mark.column)
    else { return nil }
    if [UInt8(ascii: "\""), UInt8(ascii: "'")].contains(source.bytes[offset]) { offset += 1 }
    let rest = String(decoding: source.bytes[offset...].prefix(4), as: UTF8.self)
    return rest.unicodeScalars.first.map { String($0) + String(renamed.unicodeScalars.dropFirst()) }
  }

  /// An upper bound of the number of anchors: ampersands at the beginning of a word. Stops above the limit.
  private static func anchors(in bytes: [UInt8]) -> Int {
    bytes.withUnsafeBytes { buffer in
      guard let base = buffer.baseAddress else { return 0 }
      var (count, next) = (0, 0)
      // A comment may have 60 MB: the C library searches faster than a loop.
      while count <= anchorLimit, next < buffer.count,
        let found = memchr(base + next, CInt(UInt8(ascii: "&")), buffer.count - next)
      {
        let place = UnsafeRawPointer(found) - base
        if place == 0 || " \n[{,-:".utf8.contains(buffer[place - 1]) { count += 1 }
        next = place + 1
      }
      return count
    }
  }
}

/// Keys that are aliases of aliases of aliases. Composing compares whole keys, so these would take practically forever.
enum KeyBomb {
  /// True if a key of a text may be an alias or a collection that contains one. Ignores quotes and block scalars.
  static func isPossible(in bytes: [UInt8]) -> Bool {
    bytes.split(separator: UInt8(ascii: "\n")).contains { line in
      line.withUnsafeBytes { holdsSuspect($0) }
    }
  }

  /// `? *a`, `? [`, `*a :`, and `]` or `}` with a colon after an alias on the same line: a key in brackets is one line.
  private static func holdsSuspect(_ line: UnsafeRawBufferPointer) -> Bool {
    var hasAlias = false
    for index in line.indices {
      switch line[index] {
      case UInt8(ascii: "?") where beginsWord(line, index) && index + 1 < line.count && isBlank(line[index + 1]):
        let next = line[(index + 1)...].first { !isBlank($0) }
        if let next, "*[{&".utf8.contains(next) { return true }
      case UInt8(ascii: "*") where beginsWord(line, index):
        let end = line[(index + 1)...].firstIndex { !isName($0) } ?? line.count
        guard end > index + 1 else { continue }
        hasAlias = true
        if isKey(line, end) { return true }
      case UInt8(ascii: "&") where beginsWord(line, index): hasAlias = true
      case UInt8(ascii: "]"), UInt8(ascii: "}"): if hasAlias, isKey(line, index + 1) { return true }
      default: continue
      }
    }
    return false
  }

  private static func beginsWord(_ line: UnsafeRawBufferPointer, _ index: Int) -> Bool {
    index == 0 || isBlank(line[index - 1]) || "[{,".utf8.contains(line[index - 1])
  }

  /// True if a colon follows that ends a key.
  private static func isKey(_ line: UnsafeRawBufferPointer, _ index: Int) -> Bool {
    guard let colon = line[index...].firstIndex(where: { !isBlank($0) }), line[colon] == UInt8(ascii: ":") else {
      return false
    }
    return colon + 1 == line.count || isBlank(line[colon + 1])
  }

  private static func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 || byte == 0x0D }

  /// True for the characters that libyaml accepts in the name of an anchor.
  private static func isName(_ byte: UInt8) -> Bool {
    switch byte {
    case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x2D, 0x5F: true
    default: false
    }
  }
}

/// libyaml's messages, reworded to name the mistake.
enum YAMLMistake {
  static func diagnostic(_ error: any Error, _ source: SourceText) -> Diagnostic {
    switch error {
    case YamlError.scanner(let context, let problem, let mark, _),
      YamlError.parser(let context, let problem, let mark, _),
      YamlError.composer(let context, let problem, let mark, _):
      return diagnostic(context, problem, mark, source)
    case YamlError.reader(let problem, let offset, _, _):
      let line = source.bytes.prefix(offset ?? 0).count { $0 == 0x0A } + 1
      return source.diagnostic("not YAML: \(problem)", line: line, column: 1)
    default:
      return source.diagnostic("not YAML: \(error)", line: 1, column: 1)
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
        "not YAML: a tab cannot indent; use spaces", line: mark.line, column: column)
    }
    let known = [
      "mapping values are not allowed in this context":
        "a second \": \" in one line; put a string with a colon in quotes, or check the indentation",
      "did not find expected key": "expected a key; check the indentation and the quotes of the lines before",
      "did not find expected '-' indicator": "expected another \"- \"; check the indentation",
      "could not find expected ':'": "expected \": \" after a key",
      "found character that cannot start any token": "a string that begins with this character needs quotes",
      "found unexpected end of stream": "the file ends within quotes or brackets",
      "did not find expected ',' or '}'":
        "expected , or } in a mapping in braces; a string with a bracket, a brace or ${…} in it needs quotes there",
      "did not find expected ',' or ']'":
        "expected , or ] in a list in brackets; a string with a bracket, a brace or ${…} in it needs quotes there",
      "found undefined alias": "no anchor of this name is defined before this line",
      "found unknown escape character": "this escape is not valid in double quotes; use single quotes, or \\\\",
    ]
    var message = "not YAML: \(known[problem] ?? problem)"
    if let context, context.mark.line > 0, context.mark.line != mark.line {
      message += " (\(context.text), which begins in line \(context.mark.line))"
    }
    // For the end of the file, the position of the open bracket or quote is more useful.
    if problem == "found unexpected end of stream", let context {
      return source.diagnostic(message, line: context.mark.line, column: context.mark.column)
    }
    return source.diagnostic(message, line: mark.line, column: mark.column)
  }
}
