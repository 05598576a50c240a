import MurphyJSON
import MurphyModel

extension FeedRows {
  /// Reads a CSV file (RFC 4180 with a header line), a JSON array, or one JSON value a line (`.jsonl`), by the name's end.
  static func read(_ bytes: [UInt8], file: String) -> Result<FeedRows, Diagnostic> {
    if file.hasSuffix(".json") { return json(bytes, file) }
    if file.hasSuffix(".jsonl") || file.hasSuffix(".ndjson") { return jsonLines(bytes, file) }
    guard let text = String(validating: bytes, as: UTF8.self) else {
      return .failure(Diagnostic("not UTF-8", at: SourceMark(file: file, line: 1, column: 1)))
    }
    var reader = CSVReader(text, file: file)
    return reader.rows()
  }

  private static func json(_ bytes: [UInt8], _ file: String) -> Result<FeedRows, Diagnostic> {
    do throws(JSONError) {
      guard case .array(let rows) = try JSONValue.parse(bytes) else {
        let mark = SourceMark(file: file, line: 1, column: 1)
        return .failure(Diagnostic("a feed in JSON is an array with one element a row", at: mark))
      }
      return .success(FeedRows(columns: columns(of: rows), rows: rows))
    } catch {
      return .failure(diagnostic(error, file, line: error.line))
    }
  }

  private static func jsonLines(_ bytes: [UInt8], _ file: String) -> Result<FeedRows, Diagnostic> {
    var rows: [JSONValue] = []
    for (number, line) in bytes.split(separator: 0x0A, omittingEmptySubsequences: false).enumerated()
    where !line.allSatisfy({ $0 == 0x20 || $0 == 0x0D || $0 == 0x09 }) {
      do throws(JSONError) {
        rows.append(try JSONValue.parse(line))
      } catch {
        return .failure(diagnostic(error, file, line: number + 1))
      }
    }
    return .success(FeedRows(columns: columns(of: rows), rows: rows))
  }

  private static func diagnostic(_ error: JSONError, _ file: String, line: Int) -> Diagnostic {
    Diagnostic("not JSON: \(error.message)", at: SourceMark(file: file, line: line, column: error.column))
  }

  /// Every member that some row has, in order of appearance.
  private static func columns(of rows: [JSONValue]) -> [String] {
    var columns: [String] = []
    var seen: Set<String> = []
    for row in rows {
      for key in row.object?.keys ?? [] where seen.insert(key).inserted { columns.append(key) }
    }
    return columns
  }
}
