/// A straight line across the plot at one value, with words beside it where there is room.
package struct RuleMark: Mark {
  package enum Direction: Sendable { case vertical, horizontal }

  package var direction: Direction
  package var value: Double
  package var label: String?
  package var style: String
  /// Room for the words, in the values of the axis; words that do not fit are left out.
  package var room: Double?
  /// The line of words above the bottom of the plot, from 0, for rules whose words would touch above it; nil above the plot.
  package var row: Int?

  package init(
    _ direction: Direction, at value: Double, style: String, label: String? = nil, room: Double? = nil, row: Int? = nil
  ) {
    self.direction = direction
    self.value = value
    self.style = style
    self.label = label
    self.room = room
    self.row = row
  }

  package func draw(in frame: Frame) -> Markup {
    switch direction {
    case .vertical: vertical(in: frame)
    case .horizontal: horizontal(in: frame)
    }
  }

  private func vertical(in frame: Frame) -> Markup {
    let x = frame.x.position(value)
    return element(.g, .class("rule \(style)")) {
      element(
        .path, Attribute("d", "M\(Coordinate.text(x)) \(Coordinate.text(frame.top))V\(Coordinate.text(frame.bottom))"))
      if let label, fits(label, from: x, in: frame) {
        let y = row.map { frame.bottom - 8 - 14 * Double($0) } ?? frame.top - 5
        element(.text, Attribute("x", x + 4), Attribute("y", y), text: label)
      }
    }
  }

  private func horizontal(in frame: Frame) -> Markup {
    let y = frame.y.position(value)
    return element(.g, .class("rule \(style)")) {
      element(
        .path, Attribute("d", "M\(Coordinate.text(frame.left)) \(Coordinate.text(y))H\(Coordinate.text(frame.right))"))
      if let label {
        element(
          .text, Attribute("x", frame.right - 4), Attribute("y", y - 4), Attribute("text-anchor", "end"), text: label)
      }
    }
  }

  /// 6 pixels a letter is wide enough for the labels' size.
  private func fits(_ label: String, from x: Double, in frame: Frame) -> Bool {
    let end = room.map { frame.x.position(value + $0) } ?? frame.right
    return x + 4 + Double(label.count) * 6 <= end
  }
}
