import MurphyModel
import MurphyReport
import Testing

@Suite("Scales")
struct ScaleTests {
  @Test func `positions grow with values and stay within the range, whatever the domain`() {
    let seed: UInt64 = 20_261_121
    var random = RandomSource(seed: seed)
    for _ in 0..<2_000 {
      let low = (random.unit() - 0.3) * 1e6
      let high = low + random.unit() * 1e6
      let scale = Scale(random.unit() < 0.5 ? .linear : .log, low...high, from: 50, to: 900)
      let values = (0..<12).map { _ in low - 1e5 + random.unit() * 2e6 }.sorted()
      let positions = values.map(scale.position)
      #expect(positions == positions.sorted(), "seed \(seed)")
      #expect(positions.allSatisfy { (50...900).contains($0) }, "seed \(seed)")
    }
  }

  @Test func `ticks are round, within the domain, and not many more than asked for`() {
    let seed: UInt64 = 7
    var random = RandomSource(seed: seed)
    for _ in 0..<2_000 {
      let low = random.unit() * 1_000
      let scale = Scale(random.unit() < 0.5 ? .linear : .log, low...low + 0.1 + random.unit() * 1e6, from: 0, to: 1)
      let ticks = scale.ticks(about: 5)
      #expect(ticks == ticks.sorted(), "seed \(seed)")
      #expect(ticks.count <= 9, "seed \(seed)")
      #expect(ticks.allSatisfy { $0 >= scale.lower * 0.99 - 1e-9 && $0 <= scale.upper * 1.01 }, "seed \(seed)")
    }
    #expect(Scale(.linear, 0...412, from: 0, to: 1).ticks(about: 3) == [0, 200, 400])
    #expect(Scale(.log, 0.8...1200, from: 0, to: 1).ticks(about: 4) == [1, 10, 100, 1000])
  }

  @Test func `a domain without extent, or of numbers that are none, still gives a scale`() {
    for scale in [
      Scale(.linear, 5...5, from: 0, to: 10), Scale(.log, 0...0, from: 0, to: 10),
      Scale(.linear, 0...Double.infinity, from: 0, to: 10), Scale(.log, -5...5, from: 0, to: 10),
    ] {
      #expect((0...10).contains(scale.position(3)))
      #expect((0...10).contains(scale.position(.nan)))
      #expect(scale.ticks(about: 4).allSatisfy { $0.isFinite })
    }
  }

  @Test(arguments: [
    (40, ["0", "5 s", "10 s"]), (600, ["0:00", "2:00", "4:00"]), (7_200, ["0:00", "15:00", "30:00"]),
  ]) func `axis labels fit the length of the run`(seconds: Int, first: [String]) throws {
    let axis = Axis.time(to: .seconds(seconds))
    #expect(try #require(axis.ticks).prefix(3).map(axis.label) == first)
  }

  @Test func `the heaviest cell is the last step, an empty one the first, and steps grow with weight`() {
    #expect(HeatCell.step(100, of: 100) == HeatCell.steps - 1)
    #expect(HeatCell.step(0, of: 100) == 0)
    #expect(HeatCell.step(0, of: 0) == 0)
    let steps = (0...100).map { HeatCell.step(Double($0), of: 100) }
    #expect(steps == steps.sorted())
    #expect(Set(steps).count == HeatCell.steps)
  }
}
