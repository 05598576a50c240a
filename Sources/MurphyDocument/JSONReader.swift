import MurphyJSON
import MurphyModel

/// JSON with marks: the parser gives the value, a second pass over the same bytes the places.
struct JSONReader {
  private let text: SourceText
  private var marks = SourceMarks()
  private var index = 0
  private var line = 1
  private var lineStart = 0
  private var duplicates: [Diagnostic] = []

  static func read(_ text: SourceText) throws(ContractError) -> (JSONValue, SourceMarks) {
    let value: JSONValue
    do {
      value = try JSONValue.parse(text.bytes)
    } catch {
      let mark = SourceMark(file: text.file, line: error.line, column: error.column)
      throw ContractError([text.diagnostic("not JSON: \(error.message)", at: mark)])
    }
    var reader = JSONReader(text: text)
    reader.value(named: nil)
    guard reader.duplicates.isEmpty else { throw ContractError(reader.duplicates) }
    return (value, reader.marks)
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
      if !names.insert(name).inserted {
        let mark = SourceMark(file: text.file, line: Int(place.line), column: Int(place.column))
        duplicates.append(
          text.diagnostic("the name \"\(String(decoding: name, as: UTF8.self))\" stands here twice", at: mark))
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
    while current != UInt8(ascii: "\"") { index += current == UInt8(ascii: "\\") ? 2 : 1 }
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
      case UInt8(ascii: " "), UInt8(ascii: "\t"), UInt8(ascii: "\r"): index += 1
      default: return
      }
    }
  }

  private var current: UInt8 { text.bytes[index] }
  private var place: SourceMarks.Place { SourceMarks.Place(line: line, column: index - lineStart + 1) }

  private static func ends(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: ","), UInt8(ascii: "}"), UInt8(ascii: "]"), UInt8(ascii: " "), UInt8(ascii: "\n"),
      UInt8(ascii: "\r"), UInt8(ascii: "\t"):
      true
    default: false
    }
  }
}
