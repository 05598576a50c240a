import Foundation
import MurphyModel
import MurphyScenario
import Testing

@Suite struct DistributionTests {
  private func samples(_ distribution: Distribution, _ count: Int = 20_000) -> [Double] {
    var random = RandomSource(seed: 0xD157)
    return (0..<count).map { _ in distribution.sample(&random) }
  }

  private func mean(_ values: [Double]) -> Double { values.reduce(0, +) / Double(values.count) }

  private func median(_ values: [Double]) -> Double { values.sorted()[values.count / 2] }

  @Test func `uniform draws stay within and meet the middle`() {
    let values = samples(.uniform(1, 4))
    #expect(values.allSatisfy { (1..<4).contains($0) })
    #expect(abs(mean(values) - 2.5) < 0.03)
  }

  @Test func `the others meet their parameters`() {
    let normal = samples(.normal(mean: 5, deviation: 2))
    #expect(abs(mean(normal) - 5) < 0.06)
    #expect(abs(mean(normal.map { ($0 - 5) * ($0 - 5) }).squareRoot() - 2) < 0.06)
    #expect(abs(mean(samples(.exponential(mean: 3))) - 3) < 0.1)
    let lognormal = samples(.lognormal(median: 2, sigma: 0.8))
    #expect(abs(median(lognormal) - 2) < 0.06)
    #expect(abs(mean(lognormal.map { pow(log($0 / 2), 2) }).squareRoot() - 0.8) < 0.03)
    let pareto = samples(.pareto(minimum: 1, shape: 2.5))
    #expect(pareto.allSatisfy { $0 >= 1 })
    #expect(abs(median(pareto) - pow(2, 1 / 2.5)) < 0.03)
  }

  @Test func `a think time is never negative`() throws {
    var random = RandomSource(seed: 3)
    var scope = Scope(variables: 0)
    for _ in 0..<500 {
      let pause = try DurationValue.drawn(.normal(mean: 0, deviation: 1)).evaluate(in: &scope, random: &random)
      #expect(pause >= 0)
    }
  }

  @Test func `a range of turns holds both ends`() throws {
    var random = RandomSource(seed: 3)
    var scope = Scope(variables: 0)
    let counts = try (0..<500).map { _ in try CountValue.uniform(2...5).evaluate(in: &scope, random: &random) }
    #expect(Set(counts) == [2, 3, 4, 5])
  }

  @Test func `weights are laid end to end`() {
    #expect(weightedIndex(of: [1, 0, 3], at: 0) == 0)
    #expect(weightedIndex(of: [1, 0, 3], at: 0.2499) == 0)
    #expect(weightedIndex(of: [1, 0, 3], at: 0.25) == 2)
    #expect(weightedIndex(of: [1, 0, 3], at: 0.99999) == 2)
  }
}
