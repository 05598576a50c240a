import MurphyJudge
import MurphyModel
import Simulation
import Testing

@Suite struct CounterRuleTests {
  @Test func `conforming servers are never accused`() {
    for number in 0..<SimulationSize.count(20_000, least: 1_000) {
      var counter = CounterWorld(world: .drawn(seed: 200_000 + UInt64(number)))
      counter.showsAnswers = number % 2 == 0
      counter.base = Int64(number % 5) * 10
      if number % 4 == 1 { counter.world.settle = 1 }
      counter.repeats = number % 3 == 0
      let report = counter.report()
      #expect(report.violations.isEmpty, "seed \(200_000 + number): \(report.first?.sentence ?? "")")
    }
  }

  @Test func `all reads together are judged exactly`() {
    let agreement = Agreement.over(SimulationSize.count(20_000, least: 2_000), seed: 21) { random in
      var history = CounterHistory()
      let count = 1 + random.below(4)
      for (index, span) in SmallSpan.drawn(count, &random).enumerated() {
        let shown = span.isOptional || random.unit() < 0.7 ? nil : Int64(1 + random.below(count))
        history.increments.append(.init(Change(span.span, isOptional: span.isOptional, index: index), shown: shown))
      }
      for (index, span) in SmallSpan.drawn(1 + random.below(3), unknown: 0, &random).enumerated() {
        history.views.append(.init(span.span, value: Int64(random.below(count + 1)), index: count + index))
      }
      var operations = history.increments.map { increment in
        ExhaustiveSearch.Operation(
          increment.change.span, isOptional: increment.change.isOptional, (isRead: false, shown: increment.shown))
      }
      operations += history.views.map { .init($0.span, (isRead: true, shown: $0.value)) }
      let isPossible = ExhaustiveSearch.explains(operations, from: Int64(0)) { state, step in
        let next = step.isRead ? state : state + 1
        return step.shown == nil || step.shown == next ? next : nil
      }
      return (CounterRule(base: 0).judge(history, key: 0).isViolated, isPossible)
    }
    #expect(agreement.falseAlarms == 0 && agreement.missed == 0 && agreement.impossible > 500, "\(agreement)")
  }

  @Test(arguments: [
    (CounterWorld.Fault.lostWrite, 0.1, 0.8), (.doubleCount, 0.1, 0.8), (.stale, 0.1, 0.8), (.refusedCounts, 1, 0.7),
    (.keyIgnored, 0.3, 0.8),
  ]) func `faults are found`(fault: CounterWorld.Fault, share: Double, least: Double) {
    let runs = SimulationSize.count(200, least: 30)
    let found = (0..<runs).count { number in
      var counter = CounterWorld(
        world: .faulty(seed: 8_000 + UInt64(number), exchanges: 200, clients: 8), fault: fault, share: share, base: 5)
      counter.repeats = fault == .keyIgnored
      return !counter.report().violations.isEmpty
    }
    #expect(Double(found) >= least * Double(runs), "\(fault): found in \(found) of \(runs) runs")
  }
}

@Suite struct VersionRuleTests {
  @Test func `conforming servers are never accused`() {
    for number in 0..<SimulationSize.count(20_000, least: 1_000) {
      var versions = VersionWorld(world: .drawn(seed: 300_000 + UInt64(number)))
      if number % 4 == 1 { versions.world.settle = 1 }
      let report = versions.report()
      #expect(report.violations.isEmpty, "seed \(300_000 + number): \(report.first?.sentence ?? "")")
    }
  }

  private enum Step {
    case push(based: Int64, content: Int32)
    case read(version: Int64, content: Int32)
    case refused(based: Int64)
  }

  private struct State: Hashable {
    var version: Int64 = 0
    var content: Int32 = -2
  }

