import MurphyModel
import MurphySchema

/// Reads JSON with marks, from the parser's positions.
enum JSONReader {
  private static let mostTold = 100

  /// - Returns: the value with its marks, unless the text is not JSON at all, and the mistakes.
  static func read(
    _ text: SourceText
  ) -> (contents: (value: JSONValue, marks: SourceMarks)?, mistakes: [Diagnostic]) {
    do throws(JSONError) {
      let (value, places) = try JSONValue.located(text.bytes)
      var cursor = Cursor(bytes: text.bytes)
      var marks = SourceMarks()
      var duplicates: [Diagnostic] = []
      /// The values that are not complete, with the number of values at their ends.
      var open: [(index: Int, end: Int)] = []
      for place in places {
        let name = place.name.map { cursor.move(to: $0) }
        if let repeated = place.repeated, let name, duplicates.count < mostTold {
          let message =
            duplicates.count == mostTold - 1
            ? "more duplicate names follow, which are not listed"
            : "the name \(JSONValue.string(repeated).text) appears here twice"
          duplicates.append(text.diagnostic(message, line: Int(name.line), column: Int(name.column)))
        }
        let index = marks.open(at: cursor.move(to: place.offset), named: name)
        open.append((index, index + place.size))
        while let last = open.last, last.end == marks.count {
          marks.close(last.index)
          open.removeLast()
        }
      }
      return ((value, marks), duplicates)
    } catch {
      // The parser counts bytes; marks count characters.
      let end = min(error.offset, text.bytes.count)
      let before = text.bytes[max(0, end - error.column + 1)..<end]
      let column = error.column - before.count { $0 & 0xC0 == 0x80 }
      var message = "not JSON: \(error.message)"
      if text.isLong(error.line) {
        let last = String(decoding: text.bytes[max(0, end - 40)..<end], as: UTF8.self)
        message += ", after …\(last.drop { $0 == "\u{FFFD}" })"
      }
      return (nil, [text.diagnostic(message, line: error.line, column: column)])
    }
  }

  /// Lines and columns of ascending offsets. Columns count characters: UTF-8 continuation bytes do not count.
  private struct Cursor {
    let bytes: [UInt8]
    var offset = 0
    var line = 1
    var column = 1

    mutating func move(to wanted: Int) -> SourceMarks.Place {
      while offset < wanted {
        let byte = bytes[offset]
        offset += 1
        if byte == UInt8(ascii: "\n") {
          (line, column) = (line + 1, 1)
        } else if byte & 0xC0 != 0x80 {
          column += 1
        }
      }
      return SourceMarks.Place(line: line, column: column)
    }
  }
}
