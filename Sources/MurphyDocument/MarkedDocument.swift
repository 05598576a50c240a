import MurphyJSON
import MurphyModel

/// A YAML or JSON text that was read: its value, where everything in it stands, and what is wrong with it.
///
/// Contracts and scenarios are read here, so that one text means the same in both.
package struct MarkedDocument: Sendable {
  package enum Format: Sendable { case yaml, json }

  package let source: SourceText
  /// Nil for a text that is not of its format at all.
  package let contents: (value: JSONValue, marks: SourceMarks)?
  /// In the order of the text.
  package let mistakes: [Diagnostic]

  /// - Parameter keepsSpelling: whether ``root`` says how scalars were written; for files that a person writes.
  package init(_ source: SourceText, as format: Format, keepsSpelling: Bool = false) {
    self.source = source
    (contents, mistakes) =
      switch format {
      case .json: JSONReader.read(source)
      case .yaml: YAMLReader.read(source, keepsSpelling: keepsSpelling)
      }
  }

  /// The value as a tree; nil where there is none.
  package var root: MarkedValue? { contents.map { $0.marks.marked($0.value) } }
}
