import MurphyJudge
import MurphyModel
import Testing

/// The search against targets whose capacity is known, without a second of load.
@Suite struct CapacitySearchTests {
  /// Runs a search to its end.
  ///
  /// - Parameter says: what a window of a load says.
  /// - Returns: the search and the loads of its windows.
  static func run(
    _ search: CapacitySearch, _ says: (CapacitySearch.Demand) -> CapacityStep.Standing
  ) -> (search: CapacitySearch, demands: [CapacitySearch.Demand]) {
    var search = search
    var demands: [CapacitySearch.Demand] = []
    while let demand = search.next(), demands.count < 200 {
      demands.append(demand)
      search.record(says(demand))
    }
    return (search, demands)
  }

  static func open(first: Double, most: Double? = nil, precision: Double = 0.05) -> CapacitySearch {
    CapacitySearch(first: first, most: most, precision: precision, isWhole: false)
  }

  @Test(arguments: [0.3, 4.0, 21.0, 199.0, 12_345.0]) func `the capacity is found from any first load`(capacity: Double)
  {
    for first in [capacity / 50, capacity / 3, capacity, capacity * 5] {
      let (search, demands) = Self.run(Self.open(first: first)) { $0.load <= capacity ? .held : .broke }
      #expect(search.ending == .found)
      let (held, broke) = (search.confirmed ?? 0, search.broke?.load ?? 0)
      #expect(held <= capacity && capacity < broke && broke / held <= 1.056, "\(held) .. \(broke) of \(capacity)")
      #expect(demands.count < 40, "\(demands.count) windows")
      #expect(demands.first?.purpose == .calibrate && demands.last?.purpose == .confirm)
    }
  }

  @Test func `whole users are found exactly where they are few`() {
    for capacity in 1...40 {
      let search = CapacitySearch(first: 8, most: nil, precision: 0.02, isWhole: true)
      let (done, _) = Self.run(search) { $0.load <= Double(capacity) ? .held : .broke }
      #expect(done.confirmed == Double(capacity), "\(capacity)")
    }
  }

  /// One window in ten errs, at any load; near the capacity half of them do.
  @Test func `windows that err rarely move the result`() {
    var (near, windows) = (0, 0)
    let trials = 1000
    for seed in 0..<trials {
      var random = RandomSource(seed: UInt64(seed), stream: 7)
      let capacity = 100.0
      let (search, demands) = Self.run(Self.open(first: 30)) { demand in
        let draw = Double(random.next() >> 11) / Double(1 << 53)
        let isAbove = demand.load > capacity
        if abs(demand.load / capacity - 1) < 0.01 { return draw < 0.5 ? .held : .broke }
        return isAbove != (draw < 0.1) ? .broke : .held
      }
      windows += demands.count
      if let found = search.confirmed, abs(found / capacity - 1) <= 0.05 { near += 1 }
    }
    print("found within 5 %: \(near) of \(trials), \(windows / trials) windows on average")
    #expect(near >= trials * 75 / 100)
  }

  @Test func `one failing window is not a failing load`() {
    var isFirst = true
    let (search, demands) = Self.run(Self.open(first: 10, most: 40)) { demand in
      defer { if demand.load == 20 { isFirst = false } }
      return demand.load == 20 && isFirst ? .broke : .held
    }
    #expect(search.ending == .reachedMost && search.confirmed == 40)
    #expect(demands.count { $0.load == 20 } == 2)
  }

  @Test func `nothing holds at any load`() {
    let (search, demands) = Self.run(Self.open(first: 80)) { _ in .broke }
    #expect(search.ending == .nothingHeld && search.confirmed == nil)
    #expect(demands.map(\.load) == [8, 8, 1, 1, 0.125, 0.125])
  }

  @Test func `murphy as the bottleneck is a bound of its own`() {
    let (search, _) = Self.run(Self.open(first: 10)) { $0.load <= 100 ? .held : .generator }
    #expect(search.ending == .generator)
    #expect((search.confirmed ?? 0) > 94 && (search.confirmed ?? 0) <= 100)
    // Where the API gives way below it, the bound is the API's.
    let (other, _) = Self.run(Self.open(first: 10)) { $0.load <= 70 ? .held : $0.load <= 100 ? .broke : .generator }
    #expect(other.ending == .found && (other.confirmed ?? 0) > 66)
  }

  @Test func `the ends that are no result`() {
    #expect(Self.run(Self.open(first: 10)) { $0.load < 30 ? .held : .untested }.search.ending == .untested)
    #expect(Self.run(Self.open(first: 10)) { $0.load < 30 ? .held : .interrupted }.search.ending == .interrupted)
    let unsteady = Self.run(Self.open(first: 10)) { $0.load < 100 && $0.purpose != .confirm ? .held : .broke }
    #expect(unsteady.search.ending == .unsteady)
    let never = Self.run(Self.open(first: 10)) { $0.load < 30 ? .held : .broke }
    var search = never.search
    search.end(.outOfTime)
    #expect(search.ending == .found, "the first end stands")
  }

  /// Windows that fail for another reason each time do not go on for ever.
  @Test func `a load is decided after four windows`() {
    var count = 0
    let (search, demands) = Self.run(Self.open(first: 10)) { demand in
      guard demand.load > 50 else { return .held }
      count += 1
      return count.isMultiple(of: 2) ? .broke : .generator
    }
    #expect(search.ending != nil)
    #expect(Dictionary(grouping: demands, by: \.load).values.allSatisfy { $0.count <= 5 })
  }
}
