/// A line through points; nil is a gap.
package struct LineMark: Mark {
  package var points: [Point?]
  package var label: String?
  /// Classes of the stylesheet, as `p95`.
  package var style: String
  /// Whether the label stands at the end of the line; a chart with a heading has no room for it.
  private let hasEndLabel: Bool

  package init(_ points: [Point?], style: String, label: String? = nil, hasEndLabel: Bool = true) {
    self.points = points
    self.style = style
    self.label = label
    self.hasEndLabel = hasEndLabel
  }

  package var read: [Point] { points.compactMap(\.self) }

  package func draw(in frame: Frame) -> Markup {
    element(.path, .class("line \(style)"), Attribute("d", frame.path(points)))
  }

  package func endLabel(in frame: Frame) -> EndLabel? {
    guard let label, hasEndLabel, let last = points.last(where: { $0 != nil }) ?? nil else { return nil }
    return EndLabel(text: label, y: frame.y.position(last.y), style: style)
  }
}

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

  /// In the middle of each step.
  package var read: [Point] { points.map { Point($0.x + width / 2, $0.y) } }

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

/// A shaded span of the x axis, over the whole height: a window of a rate limit, a stage of the load.
package struct BandMark: Mark {
  package var spans: [ClosedRange<Double>]
  package var style: String

  package init(_ spans: [ClosedRange<Double>], style: String) {
    self.spans = spans
    self.style = style
  }

  package func draw(in frame: Frame) -> Markup {
    let path = spans.map { span in
      let from = frame.x.position(span.lowerBound)
      let to = frame.x.position(span.upperBound)
      return "M\(Coordinate.text(from)) \(Coordinate.text(frame.top))H\(Coordinate.text(to))"
        + "V\(Coordinate.text(frame.bottom))H\(Coordinate.text(from))Z"
    }
    return element(.path, .class("band \(style)"), Attribute("d", path.joined()))
  }
}
