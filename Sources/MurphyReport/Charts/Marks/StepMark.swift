/// A quantity that holds over each step of `width`, as counts per second do: a filled outline with flat tops.
package struct StepMark: Mark {
  package var points: [Point]
  package var width: Double
  package var label: String?
  package var style: String

  package init(_ points: [Point], width: Double, style: String, label: String? = nil) {
    self.points = points
    self.width = width
    self.style = style
    self.label = label
  }

  package func draw(in frame: Frame) -> Markup {
    guard let first = points.first, let last = points.last else { return .nothing }
    let tops = points.flatMap { [Point($0.x, $0.y), Point($0.x + width, $0.y)] }
    let ground = frame.y.lower
    let outline = [Point(first.x, ground)] + tops + [Point(last.x + width, ground)]
    return element(.path, .class("area \(style)"), Attribute("d", frame.path(outline) + "Z"))
  }

  package func endLabel(in frame: Frame) -> EndLabel? {
    guard let label, let last = points.last else { return nil }
    return EndLabel(text: label, y: frame.y.position(last.y), style: style)
  }
}
