/// A string compared by its bytes. Swift's own `==` holds for canonically equivalent strings; JSON's names are
/// compared code point by code point (RFC 8259 §8.3).
package struct JSONKey: Hashable, Sendable {
  package let text: String

  package init(_ text: String) { self.text = text }

  package static func == (left: JSONKey, right: JSONKey) -> Bool {
    left.text == right.text && left.text.utf8.elementsEqual(right.text.utf8)
  }

  package func hash(into hasher: inout Hasher) { hasher.combine(text) }
}
