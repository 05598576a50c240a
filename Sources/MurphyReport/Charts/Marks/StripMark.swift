/// Events on a line: one kind above it, one below, one as rings on it, told apart without colour.
/// Events that fall on the same half pixel are drawn once, so a strip's size is bounded by its width.
package struct StripMark: Mark {
  package var admitted: [Double]
  package var refused: [Double]
  package var unknown: [Double]

  package init(admitted: [Double], refused: [Double], unknown: [Double]) {
    self.admitted = admitted
    self.refused = refused
    self.unknown = unknown
  }

  package func draw(in frame: Frame) -> Markup {
    let middle = frame.y.position(0)
    let reach = (frame.bottom - frame.top) / 2 - 3
    return element(.g, .class("ticks")) {
      element(.path, .class("admitted"), Attribute("d", path(admitted, frame, from: middle - 1, by: -reach)))
      element(.path, .class("refused"), Attribute("d", path(refused, frame, from: middle + 1, by: reach)))
      for x in pixels(unknown, frame) {
        element(.circle, .class("unknown"), Attribute("cx", x), Attribute("cy", middle), Attribute("r", 3.0))
      }
    }
  }

  private func path(_ times: [Double], _ frame: Frame, from start: Double, by length: Double) -> String {
    pixels(times, frame)
      .map { "M\(Coordinate.text($0)) \(Coordinate.text(start))v\(Coordinate.text(length))" }.joined()
  }

  /// Distinct places to half a pixel.
  private func pixels(_ times: [Double], _ frame: Frame) -> [Double] {
    Set(times.map { (frame.x.position($0) * 2).rounded() / 2 }).sorted()
  }
}
