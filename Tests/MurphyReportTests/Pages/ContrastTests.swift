import Foundation
import MurphyReport
import Testing

@Suite("Contrast")
struct ContrastTests {
  private static let texts = ["ink", "muted", "kept", "broken", "doubt", "none", "link", "p50", "p95", "p99"]
  private static let drawings = ["max", "limited", "failed", "ok", "client", "lost"]

  @Test func `words have a contrast of 4.5 to 1 and drawings of 3 to 1, in light and in dark`() throws {
    let text = HTMLReport(Sample.empty).text
    let sets = text.matches(of: #/--paper:#[^}]*/#).map { Self.colours(String($0.output)) }
    #expect(sets.count == 3)
    for set in sets.prefix(2) {
      for surface in ["paper", "sheet"] {
        let back = try #require(set[surface])
        for name in Self.texts {
          let ratio = Self.ratio(try #require(set[name]), back)
          #expect(ratio >= 4.5, "\(name) on \(surface): \(ratio)")
        }
      }
      for name in Self.drawings {
        let ratio = Self.ratio(try #require(set[name]), try #require(set["paper"]))
        #expect(ratio >= 3, "\(name): \(ratio)")
      }
      #expect(Self.ratio(try #require(set["ink"]), try #require(set["marked"])) >= 4.5)
    }
  }

  private static func colours(_ css: String) -> [String: [Double]] {
    var colours: [String: [Double]] = [:]
    for match in css.matches(of: #/--([a-z0-9]+):#([0-9a-f]{3,6})/#) {
      let digits =
        match.2.count == 3
        ? match.2.map { "\($0)\($0)" }
        : stride(from: 0, to: 6, by: 2).map { start in
          String(match.2.dropFirst(start).prefix(2))
        }
      colours[String(match.1)] = digits.map { Double(Int($0, radix: 16) ?? 0) / 255 }
    }
    return colours
  }

  /// (L₁ + 0.05) / (L₂ + 0.05), WCAG 2.2.
  private static func ratio(_ one: [Double], _ other: [Double]) -> Double {
    let lights = [luminance(one), luminance(other)].sorted()
    return (lights[1] + 0.05) / (lights[0] + 0.05)
  }

  private static func luminance(_ colour: [Double]) -> Double {
    let linear = colour.map { $0 <= 0.04045 ? $0 / 12.92 : pow(($0 + 0.055) / 1.055, 2.4) }
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]
  }
}
