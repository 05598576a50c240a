import MurphyJSON
import MurphyModel
import MurphyRegex

/// A part of an answer that the session keeps under a name.
package struct Save: Sendable {
  package enum Source: Sendable {
    /// A singular query (RFC 9535 §2.3.5.1) gives the value itself, any other the array of what it finds.
    case body(JSONPath)
    /// All of the body, as text.
    case text
    /// The first header field of this name, as text.
    case header(String)
    /// The status, a number.
    case status
    /// What the answer sets the cookie to, or else what the user has under this name for the request.
    case cookie(String)
    /// Where the first `Link` of this relation leads (RFC 8288): path and query at the target.
    case link(String)
  }

  package var variable: Variable
  package var source: Source
  /// Taken out of the source's text; nil takes all of it.
  package var pattern: ECMAPattern?
  /// Taken when a singular query, a header or the like finds nothing; without one the session ends there.
  package var fallback: Template?
  /// The value is masked in every output.
  package var isSecret: Bool
  package var mark: SourceMark
}
