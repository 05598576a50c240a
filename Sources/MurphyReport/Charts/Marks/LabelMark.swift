/// Words at a point of the plot, beside what they name.
package struct LabelMark: Mark {
  package var text: String
  package var point: Point
  package var style: String

  package init(_ text: String, at point: Point, style: String) {
    self.text = text
    self.point = point
    self.style = style
  }

  package func draw(in frame: Frame) -> Markup {
    let x = frame.x.position(point.x)
    // Words that would leave the plot at the right end before the point instead.
    let fits = x + 6 + Double(text.count) * 6.2 <= frame.right
    return element(
      .text, .class("end \(style)"), Attribute("x", fits ? x + 6 : x - 6),
      Attribute("y", frame.y.position(point.y) + 4),
      Attribute("text-anchor", fits ? "start" : "end"), text: text)
  }
}
