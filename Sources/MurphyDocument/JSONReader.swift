import MurphyJSON
import MurphyModel

/// JSON with marks: the parser gives the value, a second pass over the same bytes the places.
struct JSONReader {
  private let text: SourceText
  private var marks = SourceMarks()
  private var index = 0
  private var line = 1
  private var lineStart = 0
  /// Bytes of the line so far that are not the first of a character: columns count characters.
  private var continuations = 0
  private var duplicates: [Diagnostic] = []
  private static let mostTold = 100

  /// - Returns: the value with its marks unless the text is not JSON at all, and what is wrong with it.
  static func read(
    _ text: SourceText
  ) -> (contents: (value: JSONValue, marks: SourceMarks)?, mistakes: [Diagnostic]) {
    do throws(JSONError) {
      let value = try JSONValue.parse(text.bytes)
      var reader = JSONReader(text: text)
      reader.value(named: nil)
      return ((value, reader.marks), reader.duplicates)
    } catch {
      // The parser counts bytes, marks count characters.
      let end = min(error.offset, text.bytes.count)
      let before = text.bytes[max(0, end - error.column + 1)..<end]
      let column = error.column - before.count { $0 & 0xC0 == 0x80 }
      return (nil, [text.diagnostic("not JSON: \(error.message)", line: error.line, column: column)])
    }
  }

  private init(text: SourceText) { self.text = text }

  /// Reads one value of a text that is known to be JSON.
  private mutating func value(named name: SourceMarks.Place?) {
    skipSpace()
    let entry = marks.open(at: place, named: name)
    defer { marks.close(entry) }
    switch current {
    case UInt8(ascii: "{"): members()
    case UInt8(ascii: "["): items()
    case UInt8(ascii: "\""): _ = string()
    default: while index < text.bytes.count, !Self.ends(current) { index += 1 }
    }
  }

  private mutating func members() {
    index += 1
    var names: Set<ArraySlice<UInt8>> = []
    skipSpace()
    while current != UInt8(ascii: "}") {
      let place = place
      let name = string()
      if !names.insert(name).inserted, duplicates.count < Self.mostTold {
        let mark = SourceMark(file: text.file, line: Int(place.line), column: Int(place.column))
        let message =
          duplicates.count == Self.mostTold - 1
          ? "more duplicate names follow, which are not listed"
          : "the name \"\(String(decoding: name, as: UTF8.self))\" stands here twice"
        duplicates.append(text.diagnostic(message, at: mark))
      }
      skipSpace()
      index += 1  // :
      value(named: place)
      separate()
    }
    index += 1
  }

  private mutating func items() {
    index += 1
    skipSpace()
    while current != UInt8(ascii: "]") {
      value(named: nil)
      separate()
    }
    index += 1
  }

  private mutating func separate() {
    skipSpace()
    if current == UInt8(ascii: ",") { index += 1 }
    skipSpace()
  }

  /// The bytes between the quotes, escapes as written.
  private mutating func string() -> ArraySlice<UInt8> {
    index += 1
    let start = index
    while current != UInt8(ascii: "\"") {
      if current & 0xC0 == 0x80 { continuations += 1 }
      index += current == UInt8(ascii: "\\") ? 2 : 1
    }
    index += 1
    return text.bytes[start..<index - 1]
  }

  private mutating func skipSpace() {
    while index < text.bytes.count {
      switch current {
      case UInt8(ascii: "\n"):
        index += 1
        line += 1
        lineStart = index
        continuations = 0
      case UInt8(ascii: " "), UInt8(ascii: "\t"), UInt8(ascii: "\r"): index += 1
      default: return
      }
    }
  }

  private var current: UInt8 { text.bytes[index] }
  private var place: SourceMarks.Place { SourceMarks.Place(line: line, column: index - lineStart - continuations + 1) }

  private static func ends(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: ","), UInt8(ascii: "}"), UInt8(ascii: "]"), UInt8(ascii: " "), UInt8(ascii: "\n"),
      UInt8(ascii: "\r"), UInt8(ascii: "\t"):
      true
    default: false
    }
  }
}