  @Test func `pushes reads and rejections are judged exactly`() {
    let agreement = Agreement.over(SimulationSize.count(20_000, least: 2_000), seed: 31) { random in
      var history = VersionHistory()
      let count = 1 + random.below(4)
      var bases = (0..<count).map { Int64($0) }
      bases.shuffle(using: &random)
      if random.unit() < 0.3 { bases[0] = Int64(random.below(count)) }
      var spans = SmallSpan.drawn(count, &random)
      if random.unit() < 0.5 {
        spans.sort { $0.span.from < $1.span.from }
        bases.sort()
      }
      for (index, (span, based)) in zip(spans, bases).enumerated() {
        history.pushes.append(
          .init(
            Change(span.span, isOptional: span.isOptional, index: index), based: based,
            given: span.isOptional ? nil : based + 1, content: Int32(index)))
      }
      for (index, span) in SmallSpan.drawn(random.below(3), unknown: 0, &random).enumerated() {
        let version = Int64(random.below(count + 1))
        let contents = history.pushes.indices.filter { history.pushes[$0].based + 1 == version }.map { Int32($0) }
        let content = ([-1, -1] + contents)[random.below(2 + contents.count)]
        history.views.append(.init(span.span, version: version, content: content, index: 10 + index))
      }
      for (index, span) in SmallSpan.drawn(random.below(2), unknown: 0, &random).enumerated() {
        history.refusals.append(.init(span.span, value: Int64(random.below(count + 1)), index: 20 + index))
      }
      var operations = history.pushes.map { push in
        ExhaustiveSearch.Operation(
          push.change.span, isOptional: push.change.isOptional, Step.push(based: push.based, content: push.content))
      }
      operations += history.views.map { .init($0.span, .read(version: $0.version, content: $0.content)) }
      operations += history.refusals.map { .init($0.span, .refused(based: $0.value)) }
      let isPossible = ExhaustiveSearch.explains(operations, from: State()) { state, step in
        switch step {
        case .push(let based, let content):
          state.version == based ? State(version: based + 1, content: content) : nil
        case .read(let version, let content):
          state.version == version && (content < 0 || content == state.content) ? state : nil
        case .refused(let based): state.version == based ? nil : state
        }
      }
      return (VersionRule().judge(history, key: 0, first: 0).isViolated, isPossible)
    }
    #expect(agreement.falseAlarms == 0 && agreement.missed == 0 && agreement.impossible > 500, "\(agreement)")
  }

  @Test(arguments: [
    (VersionWorld.Fault.gap, 0.1, 0.7), (.oldBaseTaken, 0.2, 0.85), (.race, 1, 0.85), (.conflictBody, 0.1, 0.8),
    (.staleRead, 0.1, 0.85), (.lostWrite, 0.1, 0.7),
  ]) func `faults are found`(fault: VersionWorld.Fault, share: Double, least: Double) {
    let runs = SimulationSize.count(200, least: 30)
    let found = (0..<runs).count { number in
      var versions = VersionWorld(
        world: .faulty(seed: 9_000 + UInt64(number), exchanges: 200, clients: 8), fault: fault, share: share)
      return !versions.report().violations.isEmpty
    }
    #expect(Double(found) >= least * Double(runs), "\(fault): found in \(found) of \(runs) runs")
  }

  /// An entry that was there before the run: no push of the run wrote its first versions.
  @Test func `what was there before is not unwritten`() {
    var history = VersionHistory()
    history.views = [.init(Span(0, 1), version: 7, content: -1, index: 0)]
    history.pushes = [.init(Change(Span(2, 3), index: 1), based: 7, given: 8, content: 3)]
    history.refusals = [.init(Span(4, 5), value: 2, index: 2)]
    #expect(!VersionRule().judge(history, key: 0).isViolated)
  }
}

@Suite struct SessionRuleTests {
  @Test func `lag is no fault where sessions are kept`() {
    for number in 0..<SimulationSize.count(20_000, least: 1_000) {
      var sessions = SessionWorld(world: .drawn(seed: 400_000 + UInt64(number)))
      #expect(sessions.report().violations.isEmpty, "seed \(400_000 + number)")
    }
  }

  @Test func `another replica is found`() {
    let runs = SimulationSize.count(200, least: 30)
    let found = (0..<runs).count { number in
      var sessions = SessionWorld(
        world: .faulty(seed: 10_000 + UInt64(number), exchanges: 200, clients: 4), strays: 0.2)
      return !sessions.report().violations.isEmpty
    }
    #expect(Double(found) >= 0.85 * Double(runs), "found in \(found) of \(runs) runs")
  }
}
