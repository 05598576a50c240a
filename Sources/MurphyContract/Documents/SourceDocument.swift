import MurphyModel
import MurphySchema

/// A file that was read: its value, and where everything in it stands.
package struct SourceDocument: Sendable {
  package let text: SourceText
  /// Absolute.
  package let path: String
  package let value: JSONValue
  private let marks: SourceMarks
  /// The overlays' files, by the number that places give them, from 1.
  private var overlays: [SourceText] = []

  /// Reads YAML, or JSON when the file's name says so or when a fetched text begins as an object.
  package init(text: SourceText, path: String) throws(ContractError) {
    self.text = text
    self.path = path
    let first = text.bytes.first { $0 != 0x20 && $0 != 0x09 && $0 != 0x0A && $0 != 0x0D }
    let isJSON =
      path.lowercased().hasSuffix(".json")
      || (first == UInt8(ascii: "{") && (path.hasPrefix("http://") || path.hasPrefix("https://")))
    let document = MarkedDocument(text, as: isJSON ? .json : .yaml)
    guard let contents = document.contents, document.mistakes.isEmpty else { throw ContractError(document.mistakes) }
    (value, marks) = contents
  }

  /// The document with an overlay's changes; parts that the overlay brought stand in its file.
  init(_ base: SourceDocument, _ tree: MarkedValue, overlay: SourceText) {
    text = base.text
    path = base.path
    value = tree.value
    marks = tree.marks
    overlays = base.overlays + [overlay]
  }

  /// The files of the overlays that changed it.
  var overlayFiles: [String] { overlays.map(\.file) }

  /// Under which number the next overlay's file is known.
  var nextFile: Int { overlays.count + 1 }

  /// - Parameter file: what the places say of their file; nil for what they said.
  func marked(file: Int? = nil) -> MarkedValue { marks.marked(value, file: file) }

  /// Whether it was fetched from the target; then it may refer to no other file.
  package var isRemote: Bool { path.hasPrefix("http://") || path.hasPrefix("https://") }

  /// The URI by which the schemas know this document.
  package var uri: String { Self.uri(path) }

  package static func uri(_ path: String) -> String {
    "file://" + PercentEncoding.encode(path: path)
  }

  /// Where the value at `pointer` stands, or its member name.
  package func mark(_ pointer: JSONPointer, ofName: Bool = true) -> SourceMark {
    let place = place(of: pointer, ofName: ofName)
    return SourceMark(file: file(of: place).file, line: Int(place.line), column: Int(place.column))
  }

  private func place(of pointer: JSONPointer, ofName: Bool) -> SourceMarks.Place {
    marks.place(of: pointer, in: value, ofName: ofName) ?? SourceMarks.Place(line: 1, column: 1)
  }

  private func file(of place: SourceMarks.Place) -> SourceText {
    place.file == 0 ? text : overlays[Int(place.file) - 1]
  }

  package func diagnostic(
    _ message: String, at pointer: JSONPointer, ofName: Bool = true, severity: Diagnostic.Severity = .error
  ) -> Diagnostic {
    let width =
      ofName ? pointer.tokens.last?.unicodeScalars.count : pointer.resolve(in: value)?.string?.unicodeScalars.count
    return file(of: place(of: pointer, ofName: ofName)).diagnostic(
      message, at: mark(pointer, ofName: ofName), severity: severity, width: min(width ?? 1, 80))
  }
}
