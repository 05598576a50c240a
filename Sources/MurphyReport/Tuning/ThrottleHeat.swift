import MurphyModel

/// The throttled share over allowance and window, a table shaded by its numbers.
struct ThrottleHeat {
  let result: TuneResult

  private static let mapsShown = 4
  private static let columnsShown = 14

  @MarkupBuilder var markup: Markup {
    let maps = result.heatMaps.filter { !$0.allowances.isEmpty && !$0.windows.isEmpty }.prefix(Self.mapsShown)
    if !maps.isEmpty {
      lead("The share of honest sessions that a policy throttles: the darker, the more.")
      for map in maps { table(map) }
    }
  }

  private func table(_ map: TuneResult.HeatMap) -> Markup {
    let every = max((map.allowances.count + Self.columnsShown - 1) / Self.columnsShown, 1)
    let columns = map.allowances.indices.filter { $0.isMultiple(of: every) }
    return element(
      .div, .class("heat-table"), Attribute("tabindex", "0"), Attribute("role", "region"), .label("Heat map")
    ) {
      element(.table) {
        element(.caption, text: "\(TuneText.key(map.key)), \(TuneText.algorithm(map.algorithm))")
        element(.thead) {
          element(.tr) {
            element(.th, .scope(.col), text: "window")
            for column in columns { element(.th, .scope(.col), text: Figure.count(map.allowances[column]).text) }
          }
        }
        element(.tbody) {
          for (row, window) in map.windows.enumerated() where map.throttled.indices.contains(row) {
            element(.tr) {
              element(.th, .scope(.row), text: Figure.seconds(window).text)
              for column in columns where map.throttled[row].indices.contains(column) {
                cell(map.throttled[row][column])
              }
            }
          }
        }
      }
    }
  }

  private func cell(_ share: Double) -> Markup {
    element(.td, .class(share > 0 ? "h\(Self.step(share))" : ""), text: share > 0 ? TuneText.share(share) : "0")
  }

  /// Six steps: below 0.1 %, 0.3 %, 1 %, 3 %, 10 %, and more.
  static func step(_ share: Double) -> Int {
    [0.001, 0.003, 0.01, 0.03, 0.1].firstIndex { share < $0 } ?? 5
  }
}
