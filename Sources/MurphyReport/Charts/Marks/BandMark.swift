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
