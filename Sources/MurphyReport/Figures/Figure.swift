/// A number for people: rounded to what matters, with its unit.
package struct Figure: Sendable, Hashable {
  package var number: String
  /// Empty for a plain count.
  package var unit: String

  package init(_ number: String, _ unit: String = "") {
    self.number = number
    self.unit = unit
  }

  /// `12.4 ms`, with a plain space, for terminals and plain text.
  package var text: String {
    unit.isEmpty ? number : unit == "%" || unit.hasPrefix("/") ? number + unit : number + " " + unit
  }
}
