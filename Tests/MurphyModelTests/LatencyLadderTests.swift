import MurphyModel
import Simulation
import Testing

@Suite struct LatencyLadderTests {
  /// Requests at random seconds of runs from a minute to some weeks, on two loops: the merged ladder has the rows that
  /// one loop would have counted, and no more than may be kept.
  @Test(arguments: [60, 1_023, 1_024, 1_025, 5_000, 100_000, 2_000_000])
  func `a ladder is bounded however long the run, and merges to what one would have counted`(_ seconds: Int) throws {
    let scale = try #require(LatencyLadder.Scale(limits: [100_000_000]))
    var random = RandomSource(seed: UInt64(seconds))
    var all = LatencyLadder(scale: scale, isService: false)
    var loops = [all, all]
    var over = [Int: Int]()
    for _ in 0..<3_000 {
      // The second loop ends early, so its rows may be narrower.
      let loop = Int(random.next() & 1)
      let second = Int(random.uniform(0, loop == 0 ? Double(seconds) : Double(seconds) / 10))
      let latency = Int64(random.uniform(1e6, 3e8))
      loops[loop].record(latency, second: second)
      all.record(latency, second: second)
      if latency > 150_000_000 { over[second, default: 0] += 1 }
    }
    all.record(1, second: seconds - 1)
    loops[0].record(1, second: seconds - 1)
    for (one, other) in [(0, 1), (1, 0)] {
      var merged = loops[one]
      merged.merge(loops[other])
      #expect(merged.counts == all.counts)
      #expect(merged.width == all.width)
    }
    #expect(all.rows <= LatencyLadder.mostRows)
    #expect((all.rows - 1) * all.width < seconds && seconds <= all.rows * all.width)
    #expect(all.width == 1 || all.rows > LatencyLadder.mostRows / 2)
    let top = scale.index(of: 100_000_000)
    for row in 0..<all.rows {
      let span = row * all.width..<(row + 1) * all.width
      #expect(all.row(row, over: top).over >= over.filter { span.contains($0.key) }.values.reduce(0, +))
    }
    #expect((0..<all.rows).reduce(0) { $0 + all.row($1, over: top).requests } == 3_001)
  }
}
