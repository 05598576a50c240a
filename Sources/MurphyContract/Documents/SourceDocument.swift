import MurphyModel
import MurphySchema

/// A file that was read: its value and the positions of all its parts.
package struct SourceDocument: Sendable {
  package let text: SourceText
  /// An absolute path.
  package let path: String
  /// The value of the whole document.
  package let value: JSONValue
  private let marks: SourceMarks
  /// The overlays' files, by the number that positions use for them, from 1.
  private var overlays: [SourceText] = []

  /// Reads YAML. Reads JSON if the file's name says so or a fetched text starts as an object.
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

  /// The document with an overlay's changes. Parts from the overlay have positions in the overlay's file.
  init(_ base: SourceDocument, _ tree: MarkedValue, overlay: SourceText) {
    text = base.text
    path = base.path
    value = tree.value
    marks = tree.marks
    overlays = base.overlays + [overlay]
  }

  /// The files of the overlays that were applied to it.
  var overlayFiles: [String] { overlays.map(\.file) }

  /// The number of the next overlay's file.
  var nextFile: Int { overlays.count + 1 }

  /// - Parameter file: the file number for all positions; nil keeps their own.
  func marked(file: Int? = nil) -> MarkedValue { marks.marked(value, file: file) }

  /// True if it was fetched from the target. Then it must not refer to another file.
  package var isRemote: Bool { path.hasPrefix("http://") || path.hasPrefix("https://") }

  /// The document's URI in the schema registry.
  package var uri: String { Self.uri(path) }

  /// The `file:` URI of a path.
  package static func uri(_ path: String) -> String {
    "file://" + PercentEncoding.encode(path: path)
  }

  /// The position of the value at `pointer`, or of its member name.
  package func mark(_ pointer: JSONPointer, ofName: Bool = true) -> SourceMark {
    let place = place(of: pointer, ofName: ofName)
    let file = file(of: place)
    // An overlay has its values at other pointers.
    let isNamed = place.file == 0 && !pointer.tokens.isEmpty && file.isLong(Int(place.line))
    return SourceMark(
      file: file.file, line: Int(place.line), column: Int(place.column),
      pointer: isNamed ? pointer.description : nil)
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
