import Foundation
import MurphyModel
import MurphyReport
import Testing

/// Stored results with numbers that no run writes: they are refused, and what is taken never ends the process.
@Suite struct HostileResultTests {
  @Test func `no number in a result ends the process`() throws {
    let seed = UInt64.random(in: 1...1 << 40)
    print("result numbers: seed \(seed)")
    var random = RandomSource(seed: seed)
    let text = try ResultFile.encode(Sample.fail)
    let pattern = try NSRegularExpression(pattern: #"(?<=[: \[])-?\d+(\.\d+)?(?=[,\n\]} ])"#)
    let numbers = pattern.matches(in: text, range: NSRange(text.startIndex..., in: text)).compactMap {
      Range($0.range, in: text)
    }
    #expect(numbers.count > 100)
    let values = [
      "9223372036854775807", "-9223372036854775808", "18446744073709551616", "1e300", "-1e300", "1000000000000", "-1",
      "0.5",
      "999999999999",
    ]
    var taken = 0
    for round in 0..<400 {
      let place = numbers[Int(random.next() % UInt64(numbers.count))]
      let value = values[round % values.count]
      guard let result = try? ResultFile.decode(text.replacingCharacters(in: place, with: value)) else { continue }
      taken += 1
      let shown = [
        TerminalDetails(result).text, MarkdownReport(result).text, JUnitReport(result).text,
        result.ledger.contradictions.joined(),
      ]
      #expect(!shown[0].isEmpty)
      if round % 20 == 0 { #expect(!HTMLReport(result).text.isEmpty) }
    }
    #expect(taken > 50 && taken < 400, "seed \(seed): \(taken)")
  }

  @Test func `a number larger than any run writes is rejected in a sentence`() throws {
    let text = try ResultFile.encode(Sample.fail)
    let wrong = text.replacingOccurrences(
      of: #""planned": \d+"#, with: #""planned": 9223372036854775807"#, options: .regularExpression)
    let error = #expect(throws: ReportError.self) { try ResultFile.decode(wrong) }
    #expect(error?.reason == "planned is 9223372036854775807, more than any run can write")
  }

  @Test func `a result of a version that did not count repeats is read`() throws {
    let text = try ResultFile.encode(Sample.fail)
    let older = text.replacingOccurrences(of: #",\s*"repeated": \d+"#, with: "", options: .regularExpression)
    #expect(older != text)
    #expect(try ResultFile.decode(older).ledger.repeated == 0)
  }
}
