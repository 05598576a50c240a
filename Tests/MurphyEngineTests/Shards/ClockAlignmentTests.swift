import MurphyEngine
import MurphyModel
import Testing

/// Where the zeros of shards lie on a common clock.
@Suite struct ClockAlignmentTests {
  private func shard(
    _ number: Int, of count: Int, machine: String, monotonic: Int64, wall: Int64, _ bounds: [ClockBound] = []
  ) -> RunShard {
    var shard = RunShard(
      number: number, of: count, plan: "p", texts: "t", load: LoadChange(), sessions: 1, sessionsOfAll: count,
      wanted: nil)
    shard.clock.machine = machine
    (shard.clock.monotonic, shard.clock.wall, shard.clock.bounds) = (monotonic, wall, bounds)
    return shard
  }

  @Test func `processes of one machine are known to the nanosecond`() {
    let zeros: [Int64] = [5_000_000_000, 5_000_000_321, 8_000_000_000]
    let shards = zeros.enumerated().map { index, zero in
      // The time of day was set in between: that does not matter on one machine.
      shard(index + 1, of: 3, machine: "a", monotonic: zero, wall: Int64(index) * -7_000_000_000)
    }
    let alignment = ClockAlignment(shards)
    for (index, zero) in zeros.enumerated() {
      let span = alignment.span(of: index + 1)
      #expect(abs(span.low - (zero - zeros[0])) <= 1 && abs(span.high - (zero - zeros[0])) <= 1)
    }
    #expect(alignment.uncertainty == .zero)
    #expect(alignment.lateness(of: 2) < .milliseconds(1) && abs(alignment.lateness(of: 3).inSeconds - 3) < 0.001)
  }

  @Test func `without a common reference nothing is comparable`() {
    let bound = ClockBound(.chrony, low: -0.001, high: 0.001)
    let alignment = ClockAlignment([
      shard(1, of: 2, machine: "a", monotonic: 1, wall: 1, [bound]),
      shard(2, of: 2, machine: "b", monotonic: 1, wall: 1),
    ])
    #expect(alignment.uncertainty == nil && alignment.reference == nil)
    #expect(alignment.span(of: 1).low < -3_000_000_000_000 && alignment.span(of: 2).high > 3_000_000_000_000)
    #expect(alignment.doubt(.seconds(1))?.contains("no common reference") == true)
  }

  @Test func `the tightest reference that all know is taken`() {
    let target = ClockBound(.target, low: -0.05, high: 0.05)
    let chrony = ClockBound(.chrony, low: -0.002, high: 0.003)
    let alignment = ClockAlignment([
      shard(1, of: 2, machine: "a", monotonic: 1, wall: 1_000_000_000, [target, chrony]),
      shard(2, of: 2, machine: "b", monotonic: 9, wall: 1_000_000_000, [target, chrony]),
    ])
    #expect(alignment.reference == .chrony)
    #expect(abs((alignment.uncertainty?.inSeconds ?? 1) - 0.0025) < 1e-9)
  }

  /// Dates of several hosts behind one name are not one clock: chrony, or nothing, is believed.
  @Test func `references that contradict each other are believed neither`() {
    let chrony = ClockBound(.chrony, low: -0.002, high: 0.002)
    func other(_ low: Double) -> ClockBound { ClockBound(.target, low: low, high: low + 0.001) }
    func alignment(_ first: [ClockBound], _ second: [ClockBound]) -> ClockAlignment {
      ClockAlignment([
        shard(1, of: 2, machine: "a", monotonic: 1, wall: 1_000_000_000, first),
        shard(2, of: 2, machine: "b", monotonic: 9, wall: 1_000_000_000, second),
      ])
    }
    #expect(
      alignment([chrony, other(5)], [chrony, other(5.001)]).reference == .target, "a clock that is off is one clock")
    let contradicted = alignment([chrony, other(0)], [chrony, other(0.8)])
    #expect(contradicted.reference == nil && contradicted.doubt(.seconds(1)) != nil)
    #expect(alignment([chrony], [chrony]).doubt(.seconds(1)) == nil)
    let wide = ClockBound(.folder, low: -3, high: 3)
    #expect(alignment([wide], [wide]).doubt(.seconds(1))?.contains("± 3 s") == true)
  }

  /// Whatever the clocks do within their bounds, the true moment of an event lies in its interval.
  @Test func `the truth lies within the spans`() {
    var random = RandomSource(seed: 20)
    for _ in 0..<2_000 {
      let machines = 2 + Int(random.unit() * 4)
      var shards: [RunShard] = []
      var zeros: [Int: Double] = [:]
      var number = 0
      for machine in 0..<machines {
        // The reference's clock minus this machine's, seconds; known to lie within a width of its own.
        let offset = (random.unit() - 0.5) * 20
        let width = random.unit() * 0.4
        let place = random.unit()
        let bound = ClockBound(.target, low: offset - width * place, high: offset + width * (1 - place))
        let boot = random.unit() * 1e6
        for _ in 0..<(1 + Int(random.unit() * 3)) {
          number += 1
          let zero = 1_795_500_000.0 + random.unit() * 3
          zeros[number] = zero
          shards.append(
            shard(
              number, of: 99, machine: "m\(machine)", monotonic: Int64((zero - 1_795_500_000 + boot) * 1e9),
              wall: Int64(1_795_500_000_000_000_000) + Int64((zero - 1_795_500_000 - offset) * 1e9), [bound]))
        }
      }
      let alignment = ClockAlignment(shards)
      // Where the common zero lies is free: the spans of any two shards must allow their true distance.
      for one in zeros.keys {
        for other in zeros.keys {
          let distance = (zeros[one] ?? 0) - (zeros[other] ?? 0)
          let (a, b) = (alignment.span(of: one), alignment.span(of: other))
          #expect(Double(a.low - b.high) / 1e9 <= distance + 1e-6 && distance <= Double(a.high - b.low) / 1e9 + 1e-6)
        }
      }
    }
  }

  @Test func `chronys bound is its root distance`() throws {
    let line =
      "A9FEA97B,169.254.169.123,4,1795500000.1,-0.000004,0.000002,0.000010,1.5,0.0,0.02,0.000300,0.000120,16.1,Normal\n"
    let bound = try #require(MachineClock.chrony(tracking: line))
    #expect(abs(bound.high - (0.000004 + 0.00015 + 0.00012)) < 1e-9 && bound.low == -bound.high)
    #expect(MachineClock.chrony(tracking: line.replacing("Normal", with: "Not synchronised")) == nil)
    #expect(MachineClock.chrony(tracking: "506 Cannot talk to daemon") == nil)
  }

  @Test func `a folder of this machine has its clock`() throws {
    let bound = try #require(MachineClock.shared("/tmp"))
    #expect(bound.low <= 0 && bound.high >= 0 && bound.width < 1)
    #expect(MachineClock.shared("/nowhere/at/all") == nil)
  }
}
