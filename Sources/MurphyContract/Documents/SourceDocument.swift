import MurphyJSON
import MurphyModel

/// A file that was read: its value, and where everything in it stands.
package struct SourceDocument: Sendable {
  package let text: SourceText
  /// Absolute.
  package let path: String
  package let value: JSONValue
  private let marks: SourceMarks

  /// Reads YAML, or JSON when the first byte that is no white space opens an object or array and the file is JSON.
  package init(text: SourceText, path: String) throws(ContractError) {
    self.text = text
    self.path = path
    let isJSON = path.lowercased().hasSuffix(".json")
    (value, marks) = isJSON ? try JSONReader.read(text) : try YAMLReader.read(text)
  }

  /// The URI by which the schemas know this document.
  package var uri: String { Self.uri(path) }

  package static func uri(_ path: String) -> String {
    "file://"
      + path.split(separator: "/", omittingEmptySubsequences: false)
      .map { PercentEncoding.encode(String($0), keepingReserved: false) }.joined(separator: "/")
  }

  /// Where the value at `pointer` stands, or its member name.
  package func mark(_ pointer: JSONPointer, ofName: Bool = true) -> SourceMark {
    let place = marks.place(of: pointer, in: value, ofName: ofName) ?? SourceMarks.Place(line: 1, column: 1)
    return SourceMark(file: text.file, line: Int(place.line), column: Int(place.column))
  }

  package func diagnostic(
    _ message: String, at pointer: JSONPointer, ofName: Bool = true, severity: Diagnostic.Severity = .error
  ) -> Diagnostic {
    let width =
      ofName ? pointer.tokens.last?.unicodeScalars.count : pointer.resolve(in: value)?.string?.unicodeScalars.count
    return text.diagnostic(message, at: mark(pointer, ofName: ofName), severity: severity, width: min(width ?? 1, 80))
  }
}
