import MurphyJSON
import MurphyModel

/// An invariant over sessions, as written: read, but not yet interpreted.
public struct StateExpectation: Sendable {
  package var value: JSONValue
  package var mark: SourceMark
  /// Where each part stands, by JSON Pointer into `value`.
  package var marks: [String: SourceMark]

  package init(value: JSONValue, mark: SourceMark, marks: [String: SourceMark]) {
    self.value = value
    self.mark = mark
    self.marks = marks
  }
}
