import MurphyJSON
import MurphyModel

/// A part of an answer that the session keeps under a name.
package struct Save: Sendable {
  package enum Source: Sendable {
    /// A singular query (RFC 9535 §2.3.5.1) gives the value itself, any other the array of what it finds.
    case body(JSONPath)
    /// The first header field of this name, as text.
    case header(String)
    /// The status, a number.
    case status
  }

  package var variable: Variable
  package var source: Source
  /// Taken when a singular query or a header finds nothing; without one the session ends there.
  package var fallback: Template?
  /// The value is masked in every output.
  package var isSecret: Bool
  package var mark: SourceMark

  package init(
    variable: Variable, source: Source, fallback: Template? = nil, isSecret: Bool = false, mark: SourceMark
  ) {
    self.isSecret = isSecret
    self.variable = variable
    self.source = source
    self.fallback = fallback
    self.mark = mark
  }
}
