/// The name of an element, and how it is written.
package struct Tag: Sendable, Hashable {
  package enum Content: Sendable {
    case normal
    /// Never has content nor an end tag in HTML, as `br`.
    case void
  }

  package let name: String
  package let content: Content

  package init(_ name: StaticString, _ content: Content = .normal) {
    self.name = name.description
    self.content = content
  }
}
