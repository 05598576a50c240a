import MurphyJudge
import MurphyModel
import Simulation
import Testing

/// A change of the number of replicas with their own counters is placed within one window.
@Suite struct ReplicaCourseTests {
  struct World {
    var from: Int
    var to: Int
    var window: Double
    var changed: Double
    var course: ReplicaCourse
  }

  static func world(_ index: Int, steady: Bool = false) -> World {
    var random = RandomSource(seed: 91, stream: UInt64(index))
    let (allowance, window) = (5 + random.index(below: 40), random.uniform(2, 20))
    let from = 1 + random.index(below: 6)
    var to = 1 + random.index(below: 6)
    if to == from { to += 1 }
    if steady { to = from }
    let changed = random.uniform(4, 7) * window
    var traces: [LimitTrace] = []
    // New clients begin all the time; each sends more than all counters admit.
    var begin = 0.0
    while begin < 11 * window {
      let most = max(from, to) * allowance * 2
      let spacing = 0.3 * window / Double(most)
      var counters = Array(repeating: 0, count: max(from, to))
      var requests: [LimitTrace.Request] = []
      for number in 0..<most {
        let sent = begin + Double(number) * spacing
        let place = random.index(below: sent < changed ? from : to)
        let isAdmitted = counters[place] < allowance
        if isAdmitted { counters[place] += 1 }
        requests.append(
          LimitTrace.Request(sent: sent, settled: sent + 0.005, role: isAdmitted ? .certain : .refused))
      }
      traces.append(LimitTrace(requests))
      begin += random.uniform(0.05, 0.3) * window
    }
    let policy = LimitPolicy(
      name: "votes", operations: ["voteLaw"], algorithm: .fixed, allowance: allowance, window: .seconds(window),
      key: .header("X-Device-ID"))
    return World(from: from, to: to, window: window, changed: changed, course: ReplicaCourse(traces, policy))
  }

  @Test func `a change of the number of replicas is placed within one window`() {
    let count = SimulationSize.count(300, least: 60)
    var right = 0
    for index in 0..<count {
      let world = Self.world(index)
      let change = world.course.changes.first
      let isRight =
        world.course.changes.count == 1 && change?.from == world.from && change?.to == world.to
        && (change?.after ?? .infinity) <= world.changed && (change?.before ?? 0) >= world.changed
        && (change?.before ?? 0) - (change?.after ?? 0) <= world.window + 1e-6
      right += isRight ? 1 : 0
      if !isRight {
        print(
          "  missed \(world.from) to \(world.to) at \(world.changed), window \(world.window): \(world.course.changes)")
      }
    }
    print("changes of replicas placed within one window: \(right) of \(count)")
    #expect(Double(right) >= 0.95 * Double(count))
  }

  /// A counter of a fixed window admits up to twice the quota in a time of one window.
  @Test(arguments: [LimitAlgorithm.fixed, .fixedAligned, .any, .tokenBucket, .slidingCounter])
  func `clients of one counter that go on have no change`(_ algorithm: LimitAlgorithm) {
    var random = RandomSource(seed: 7)
    for _ in 0..<40 {
      let policy = LimitPolicy(
        name: "votes", operations: ["voteLaw"], algorithm: algorithm, allowance: 10, window: .seconds(2),
        key: .header("X-Device-ID"))
      let traces = (0..<3).map { _ in
        var limiter = LimiterModel(algorithm, allowance: 10, window: 2, phase: random.uniform(0, 2))
        var sent = random.uniform(0, 0.1)
        var requests: [LimitTrace.Request] = []
        while sent < 28 {
          let isAdmitted = limiter.admits(at: sent + 0.002)
          requests.append(
            LimitTrace.Request(sent: sent, settled: sent + 0.005, role: isAdmitted ? .certain : .refused))
          // Now and then a client pauses, and its next requests fall into the end of a window and the next one.
          sent += random.index(below: 12) == 0 ? random.uniform(0.5, 1.9) : random.uniform(0.02, 0.15)
        }
        return LimitTrace(requests)
      }
      #expect(ReplicaCourse(traces, policy).changes.isEmpty)
    }
  }

  @Test func `a constant number of replicas has no change`() {
    for index in 0..<SimulationSize.count(100, least: 30) {
      let world = Self.world(index, steady: true)
      #expect(world.course.changes.isEmpty && world.course.last == world.from, "\(world)")
    }
  }
}
