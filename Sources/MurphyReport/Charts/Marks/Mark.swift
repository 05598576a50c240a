/// Something drawn on a chart.
package protocol Mark: Sendable {
  func draw(in frame: Frame) -> Markup
  /// Words at the end of a line, in the margin at the right.
  func endLabel(in frame: Frame) -> EndLabel?
  /// What its values are called; nil for nothing that has values.
  var label: String? { get }
  /// The points whose values a reader may ask for.
  var read: [Point] { get }
}

extension Mark {
  package func endLabel(in frame: Frame) -> EndLabel? { nil }
  package var label: String? { nil }
  package var read: [Point] { [] }
}

/// Words beside the last point of a line, so that no legend is needed.
package struct EndLabel: Sendable {
  package var text: String
  package var y: Double
  package var style: String

  /// The labels from top to bottom, moved apart to at least `gap` pixels and kept within the edges.
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
