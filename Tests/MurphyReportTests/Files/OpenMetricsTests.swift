import Foundation
import MurphyModel
import MurphyReport
import Testing

/// `metrics.txt` against the grammar of OpenMetrics 1.0 (openmetrics.io, "ABNF").
@Suite struct OpenMetricsTests {
  struct Line: Hashable {
    var name: String
    var labels: [String: String]
  }

  // A scraper reads scalars: a quote with a combining mark after it ends a label.
  private static var sample: Regex<(Substring, Substring, Substring?, Substring)> {
    /([a-z_]+)(?:\{(.*)\})? ([-+0-9.eE]+)/.matchingSemantics(.unicodeScalar)
  }
  private static var label: Regex<(Substring, Substring, Substring)> {
    /([a-z_]+)="((?:[^"\\]|\\["\\n])*)"(?:,|$)/.matchingSemantics(.unicodeScalar)
  }

  /// Reads a text as strictly as the specification wants it: families in one piece, known types, `# EOF` last.
  static func parse(_ text: String) throws -> [Line: Double] {
    var lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    try #require(lines.suffix(2) == ["# EOF", ""], "# EOF is the last line")
    lines.removeLast(2)
    var samples: [Line: Double] = [:]
    var (family, type, seen) = ("", "", Set<String>())
    for line in lines {
      if let match = line.wholeMatch(of: /# TYPE ([a-z_]+) (gauge|counter|summary)/) {
        (family, type) = (String(match.1), String(match.2))
        #expect(seen.insert(family).inserted, "the family \(family) comes twice")
        continue
      }
      if let match = line.wholeMatch(of: /# UNIT ([a-z_]+) ([a-z]+)/) {
        #expect(match.1 == family && family.hasSuffix("_" + match.2))
        continue
      }
      if let match = line.wholeMatch(of: /# HELP ([a-z_]+) .+/) {
        #expect(String(match.1) == family)
        continue
      }
      let match = try #require(line.wholeMatch(of: Self.sample), "not a sample: \(line)")
      let name = String(match.1)
      let suffixes = ["gauge": [""], "counter": ["_total"], "summary": ["", "_sum", "_count"]][type] ?? []
      #expect(suffixes.contains { family + $0 == name }, "\(name) is not of the family \(family)")
      var sample = Line(name: name, labels: [:])
      for pair in (match.2 ?? "").matches(of: Self.label) {
        sample.labels[String(pair.1)] = String(pair.2)
      }
      #expect((match.2 ?? "").isEmpty == sample.labels.isEmpty, "labels of \(line)")
      #expect(samples.updateValue(try #require(Double(match.3)), forKey: sample) == nil, "\(line) comes twice")
    }
    return samples
  }

  @Test(arguments: Sample.all.map(\.0)) func `every sample is valid`(name: String) throws {
    let result = try #require(Sample.all.first { $0.0 == name }?.1)
    let samples = try Self.parse(OpenMetricsReport(result).text)
    #expect(samples[.init(name: "murphy_verdict", labels: ["verdict": result.verdict.rawValue])] == 1)
    #expect(samples.filter { $0.key.name == "murphy_verdict" }.values.reduce(0, +) == 1)
    for operation in result.operations where operation.requests > 0 {
      let labels = ["operation": OpenMetricsTests.escaped(operation.operation)]
      let count = samples[.init(name: "murphy_latency_seconds_count", labels: labels)]
      #expect(count == Double(operation.latency.count), "\(operation.operation)")
      if operation.latency.count > 0 {
        let p95 = samples[.init(name: "murphy_latency_seconds", labels: labels.merging(["quantile": "0.95"]) { $1 })]
        #expect(p95.map { abs($0 - operation.latency.p95.inSeconds) < 1e-9 } == true)
      }
    }
  }

  private static func escaped(_ text: String) -> String {
    text.replacingScalars("\\", with: "\\\\").replacingScalars("\"", with: "\\\"")
      .replacingScalars("\n", with: "\\n")
  }
}
