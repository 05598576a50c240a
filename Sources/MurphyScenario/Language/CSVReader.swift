import MurphyContract
import MurphyModel
import MurphySchema

extension ScenarioReader {
  func readFeeds(_ node: MarkedValue?) {
    for (name, keyNode, value) in mapping(node, "feeds") {
      guard let entries = entries(value, .feed), let variable = newVariable(name, at: keyNode) else { continue }
      flow.known.remove(name)
      guard let file = text(entries["file"], "a file"), let fileNode = entries["file"] else { continue }
      // A feed that cannot be read keeps its name, so that its uses are not reported as unknown as well.
      let rows = rows(of: file, at: fileNode) ?? FeedRows(columns: [], rows: [])
      var feed = Feed(name: name, file: file, rows: rows, variable: variable)
      if let order = choice(entries["order"], "order", Feed.Order.self) { feed.order = order }
      if let atEnd = choice(entries["at-end"], "at-end", Feed.AtEnd.self) { feed.atEnd = atEnd }
      if let unit = choice(entries["per"], "per", Feed.Unit.self) { feed.per = unit }
      feeds.append(feed)
    }
  }

  private func rows(of file: String, at node: MarkedValue) -> FeedRows? {
    let path = ScenarioFiles.path(file, relativeTo: source.file)
    guard let bytes = contents(of: path, at: node) else { return nil }
    do throws(Diagnostic) {
      let rows = try FeedRows.read(bytes, file: path)
      return rows.count > 0 ? rows : refuse("the file \(path) has no rows", at: node)
    } catch {
      diagnostics.append(error)
      return nil
    }
  }
}

extension FeedRows {
  /// Reads a CSV file (RFC 4180 with a header line), a JSON array, or one JSON value per line (`.jsonl`), by the file
  /// extension.
  static func read(_ bytes: [UInt8], file: String) throws(Diagnostic) -> FeedRows {
    if file.hasSuffix(".json") { return try json(bytes, file) }
    if file.hasSuffix(".jsonl") || file.hasSuffix(".ndjson") { return try jsonLines(bytes, file) }
    guard let text = String(validating: bytes, as: UTF8.self) else {
      throw Diagnostic("the feed file is not UTF-8 text", at: SourceMark(file: file, line: 1, column: 1))
    }
    var reader = CSVReader(text, file: file)
    return try reader.rows()
  }

  private static func json(_ bytes: [UInt8], _ file: String) throws(Diagnostic) -> FeedRows {
    guard case .array(let rows) = try value(bytes[...], file, line: 1) else {
      let mark = SourceMark(file: file, line: 1, column: 1)
      throw Diagnostic("a .json feed must contain an array with one element for each row", at: mark)
    }
    return FeedRows(columns: columns(of: rows), rows: rows)
  }

  private static func jsonLines(_ bytes: [UInt8], _ file: String) throws(Diagnostic) -> FeedRows {
    var rows: [JSONValue] = []
    for (number, line) in bytes.split(separator: 0x0A, omittingEmptySubsequences: false).enumerated()
    where !line.allSatisfy({ $0 == 0x20 || $0 == 0x0D || $0 == 0x09 }) {
      rows.append(try value(line, file, line: number + 1))
    }
    return FeedRows(columns: columns(of: rows), rows: rows)
  }

  /// - Parameter line: the number of the text's first line in the file.
  private static func value(_ text: ArraySlice<UInt8>, _ file: String, line: Int) throws(Diagnostic) -> JSONValue {
    do throws(JSONError) {
      return try JSONValue.parse(text)
    } catch {
      let mark = SourceMark(file: file, line: line + error.line - 1, column: error.column)
      throw Diagnostic("the feed is not valid JSON: \(error.message)", at: mark)
    }
  }

  /// Every field that occurs in a row, in order of appearance.
  private static func columns(of rows: [JSONValue]) -> [String] {
    var columns: [String] = []
    var seen: Set<String> = []
    for row in rows {
      for key in row.object?.keys ?? [] where seen.insert(key).inserted { columns.append(key) }
    }
    return columns
  }
}

/// RFC 4180, with LF or CRLF between lines. The first line names the columns; values are strings.
///
/// It is hand-written, because a mistake in a feed must be reported with its line. SwiftCSV 0.10.0 fills a short row
/// with empty strings and drops the fields of a long one. Its errors contain no position.
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

  mutating func rows() throws(Diagnostic) -> FeedRows {
    let columns = try record()
    try check(columns)
    var rows: [JSONValue] = []
    while position < bytes.count {
      let begin = line
      let fields = try record()
      // An empty line is not a row, unless there is only one column.
      if fields == [""], columns.count > 1 { continue }
      guard fields.count == columns.count else {
        throw mistake(
          "this row has \(counted(fields.count, "field")), but the header line has \(columns.count)", begin, 1)
      }
      rows.append(.object(JSONObject(zip(columns, fields).map { ($0, .string($1)) })))
    }
    return FeedRows(columns: columns, rows: rows)
  }

  private func check(_ columns: [String]) throws(Diagnostic) {
    var known: Set<String> = []
    for (index, column) in columns.enumerated() {
      if column.isEmpty { throw mistake("column \(index + 1) of the header line has no name", 1, 1) }
      if !known.insert(column).inserted {
        throw mistake("the header line contains the column \"\(column)\" twice", 1, 1)
      }
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
          throw mistake(
            "a quotation mark in a field without quotes; put the field in quotes, and write \"\" for the mark")
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
    throw mistake("the closing quotation mark of this field is missing", beginLine, beginColumn)
  }

  private func endOfQuoted() throws(Diagnostic) {
    guard position < bytes.count,
      ![UInt8(ascii: ","), UInt8(ascii: "\r"), UInt8(ascii: "\n")].contains(bytes[position])
    else { return }
    throw mistake(
      "expected a comma or the end of the line after the field; for a quotation mark in a field, write \"\"")
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
