import MurphyModel
import Testing

@Suite("Figures")
struct FigureTests {
  @Test(arguments: [
    (0.0, "0 µs"), (0.4, "0.4 µs"), (412, "412 µs"), (999.4, "999 µs"), (999.6, "1 ms"), (4_120, "4.12 ms"),
    (41_234, "41.2 ms"), (999_600, "1 s"), (1_236_000, "1.24 s"), (3_600_000_000, "3,600 s"),
  ]) func `latencies have three significant digits and the unit that fits`(microseconds: Double, text: String) {
    #expect(Figure.latency(.microseconds(saturating: microseconds)).text == text)
  }

  @Test(arguments: [
    (0, 10, "0%"), (10, 10, "100%"), (1, 1_000_000, "<0.01%"), (999_999, 1_000_000, ">99.99%"), (1, 3, "33.3%"),
    (1, 200, "0.5%"), (0, 0, "0%"),
  ]) func `a share is 0% or 100% only when it is none or all`(part: Int, whole: Int, text: String) {
    #expect(Figure.percent(part, of: whole).text == text)
  }

  @Test(arguments: [
    (0, "0"), (999, "999"), (1_000, "1,000"), (-1_234_567, "-1,234,567"), (Int.min, "-9,223,372,036,854,775,808"),
  ]) func `thousands stand apart`(value: Int, text: String) {
    #expect(Figure.count(value).text == text)
  }

  @Test(arguments: [
    (0.0, "0 s"), (4.256, "4.26 s"), (40.21, "40.2 s"), (90, "90 s"), (120, "2 min"), (3_725, "62 min 5 s"),
  ]) func `times read as people say them`(seconds: Double, text: String) {
    #expect(Figure.time(.saturating(seconds: seconds)).text == text)
  }

  @Test func `the ends of an interval share their unit`() {
    func text(_ low: Int, _ high: Int) -> String {
      Figure.interval(LatencyInterval(low: .microseconds(low), high: .microseconds(high)))
    }
    #expect(text(7_160, 11_200) == "7.16 .. 11.2 ms")
    #expect(text(38_000, 2_400_000) == "38 ms .. 2.4 s")
    #expect(text(41_900, 41_900) == "41.9 ms")
    #expect(MeasuredRange(low: 0.12, high: 0.3, unit: .share).text == "12% .. 30%")
  }

  @Test func `the ends of a stretch of time are never said alike, and have one unit`() {
    let seed: UInt64 = 5
    var random = RandomSource(seed: seed)
    for _ in 0..<2_000 {
      let start = random.unit() * [1, 100, 10_000][Int(random.next() % 3)]
      let span = 0.002 + random.unit() * [0.01, 1, 20, 500][Int(random.next() % 4)]
      let ends = [start, start + span].map {
        Figure.moment(.saturating(seconds: $0), within: .saturating(seconds: span))
      }
      #expect(ends[0].number != ends[1].number, "seed \(seed): \(ends)")
      #expect(span >= 100 || ends[0].unit == ends[1].unit, "seed \(seed): \(ends)")
    }
    let moment = Duration.microseconds(12_031_200)
    #expect(Figure.moment(moment, within: .milliseconds(4)).text == "12,031.2 ms")
    #expect(Figure.moment(moment, within: .milliseconds(400)).text == "12,031 ms")
    #expect(Figure.moment(moment, within: .seconds(4)).text == "12.03 s")
    #expect(Figure.moment(.milliseconds(-2040), within: .seconds(40)).text == "-2 s")
  }

  @Test(arguments: [(12.5, "×12.5"), (10, "×10"), (1_000.4, "more than ×1,000"), (1e300, "more than ×1,000")])
  func `a ratio far from one has no digits without a meaning`(ratio: Double, text: String) {
    #expect(Figure.factor(ratio) == text)
  }

  @Test func `the ends of an interval are never said alike`() {
    func text(_ end: Int64) -> String { Figure.exact([(.microseconds(551_100), .microseconds(end))])[0] }
    #expect([562_000, 551_320, 551_100].map(text) == ["0.551 s .. 0.562 s", "0.5511 s .. 0.5513 s", "0.551 s"])
    #expect(
      MeasuredRange(low: 551_100, high: 551_100.0001, unit: .microseconds).text == Measure(551_100, .microseconds).text)
  }

  @Test func `numbers that are none are said, and never crash`() {
    for value in [Double.nan, .infinity, -.infinity, 1e300, -1e300, .leastNonzeroMagnitude] {
      for text in [
        Figure.latency(.microseconds(saturating: value)).text, Figure.time(.saturating(seconds: value)).text,
        Figure.rate(value).text,
        Figure.decimals(value, 2),
      ] {
        #expect(!text.isEmpty)
      }
    }
  }

  @Test(arguments: [(0, "0 B"), (999, "999 B"), (8_059, "8.06 KB"), (61_300_000, "61.3 MB"), (999_600, "1 MB")])
  func `sizes are in powers of a thousand`(bytes: Int, text: String) {
    #expect(Figure.bytes(bytes).text == text)
  }
}
