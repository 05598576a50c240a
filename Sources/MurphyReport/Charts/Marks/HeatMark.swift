/// Cells shaded by how much they hold, in six steps of the square root, each step one path.
package struct HeatMark: Mark {
  /// A rectangle in the values of the axes.
  package struct Cell: Sendable, Hashable {
    package var x: ClosedRange<Double>
    package var y: ClosedRange<Double>
    package var weight: Double

    package init(x: ClosedRange<Double>, y: ClosedRange<Double>, weight: Double) {
      self.x = x
      self.y = y
      self.weight = weight
    }
  }

  package static let steps = 6

  package var cells: [Cell]

  package init(_ cells: [Cell]) { self.cells = cells }

  /// The step of a weight, from 0 for the faintest; the heaviest cell is the last step.
  ///
  ///     step = ⌈steps · √(w / max)⌉ − 1
  package static func step(_ weight: Double, of heaviest: Double) -> Int {
    guard heaviest > 0, weight > 0 else { return 0 }
    let share = (weight / heaviest).squareRoot()
    return min(max(Int(saturating: (share * Double(steps)).rounded(.up)) - 1, 0), steps - 1)
  }

  package func draw(in frame: Frame) -> Markup {
    let heaviest = cells.map(\.weight).max() ?? 0
    var paths = [String](repeating: "", count: Self.steps)
    for cell in cells where cell.weight > 0 {
      let left = frame.x.position(cell.x.lowerBound)
      let top = frame.y.position(cell.y.upperBound)
      let width = frame.x.position(cell.x.upperBound) - left
      let height = frame.y.position(cell.y.lowerBound) - top
      paths[Self.step(cell.weight, of: heaviest)] +=
        "M\(Coordinate.text(left)) \(Coordinate.text(top))h\(Coordinate.text(width))"
        + "v\(Coordinate.text(height))h\(Coordinate.text(-width))z"
    }
    return element(.g, .class("heat")) {
      for (step, path) in paths.enumerated() where !path.isEmpty {
        element(.path, .class("h\(step)"), Attribute("d", path))
      }
    }
  }
}
