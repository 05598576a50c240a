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
