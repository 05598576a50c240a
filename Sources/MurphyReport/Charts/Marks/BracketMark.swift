/// A span over the plot with words above it.
package struct BracketMark: Mark {
  package var span: ClosedRange<Double>
  package var label: String

  package init(_ span: ClosedRange<Double>, label: String) {
    self.span = span
    self.label = label
  }

  package func draw(in frame: Frame) -> Markup {
    let from = frame.x.position(span.lowerBound) - 1
    let to = max(frame.x.position(span.upperBound) + 1, from + 3)
    let top = frame.top - 4
    // The words begin at the bracket, or end with it where they would leave the drawing.
    let room = frame.right - from
    let anchored = Double(label.count) * 6.2 <= room
    return element(.g, .class("bracket")) {
      element(
        .path,
        Attribute(
          "d",
          "M\(Coordinate.text(from)) \(Coordinate.text(frame.bottom))V\(Coordinate.text(top))"
            + "H\(Coordinate.text(to))V\(Coordinate.text(frame.bottom))"))
      element(
        .text, Attribute("x", anchored ? from : max(to, Double(label.count) * 6.2)), Attribute("y", top - 4),
        Attribute("text-anchor", anchored ? "start" : "end"), text: label)
    }
  }
}
