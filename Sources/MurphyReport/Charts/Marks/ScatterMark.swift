/// Points as small circles; `ring` draws them hollow, so that two sets differ without colour.
package struct ScatterMark: Mark {
  package var points: [Point]
  package var radius: Double
  package var ring: Bool
  package var style: String
  package var label: String?

  package init(_ points: [Point], style: String, radius: Double = 2.5, ring: Bool = false, label: String? = nil) {
    self.points = points
    self.style = style
    self.radius = radius
    self.ring = ring
    self.label = label
  }

  package var read: [Point] { points }

  package func draw(in frame: Frame) -> Markup {
    element(.g, .class("dots \(style)\(ring ? " ring" : "")")) {
      for point in points {
        element(
          .circle, Attribute("cx", frame.x.position(point.x)), Attribute("cy", frame.y.position(point.y)),
          Attribute("r", radius))
      }
    }
  }

  package func endLabel(in frame: Frame) -> EndLabel? {
    guard let label, let last = points.last else { return nil }
    return EndLabel(text: label, y: frame.y.position(last.y), style: style)
  }
}
