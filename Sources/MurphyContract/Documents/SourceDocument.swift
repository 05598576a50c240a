import Foundation
import MurphyModel
import MurphySchema

/// A file that was read: its value and the positions of all its parts.
package struct SourceDocument: Sendable {
  package let text: SourceText
  /// An absolute path.
  package let path: String
  /// The value of the whole document; for Swagger 2.0, its form in OpenAPI 3.0.
  package private(set) var value: JSONValue
  private var marks: SourceMarks
  /// The document as it is in its file, if ``value`` is converted.
  private var original: (value: JSONValue, marks: SourceMarks)?
  /// The mistakes and losses of the conversion.
  private(set) var notes: [Diagnostic] = []
  /// The overlays' files, by the number that positions use for them, from 1.
  private var overlays: [SourceText] = []
  /// The files of the parts that a bundle put into it. Their numbers follow those of the overlays.
  private var parts: [SourceText] = []

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
    convert()
  }

  /// The document with an overlay's changes. Parts from the overlay have positions in the overlay's file.
  init(_ base: SourceDocument, _ tree: MarkedValue, overlay: SourceText) {
    text = base.text
    path = base.path
    value = tree.value
    marks = tree.marks
    overlays = base.overlays + [overlay]
    convert()
  }

  /// The document with the parts of other documents.
  init(_ base: SourceDocument, _ bundle: DocumentBundle) {
    text = base.text
    path = base.path
    value = bundle.tree.value
    marks = bundle.tree.marks
    overlays = base.overlays
    parts = base.parts + bundle.files
    convert()
  }

  private mutating func convert() {
    guard SwaggerConversion.applies(to: value) else { return }
    var conversion = SwaggerConversion(marks.marked(value))
    let tree = conversion.converted()
    original = (value, marks)
    (value, marks) = (tree.value, tree.marks)
    notes = conversion.notes.map { note in
      let pointer = original?.marks.pointer(to: note.place, in: original?.value ?? .null)
      return file(of: note.place).diagnostic(note.message, at: mark(note.place, pointer), severity: note.severity)
    }
  }

  /// The value of the whole document as it is in its file.
  var sourceValue: JSONValue { original?.value ?? value }

  /// The files of the overlays that were applied to it.
  var overlayFiles: [String] { overlays.map(\.file) }

  /// The number of the next further file.
  var nextFile: Int { overlays.count + parts.count + 1 }

  /// - Parameter file: the file number for all positions; nil keeps their own.
  func marked(file: Int? = nil) -> MarkedValue {
    let (value, marks) = original ?? (value, marks)
    return marks.marked(value, file: file)
  }

  /// True if it was fetched from the target. Then it must not refer to another file.
  package var isRemote: Bool { DocumentSet.isOnNetwork(path) }

  /// The document's URI in the schema registry.
  package var uri: String { Self.uri(path) }

  /// The `file:` URI of a path.
  package static func uri(_ path: String) -> String {
    "file://" + PercentEncoding.encode(path: path)
  }

  /// The position of the value at `pointer`, or of its member name.
  package func mark(_ pointer: JSONPointer, ofName: Bool = true) -> SourceMark {
    mark(place(of: pointer, ofName: ofName), originalPointer(pointer))
  }

  func mark(_ place: SourceMarks.Place, _ pointer: @autoclosure () -> JSONPointer?) -> SourceMark {
    let file = file(of: place)
    // An overlay has its values at other pointers.
    let named = place.file == 0 && file.isLong(Int(place.line)) ? pointer() : nil
    return SourceMark(
      file: file.file, line: Int(place.line), column: Int(place.column),
      pointer: named.flatMap { $0.tokens.isEmpty ? nil : $0.description })
  }

  /// The pointer in the file to the part from which the value at `pointer` was made.
  func originalPointer(_ pointer: JSONPointer) -> JSONPointer {
    guard let original else { return pointer }
    return original.marks.pointer(to: place(of: pointer, ofName: false), in: original.value) ?? pointer
  }

  private func place(of pointer: JSONPointer, ofName: Bool) -> SourceMarks.Place {
    marks.place(of: pointer, in: value, ofName: ofName) ?? SourceMarks.Place(line: 1, column: 1)
  }

  func file(of place: SourceMarks.Place) -> SourceText {
    place.file == 0 ? text : (overlays + parts)[Int(place.file) - 1]
  }

  /// A diagnostic with its source line, at the value of `pointer` or at its member name.
  package func diagnostic(
    _ message: String, at pointer: JSONPointer, ofName: Bool = true, severity: Diagnostic.Severity = .error
  ) -> Diagnostic {
    let width =
      ofName ? pointer.tokens.last?.unicodeScalars.count : pointer.resolve(in: value)?.string?.unicodeScalars.count
    return file(of: place(of: pointer, ofName: ofName)).diagnostic(
      message, at: mark(pointer, ofName: ofName), severity: severity, width: min(width ?? 1, 80))
  }
}

