import MurphyModel

/// Marks between two axes, with a text alternative.
package struct Chart: Sendable {
  /// Unique in the document.
  package var id: String
  package var title: String
  /// The content of the chart, in a sentence with its numbers.
  package var description: String
  package var x: Axis
  package var y: Axis
  /// The later ones are drawn over the earlier ones.
  package var marks: [Mark]
  /// True if the x axis shows its labels. Charts above another one with the same axis do not.
  var labelsX: Bool
  /// Lines of words above the plot, for a chart without a heading next to it.
  var heading: [String]

  package init(
    id: String, title: String, description: String, x: Axis, y: Axis, labelsX: Bool = true, heading: [String] = [],
    marks: [Mark]
  ) {
    (self.id, self.title, self.description) = (id, title, description)
    (self.x, self.y, self.labelsX) = (x, y, labelsX)
    (self.heading, self.marks) = (heading, marks)
  }

  /// The chart at one size. `variant` makes ids unique if a chart is rendered more than once.
  package func svg(_ size: ChartSize, variant: String = "") -> Markup {
    let frame = frame(size)
    let name = id + variant
    let attributes = [
      .class("chart \(variant)"), .viewBox(size.width, height(size)), Attribute("role", "img"),
      Attribute("aria-labelledby", "\(name)-title \(name)-desc"),
    ]
    return .element(
      .svg, attributes + values(frame, size, isFirst: variant != "narrow"),
      .group([
        element(.title, .id("\(name)-title"), text: title), element(.desc, .id("\(name)-desc"), text: description),
        grid(frame, size), headingLines, .group(marks.map { $0.draw(frame) }), endLabels(frame),
      ]))
  }

  /// Data for the page's script. It has the position of the plot, and a line for each place of the x axis with its
  /// values. The chart for narrow pages uses those of the one before it.
  private func values(_ frame: Frame, _ size: ChartSize, isFirst: Bool) -> [Attribute] {
    let readings = readings
    guard readings.count > 1 else { return [] }
    let plot = [frame.left, frame.right, size.width].map(Coordinate.text).joined(separator: " ")
    guard isFirst else { return [Attribute("data-plot", plot)] }
    let width = max(frame.right - frame.left, 1)
    let lines = readings.map { at, text in
      "\(Figure.decimals((frame.x.position(at) - frame.left) / width, 4)) \(text)"
    }
    return [Attribute("data-plot", plot), Attribute("data-readings", lines.joined(separator: "\n"))]
  }

  /// By place of the x axis: the values of all lines with a label. Long series are reduced to every n-th place.
  private var readings: [(at: Double, text: String)] {
    var values: [Double: [String]] = [:]
    for mark in marks {
      guard let label = mark.label else { continue }
      for point in mark.read { values[point.x, default: []].append("\(label) \(y.label(point.y))") }
    }
    let places = values.keys.sorted()
    let every = max((places.count + Self.readingsKept - 1) / Self.readingsKept, 1)
    return places.enumerated().filter { $0.offset.isMultiple(of: every) }.map { _, at in
      (at, "\(x.label(at)): \((values[at] ?? []).joined(separator: ", "))")
    }
  }

  private static let readingsKept = 240

  private var headingLines: Markup {
    .group(
      heading.enumerated().map { index, words in
        element(
          .text, .class(index == 0 ? "heading" : "subheading"), Attribute("x", 0),
          Attribute("y", 13 + Double(index) * 15), text: words)
      })
  }

  private func height(_ size: ChartSize) -> Double { size.height - (labelsX ? 0 : 14) }

  private func frame(_ size: ChartSize) -> Frame {
    let right = size.width - size.right
    let bottom = height(size) - (labelsX ? 20 : 6)
    var vertical = Scale(y.kind, y.domain, from: bottom, to: size.top)
    // The highest value is below a line with a label.
    if y.ticks == nil { vertical = vertical.extended(about: Self.rows(from: size.top, to: bottom)) }
    return Frame(
      x: Scale(x.kind, x.domain, from: size.left, to: right), y: vertical,
      left: size.left, right: right, top: size.top, bottom: bottom)
  }

  private static func rows(from top: Double, to bottom: Double) -> Int { max(Int((bottom - top) / 45), 2) }

  private func grid(_ frame: Frame, _ size: ChartSize) -> Markup {
    let rows = y.ticks ?? frame.y.ticks(about: Self.rows(from: frame.top, to: frame.bottom))
    let columns = x.ticks ?? frame.x.ticks(about: max(Int((frame.right - frame.left) / 80), 2))
    return element(.g, .class("axes"), .decorative) {
      element(
        .path, .class("grid"),
        Attribute(
          "d",
          rows.map { ("M\(frame.left) \(frame.y.position($0))H\(frame.right)" as PathData).text }.joined()))
      for row in rows {
        element(
          .text, .class("y"), Attribute("x", frame.left - 7), Attribute("y", frame.y.position(row) + 4),
          text: y.label(row))
      }
      if labelsX {
        for column in thinned(columns, frame) {
          element(
            .text, .class("x"), Attribute("x", frame.x.position(column)), Attribute("y", frame.bottom + 16),
            text: x.label(column))
        }
      }
      if !y.title.isEmpty {
        element(.text, .class("name"), Attribute("x", 0), Attribute("y", 11), text: y.title)
      }
    }
  }

  /// Every n-th label, so that adjacent labels do not overlap.
  private func thinned(_ ticks: [Double], _ frame: Frame) -> [Double] {
    let widest = Double(ticks.map { x.label($0).count }.max() ?? 1) * 7 + 8
    let every = max(Int(saturating: (widest * Double(ticks.count) / max(frame.right - frame.left, 1)).rounded(.up)), 1)
    return ticks.enumerated().filter { $0.offset.isMultiple(of: every) }.map(\.element)
  }

  private func endLabels(_ frame: Frame) -> Markup {
    let labels = EndLabel.spread(
      marks.compactMap { $0.endLabel(in: frame) }, gap: 13, within: frame.top...max(frame.bottom, frame.top))
    return .group(
      labels.map { label in
        element(
          .text, .class("end \(label.style)"), Attribute("x", frame.right + 6), Attribute("y", label.y + 4),
          text: label.text)
      })
  }
}

/// The size of a chart and of its margins, in pixels; `height` includes the labels of the x axis.
package struct ChartSize: Sendable {
  var width: Double
  var height: Double
  var left = 58.0
  var right = 66.0
  var top = 24.0

  /// For a wide page.
  package static func wide(_ height: Double) -> ChartSize { ChartSize(width: 960, height: height) }
  /// For a phone in portrait mode: the same text size in fewer pixels.
  package static func narrow(_ height: Double) -> ChartSize {
    ChartSize(width: 360, height: height, left: 50, right: 58)
  }
}

extension Chart {
  /// The chart twice, for wide and for narrow pages; the stylesheet shows the one that fits.
  func responsive(height: Double) -> Markup {
    responsive(wide: .wide(height), narrow: .narrow(height))
  }

  func responsive(wide: ChartSize, narrow: ChartSize) -> Markup {
    .group([svg(wide, variant: "wide"), svg(narrow, variant: "narrow")])
  }
}
