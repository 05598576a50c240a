import Foundation
import MurphyCompare
import Testing

@Suite struct CompareTextTests {
  @Test(arguments: [
    (CompareMetric.p50, 0.05, "+5.1%"), (.p50, -0.05, "−4.9%"), (.p99, 0.0003, "+0.03%"), (.p50, 1, "+172%"),
    (.p50, 5, "×148.4"), (.errors, 0.012, "+1.2 points"), (.errors, 1, "+100 points"),
  ])
  func changesAreReadAsPeopleSayThem(metric: CompareMetric, difference: Double, text: String) {
    #expect(metric.text(difference) == text)
  }

  @Test func aTableNamesOperationMetricAndWord() throws {
    let result = StoredComparisonTests.comparison.result(
      base: StoredComparisonTests.runs("b"), candidate: StoredComparisonTests.runs("c", slower: 1.08, count: 4))
    let lines = CompareText(result).text.split(separator: "\n").map(String.init)
    let row = try #require(lines.first { $0.hasPrefix("  p50") })
    #expect(row.hasSuffix("worse"), "\(row)")
    #expect(row.contains("20.0") && row.contains("21.6"), "\(row)")
    #expect(lines.contains("list"))
    #expect(lines.last == "FAIL")
    #expect(lines.allSatisfy { !$0.hasSuffix(" ") })
  }
}
