import MurphyModel
import MurphyReport
import Testing

@Suite("Charts")
struct ChartTests {
  private static let chart = Chart(
    id: "c", title: "Responses <over> time", description: "From 1 to 3.", x: .time(to: .seconds(4)),
    y: .quantity(to: 3, title: "responses/s"),
    marks: [
      Mark.band([1...2], style: "window"),
      Mark.steps([Point(0, 1), Point(1, 2)], width: 1, style: "sent", label: "sent"),
      Mark.line([Point(0, 1), nil, Point(2, 3), Point(3, 2)], style: "p95", label: "p95"),
      Mark.scatter([Point(3, 3)], style: "max"), Mark.rule(y: 2.5, style: "limit", label: "limit"),
      Mark.bracket(1...3, label: "proof"), Mark.words("here", at: Point(3, 1), style: "p99"),
      Mark.strip(admitted: [0.5, 0.5001], refused: [1.5], unknown: [2.5]),
      Mark.heat([HeatCell(x: 0...1, y: 0...1, weight: 2)]),
    ])

  @Test func `every mark is drawn as this golden drawing shows`() throws {
    try Golden.expect(
      Self.chart.svg(.narrow(120)).xml.replacing("><", with: ">\n<") + "\n", is: "chart.svg")
  }

  @Test func `a line breaks where a value is missing`() {
    let frame = Frame(
      x: Scale(.linear, 0...4, from: 0, to: 40), y: Scale(.linear, 0...4, from: 40, to: 0), left: 0, right: 40, top: 0,
      bottom: 40)
    #expect(frame.path([Point(0, 1), nil, Point(2, 3), Point(3, 2)]) == "M0 30M20 10L30 20")
  }

  @Test func `requests on the same half pixel are one tick, so a strip of a million has a bounded size`() {
    let times = (0..<1_000_000).map { Double($0) * 4e-6 }
    var chart = Self.chart
    chart.marks = [Mark.strip(admitted: times, refused: times, unknown: [])]
    #expect(chart.svg(.wide(86)).html.utf8.count < 80_000)
  }

  @Test func `labels at the ends of lines do not cover one another`() {
    let seed: UInt64 = 3
    var random = RandomSource(seed: seed)
    for _ in 0..<500 {
      let marks: [Mark] = (0..<4).map { Mark.line([Point(1, random.unit() * 3)], style: "p\($0)", label: "p\($0)") }
      var chart = Self.chart
      chart.marks = marks
      let text = chart.svg(.wide(200)).html
      let places = text.matches(of: #/class="end [^"]*" x="[^"]*" y="([^"]*)"/#).compactMap { Double($0.1) }.sorted()
      #expect(places.count == 4)
      #expect(zip(places.dropFirst(), places).allSatisfy { $0 - $1 > 12.9 }, "seed \(seed)")
    }
  }
}
