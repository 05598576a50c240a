/// One element of a chart.
package struct Mark: Sendable {
  /// Classes of the stylesheet, such as `p95`.
  var style = ""
  /// The name of its values; nil if it has no values.
  var label: String?
  /// The points with values that a reader may look up.
  var read: [Point] = []
  /// True if the label is next to the last point. A chart with a heading has no space for it.
  var hasEndLabel = true
  let draw: @Sendable (Frame) -> Markup

  func endLabel(in frame: Frame) -> EndLabel? {
    guard let label, hasEndLabel, let last = read.last else { return nil }
    return EndLabel(text: label, y: frame.y.position(last.y), style: style)
  }
}

/// Words next to the last point of a line, so that no legend is needed.
struct EndLabel {
  var text: String
  var y: Double
  var style: String

  /// The labels from top to bottom, at least `gap` pixels apart and within the edges.
  static func spread(_ labels: [EndLabel], gap: Double, within edges: ClosedRange<Double>) -> [EndLabel] {
    var labels = labels.sorted { $0.y < $1.y }
    var floor = edges.lowerBound
    for index in labels.indices {
      labels[index].y = max(labels[index].y, floor)
      floor = labels[index].y + gap
    }
    var ceiling = edges.upperBound
    for index in labels.indices.reversed() where labels[index].y > ceiling {
      labels[index].y = ceiling
      ceiling -= gap
    }
    return labels
  }
}

extension Mark {
  /// A line through points; nil is a gap.
  package static func line(
    _ points: [Point?], style: String, label: String? = nil, hasEndLabel: Bool = true
  ) -> Mark {
    Mark(style: style, label: label, read: points.compactMap(\.self), hasEndLabel: hasEndLabel) { frame in
      element(.path, .class("line \(style)"), Attribute("d", frame.path(points)))
    }
  }

  /// A quantity that applies to each step of `width`, such as counts per second: a filled outline with flat tops. Its
  /// values are read in the middle of each step.
  package static func steps(_ points: [Point], width: Double, style: String, label: String? = nil) -> Mark {
    Mark(style: style, label: label, read: points.map { Point($0.x + width / 2, $0.y) }) { frame in
      guard let first = points.first, let last = points.last else { return .nothing }
      let tops = points.flatMap { [Point($0.x, $0.y), Point($0.x + width, $0.y)] }
      let ground = frame.y.lower
      let outline = [Point(first.x, ground)] + tops + [Point(last.x + width, ground)]
      return element(.path, .class("area \(style)"), Attribute("d", frame.path(outline) + "Z"))
    }
  }

  /// Points as small circles; `ring` makes them hollow, so that two sets differ without colour.
  package static func scatter(
    _ points: [Point], style: String, radius: Double = 2.5, ring: Bool = false, label: String? = nil
  ) -> Mark {
    Mark(style: style, label: label, read: points) { frame in
      element(.g, .class("dots \(style)\(ring ? " ring" : "")")) {
        for point in points {
          element(
            .circle, Attribute("cx", frame.x.position(point.x)), Attribute("cy", frame.y.position(point.y)),
            Attribute("r", radius))
        }
      }
    }
  }

  /// Shaded spans of the x axis, over the whole height: a window of a rate limit, a stage of the load.
  package static func band(_ spans: [ClosedRange<Double>], style: String) -> Mark {
    Mark { frame in
      let paths = spans.map { span -> PathData in
        let (from, to) = (frame.x.position(span.lowerBound), frame.x.position(span.upperBound))
        return "M\(from) \(frame.top)H\(to)V\(frame.bottom)H\(from)Z"
      }
      return element(.path, .class("band \(style)"), Attribute("d", paths.map(\.text).joined()))
    }
  }

  /// A vertical line across the plot, with words next to it if they fit.
  ///
  /// - Parameters:
  ///   - room: the space for the words, in the values of the axis; words that do not fit are omitted.
  ///   - row: the line of words above the bottom of the plot, from 0, for rules whose words would overlap above it. Nil
  ///     places them above the plot.
  package static func rule(
    x value: Double, style: String, label: String? = nil, room: Double? = nil, row: Int? = nil
  ) -> Mark {
    Mark { frame in
      let x = frame.x.position(value)
      let end = room.map { frame.x.position(value + $0) } ?? frame.right
      return element(.g, .class("rule \(style)")) {
        element(.path, .path("M\(x) \(frame.top)V\(frame.bottom)"))
        // 6 pixels per letter are wide enough for the size of the labels.
        if let label, x + 4 + Double(label.count) * 6 <= end {
          let y = row.map { frame.bottom - 8 - 14 * Double($0) } ?? frame.top - 5
          element(.text, Attribute("x", x + 4), Attribute("y", y), text: label)
        }
      }
    }
  }

  /// A horizontal line across the plot, with words above its end.
  package static func rule(y value: Double, style: String, label: String? = nil) -> Mark {
    Mark { frame in
      let y = frame.y.position(value)
      return element(.g, .class("rule \(style)")) {
        element(.path, .path("M\(frame.left) \(y)H\(frame.right)"))
        if let label {
          element(
            .text, Attribute("x", frame.right - 4), Attribute("y", y - 4), Attribute("text-anchor", "end"), text: label)
        }
      }
    }
  }

  /// Words at a point of the plot, next to its mark.
  package static func words(_ text: String, at point: Point, style: String) -> Mark {
    Mark { frame in
      let x = frame.x.position(point.x)
      // Words that would leave the plot at the right end before the point instead.
      let fits = x + 6 + Double(text.count) * 6.2 <= frame.right
      return element(
        .text, .class("end \(style)"), Attribute("x", fits ? x + 6 : x - 6),
        Attribute("y", frame.y.position(point.y) + 4), Attribute("text-anchor", fits ? "start" : "end"), text: text)
    }
  }
}

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
