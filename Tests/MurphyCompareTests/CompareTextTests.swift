import Foundation
import MurphyCompare
import Testing

@Suite struct CompareTextTests {
  @Test(arguments: [
    (CompareMetric.p50, 0.05, "+5.1%"), (.p50, -0.05, "−4.9%"), (.p99, 0.0003, "+0.03%"), (.p50, 1, "+172%"),
    (.p50, 5, "×148.4"), (.errors, 0.012, "+1.2 points"), (.errors, 1, "+100 points"),
    (.throughput, 0.0961, "−9.2%"), (.throughput, -0.0961, "+10.1%"),
  ])
  func changesAreReadAsPeopleSayThem(metric: CompareMetric, difference: Double, text: String) {
    #expect(metric.text(difference) == text)
  }

  @Test(arguments: CompareMetric.allCases)
  func theSignOfAChangeFitsTheTwoValuesShown(metric: CompareMetric) {
    for (base, candidate) in [(0.12, 0.109), (0.109, 0.12), (0.01, 0.011), (0.5, 0.05)] {
      let levels = metric.isRatio ? (log(base), log(candidate)) : (base, candidate)
      let text = metric.text(metric.worsening(base: levels.0, candidate: levels.1))
      #expect(text.hasPrefix(candidate > base ? "+" : "−"), "\(metric): \(base) → \(candidate) is \(text)")
      if metric.isRatio {
        let percent = (candidate / base - 1) * 100
        #expect(text.contains(String(format: "%.1f", percent.magnitude)) || percent < -89, "\(metric): \(text)")
      }
    }
  }

  @Test func anIntervalBeginsWithItsLowerEnd() throws {
    var row = CompareRow(metric: .throughput, decides: true)
    (row.low, row.high) = (0.02, 0.10)
    #expect(row.intervalText == "−9.1% .. −2.0%")
    row.metric = .p50
    #expect(row.intervalText == "+2.0% .. +10.0%")
  }
}
