extension Mark {
  /// A span over the plot with words above it.
  package static func bracket(_ span: ClosedRange<Double>, label: String) -> Mark {
    Mark { frame in
      let from = frame.x.position(span.lowerBound) - 1
      let to = max(frame.x.position(span.upperBound) + 1, from + 3)
      let top = frame.top - 4
      let length = Double(label.count) * 6.2
      // The words begin at the bracket, or end with it if they would leave the chart.
      let anchored = length <= frame.right - from
      return element(.g, .class("bracket")) {
        element(.path, .path("M\(from) \(frame.bottom)V\(top)H\(to)V\(frame.bottom)"))
        element(
          .text, Attribute("x", anchored ? from : max(to, length)), Attribute("y", top - 4),
          Attribute("text-anchor", anchored ? "start" : "end"), text: label)
      }
    }
  }

  /// Events on a line. One kind is above it, one below, one as rings on it, so that colour is not needed. Events at the
  /// same half pixel are drawn once, so the width of a strip limits its size.
  package static func strip(admitted: [Double], refused: [Double], unknown: [Double]) -> Mark {
    Mark { frame in
      let middle = frame.y.position(0)
      let reach = (frame.bottom - frame.top) / 2 - 3
      /// Distinct places to half a pixel.
      func pixels(_ times: [Double]) -> [Double] {
        Set(times.map { (frame.x.position($0) * 2).rounded() / 2 }).sorted()
      }
      func ticks(_ times: [Double], from start: Double, by length: Double) -> Attribute {
        Attribute("d", pixels(times).map { ("M\($0) \(start)v\(length)" as PathData).text }.joined())
      }
      return element(.g, .class("ticks")) {
        element(.path, .class("admitted"), ticks(admitted, from: middle - 1, by: -reach))
        element(.path, .class("refused"), ticks(refused, from: middle + 1, by: reach))
        for x in pixels(unknown) {
          element(.circle, .class("unknown"), Attribute("cx", x), Attribute("cy", middle), Attribute("r", 3.0))
        }
      }
    }
  }

  /// Cells shaded by their weight, in steps of the square root, each step one path.
  package static func heat(_ cells: [HeatCell]) -> Mark {
    Mark { frame in
      let heaviest = cells.map(\.weight).max() ?? 0
      var paths = [String](repeating: "", count: HeatCell.steps)
      for cell in cells where cell.weight > 0 {
        let left = frame.x.position(cell.x.lowerBound)
        let top = frame.y.position(cell.y.upperBound)
        let width = frame.x.position(cell.x.upperBound) - left
        let height = frame.y.position(cell.y.lowerBound) - top
        paths[HeatCell.step(cell.weight, of: heaviest)] +=
          ("M\(left) \(top)h\(width)v\(height)h\(-width)z" as PathData).text
      }
      return element(.g, .class("heat")) {
        for (step, path) in paths.enumerated() where !path.isEmpty {
          element(.path, .class("h\(step)"), Attribute("d", path))
        }
      }
    }
  }
}

/// A rectangle in the values of the axes, and its weight.
package struct HeatCell: Sendable {
  package var x: ClosedRange<Double>
  package var y: ClosedRange<Double>
  package var weight: Double

  package init(x: ClosedRange<Double>, y: ClosedRange<Double>, weight: Double) {
    (self.x, self.y, self.weight) = (x, y, weight)
  }

  /// The number of shades.
  package static let steps = 6

  /// The step of a weight, from 0 for the faintest; the heaviest cell is the last step.
  ///
  ///     step = ⌈steps · √(w / max)⌉ − 1
  package static func step(_ weight: Double, of heaviest: Double) -> Int {
    guard heaviest > 0, weight > 0 else { return 0 }
    let share = (weight / heaviest).squareRoot()
    return min(max(Int(saturating: (share * Double(steps)).rounded(.up)) - 1, 0), steps - 1)
  }
}
