import MurphyJSON
import MurphyModel

/// An invariant over sessions, as written: read, but not yet interpreted.
package struct StateExpectation: Sendable {
  package var value: JSONValue
  package var mark: SourceMark
  /// Where each part stands, by JSON Pointer into `value`.
  package var marks: [String: SourceMark]

  /// The beginning of what was written, for reports.
  package var name: String { String(value.text.prefix(80)) }

  /// What becomes of it, for `check` and for reports.
  package var sentence: String {
    "The invariant \(name) was asked for, and this version of murphy does not judge state."
  }

  package init(value: JSONValue, mark: SourceMark, marks: [String: SourceMark]) {
    self.value = value
    self.mark = mark
    self.marks = marks
  }
}
