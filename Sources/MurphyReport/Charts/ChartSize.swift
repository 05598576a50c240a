/// The size of a drawing and of its margins, in pixels; `height` includes the labels of the x axis.
package struct ChartSize: Sendable, Hashable {
  package var width: Double
  package var height: Double
  package var left: Double
  package var right: Double
  package var top: Double

  package init(width: Double, height: Double, left: Double = 58, right: Double = 66, top: Double = 24) {
    self.width = width
    self.height = height
    self.left = left
    self.right = right
    self.top = top
  }

  /// For a page as wide as a desk.
  package static func wide(_ height: Double) -> ChartSize { ChartSize(width: 960, height: height) }
  /// For a phone held upright: the same text size in fewer pixels.
  package static func narrow(_ height: Double) -> ChartSize {
    ChartSize(width: 360, height: height, left: 50, right: 44)
  }
}

extension Chart {
  /// The drawing twice, for wide and for narrow pages; the stylesheet shows the one that fits.
  package func responsive(height: Double) -> Markup {
    responsive(wide: .wide(height), narrow: .narrow(height))
  }

  package func responsive(wide: ChartSize, narrow: ChartSize) -> Markup {
    .group([svg(wide, variant: "wide"), svg(narrow, variant: "narrow")])
  }
}
