import MurphyJSON
import MurphyModel

/// RFC 4180, with LF or CRLF between lines. The first line names the columns; values are texts.
///
/// Hand-written, because a mistake in a feed must be shown with its line: SwiftCSV 0.10.0 fills a short row with
/// empty texts, drops the fields of a long one, and its errors name no place.
struct CSVReader {
  private let bytes: [UInt8]
  private let file: String
  private var position = 0
  private var line = 1
  private var lineStart = 0

  init(_ text: String, file: String) {
    // A byte order mark is not part of the first column's name.
    bytes = Array((text.hasPrefix("\u{FEFF}") ? String(text.dropFirst()) : text).utf8)
    self.file = file
  }

  mutating func rows() -> Result<FeedRows, Diagnostic> {
    do throws(Diagnostic) {
      let columns = try record()
      try check(columns)
      var rows: [JSONValue] = []
      while position < bytes.count {
        let begin = line
        let fields = try record()
        // An empty line is not a row, unless there is only one column.
        if fields == [""], columns.count > 1 { continue }
        guard fields.count == columns.count else {
          throw mistake("this row has \(fields.count) fields, and the header line names \(columns.count)", begin, 1)
        }
        rows.append(.object(JSONObject(zip(columns, fields).map { ($0, .string($1)) })))
      }
      return .success(FeedRows(columns: columns, rows: rows))
    } catch {
      return .failure(error)
    }
  }

  private func check(_ columns: [String]) throws(Diagnostic) {
    var known: Set<String> = []
    for (index, column) in columns.enumerated() {
      if column.isEmpty { throw mistake("column \(index + 1) has no name", 1, 1) }
      if !known.insert(column).inserted { throw mistake("the column \"\(column)\" stands twice", 1, 1) }
    }
  }

  /// `record = field *(COMMA field)` and its line break.
  private mutating func record() throws(Diagnostic) -> [String] {
    var fields: [String] = []
    while true {
      fields.append(try field())
      guard position < bytes.count else { return fields }
      let end = bytes[position]
      position += 1
      if end == UInt8(ascii: ",") { continue }
      if end == UInt8(ascii: "\r"), position < bytes.count, bytes[position] == UInt8(ascii: "\n") { position += 1 }
      line += 1
      lineStart = position
      return fields
    }
  }

  private mutating func field() throws(Diagnostic) -> String {
    guard position < bytes.count, bytes[position] == UInt8(ascii: "\"") else {
      let start = position
      while position < bytes.count,
        ![UInt8(ascii: ","), UInt8(ascii: "\r"), UInt8(ascii: "\n")].contains(bytes[position])
      {
        if bytes[position] == UInt8(ascii: "\"") {
          throw mistake("a quote within a field without quotes; put the field in quotes and write \"\"")
        }
        position += 1
      }
      return String(decoding: bytes[start..<position], as: UTF8.self)
    }
    return try quoted()
  }

  /// `escaped = DQUOTE *(TEXTDATA / COMMA / CR / LF / 2DQUOTE) DQUOTE`
  private mutating func quoted() throws(Diagnostic) -> String {
    let (beginLine, beginColumn) = (line, position - lineStart + 1)
    position += 1
    var value: [UInt8] = []
    while position < bytes.count {
      let byte = bytes[position]
      position += 1
      if byte == UInt8(ascii: "\"") {
        guard position < bytes.count, bytes[position] == byte else {
          try endOfQuoted()
          return String(decoding: value, as: UTF8.self)
        }
        position += 1
      } else if byte == UInt8(ascii: "\n") {
        line += 1
        lineStart = position
      }
      value.append(byte)
    }
    throw mistake("the quote has no end", beginLine, beginColumn)
  }

  private func endOfQuoted() throws(Diagnostic) {
    guard position < bytes.count,
      ![UInt8(ascii: ","), UInt8(ascii: "\r"), UInt8(ascii: "\n")].contains(bytes[position])
    else { return }
    throw mistake("expected a comma or the line's end behind the quote; write \"\" for a quote within")
  }

  private func mistake(_ message: String, _ line: Int? = nil, _ column: Int? = nil) -> Diagnostic {
    let number = line ?? self.line
    let text = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
    let source = text.indices.contains(number - 1) ? String(decoding: text[number - 1], as: UTF8.self) : nil
    return Diagnostic(
      message, at: SourceMark(file: file, line: number, column: column ?? position - lineStart + 1),
      sourceLine: source?.filter { !$0.isNewline })
  }
}
