/// The room that marks are drawn in: two scales and the edges of the plot, in pixels of the drawing.
package struct Frame: Sendable {
  package let x: Scale
  package let y: Scale
  package let left: Double
  package let right: Double
  package let top: Double
  package let bottom: Double

  package init(x: Scale, y: Scale, left: Double, right: Double, top: Double, bottom: Double) {
    self.x = x
    self.y = y
    self.left = left
    self.right = right
    self.top = top
    self.bottom = bottom
  }

  /// `M` and `L` commands through the points; a gap is a nil.
  package func path(_ points: [Point?]) -> String {
    var text = ""
    var pen = false
    for point in points {
      guard let point else {
        pen = false
        continue
      }
      text += pen ? "L" : "M"
      text += "\(Coordinate.text(x.position(point.x))) \(Coordinate.text(y.position(point.y)))"
      pen = true
    }
    return text
  }
}

/// A point in the values of a chart, not in pixels.
package struct Point: Sendable, Hashable {
  package var x: Double
  package var y: Double

  package init(_ x: Double, _ y: Double) {
    self.x = x
    self.y = y
  }
}