/// Reads JSON with marks, from the parser's positions.
enum JSONReader {
  private static let mostReported = 100

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
        if let repeated = place.repeated, let name, duplicates.count < mostReported {
          let message =
            duplicates.count == mostReported - 1
            ? "more names appear twice; murphy does not list them"
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

/// Reads documents: from the disk, or from a test's dictionary.
package struct FileReader: Sendable {
  /// The bytes of the file at an absolute path.
  package let read: @Sendable (_ path: String) throws -> [UInt8]
  /// Absolute folders that references may lead to, in addition to that of the first document.
  package var folders: [String] = []
  /// Resolves the symbolic links of an absolute path.
  private let followed: @Sendable (_ path: String) -> String
  /// True if a path exists and is not a regular file: a folder, a device, a named pipe.
  let isSpecial: @Sendable (_ path: String) -> Bool

  package init(
    followed: @escaping @Sendable (_ path: String) -> String = { $0 },
    isSpecial: @escaping @Sendable (_ path: String) -> Bool = { _ in false },
    _ read: @escaping @Sendable (_ path: String) throws -> [UInt8]
  ) {
    self.read = read
    self.followed = followed
    self.isSpecial = isSpecial
  }

  /// The variable with further folders that references may lead to, separated by colons.
  static let foldersVariable = "MURPHY_ALLOW_REFERENCES"

  /// Reads files of this machine, with the folders that ``foldersVariable`` allows.
  package static let files: FileReader = {
    var reader = FileReader(
      followed: { URL(fileURLWithPath: $0).resolvingSymlinksInPath().path },
      isSpecial: { access($0, F_OK) == 0 && !BoundedFile.isRegular($0) },
      { path in try BoundedFile.read(path, limit: BoundedFile.contract) })
    let allowed = ProcessInfo.processInfo.environment[foldersVariable] ?? ""
    reader.folders = allowed.split(separator: ":").map { absolute(String($0)) }
    return reader
  }()

  /// The same reader, extended by documents from other sources, by path.
  func serving(_ documents: [String: [UInt8]]) -> FileReader {
    let read = read
    var reader = FileReader(followed: followed, isSpecial: isSpecial) { path in try documents[path] ?? read(path) }
    reader.folders = folders
    return reader
  }

  /// True if a reference in a contract may lead to `path`. A contract from another source must not read this machine's
  /// files.
  ///
  /// - Parameter root: the path of the contract's first document.
  package func permits(_ path: String, from root: String) -> Bool {
    let target = followed(path)
    let homes = [Self.directory(of: followed(root)), followed(Self.directory(of: root))]
    return (homes + folders.map(followed)).contains { folder in
      target.hasPrefix(folder.hasSuffix("/") ? folder : folder + "/")
    }
  }

  /// An absolute path without `.` and `..`; symbolic links are not resolved.
  ///
  /// The URL of a fetched document is not changed.
  package static func absolute(_ file: String, relativeTo directory: String? = nil) -> String {
    if file.hasPrefix("http://") || file.hasPrefix("https://") { return file }
    let base = directory ?? FileManager.default.currentDirectoryPath
    let joined = file.hasPrefix("/") ? file : base + "/" + file
    return normalized(joined)
  }

  /// Without `.` and `name/..`; a relative path stays relative.
  package static func normalized(_ path: String) -> String {
    var parts: [Substring] = []
    for part in path.split(separator: "/") where part != "." {
      if part == "..", let last = parts.last, last != ".." {
        parts.removeLast()
      } else if part != ".." || !path.hasPrefix("/") {
        parts.append(part)
      }
    }
    return (path.hasPrefix("/") ? "/" : "") + parts.joined(separator: "/")
  }

  /// `.` for a path without a folder.
  package static func directory(of path: String) -> String {
    path.lastIndex(of: "/").map { String(path[..<$0]) } ?? "."
  }
}
