/// A line through points; nil is a gap.
package struct LineMark: Mark {
  package var points: [Point?]
  package var label: String?
  /// Classes of the stylesheet, as `p95`.
  package var style: String

  package init(_ points: [Point?], style: String, label: String? = nil) {
    self.points = points
    self.style = style
    self.label = label
  }

  package func draw(in frame: Frame) -> Markup {
    element(.path, .class("line \(style)"), Attribute("d", frame.path(points)))
  }

  package func endLabel(in frame: Frame) -> EndLabel? {
    guard let label, let last = points.last(where: { $0 != nil }) ?? nil else { return nil }
    return EndLabel(text: label, y: frame.y.position(last.y), style: style)
  }
}
