import MurphyEngine
import MurphyModel
import Testing

/// The decision to end the load, on a simulated clock: seconds in, seconds out.
@Suite struct SilenceDetectorTests {
  @Test func `a target that rejects is silent from its last response on`() throws {
    let due = try #require(Self.due(loops: 2) { $0 < 12 ? .answered(after: 0.05) : .lost(after: 0.001) })
    #expect((22...24).contains(due), "\(due)")
  }

  @Test func `a target that accepts and never responds is silent too`() throws {
    let due = try #require(Self.due(loops: 2) { $0 < 12 ? .answered(after: 0.05) : .lost(after: 100) })
    #expect((22...24).contains(due), "\(due)")
  }

  @Test func `a target that never answered is silent from the first request on`() throws {
    let due = try #require(Self.due(loops: 2) { _ in .lost(after: 100) })
    #expect((10...12.5).contains(due), "\(due)")
  }

  @Test func `a quiet load is no silence`() {
    #expect(Self.due(loops: 2) { (12..<40).contains($0) ? .nothing : .answered(after: 0.05) } == nil)
  }

  @Test func `requests after a quiet time have the whole wait before them`() throws {
    let due = try #require(
      Self.due(loops: 2) { $0 < 12 ? .answered(after: 0.05) : $0 < 40 ? .nothing : .lost(after: 100) })
    #expect((50...52.5).contains(due), "\(due)")
  }

  @Test func `one loop that still hears responses is enough`() {
    #expect(
      Self.due(loops: 2, rate: 21) { $0 < 12 || Int($0 * 21) % 2 == 0 ? .answered(after: 0.05) : .lost(after: 100) }
        == nil)
  }

  @Test func `slow responses are waited for twice their time`() {
    #expect(Self.due(loops: 1, rate: 0.5) { _ in .answered(after: 9) } == nil)
  }

  @Test func `fewer than three requests are no silence`() {
    #expect(
      Self.due(loops: 2, rate: 20) { $0 < 12 ? .answered(after: 0.05) : $0 < 12.1 ? .lost(after: 100) : .nothing }
        == nil)
  }

  @Test func `asleep of murphy itself is no silence`() {
    // Both loops tell after fifteen seconds of sleep that nothing came; a moment later they have read the responses.
    var watch = SilenceDetector(abortAfter: .seconds(10))
    var loop = ResponseWatch()
    for index in 0..<5 { loop.sent(at: Int64(index) * 1_000_000) }
    let awake = watch.isOver([loop.vitals(at: 15_000_000_000)], at: 15_000_000_000)
    loop.sign(at: 15_010_000_000, sent: 0, operation: 0)
    let later = watch.isOver([loop.vitals(at: 16_100_000_000)], at: 16_100_000_000)
    #expect(!awake && !later)
  }

  private enum Fate { case answered(after: Double), lost(after: Double), nothing }

  /// When the load would end, with requests at a rate for sixty seconds and loops that publish once a second.
  private static func due(loops: Int, rate: Double = 20, _ fate: (Double) -> Fate) -> Double? {
    var events: [(at: Double, loop: Int, kind: Int, sent: Double)] = []
    for index in 0..<Int(60 * rate) {
      let sent = Double(index) / rate
      switch fate(sent) {
      case .nothing: continue
      case .answered(let after):
        events += [(sent, index % loops, 0, sent), (sent + after, index % loops, 1, sent)]
      case .lost(let after):
        events += [(sent, index % loops, 0, sent), (sent + after, index % loops, 2, sent)]
      }
    }
    for second in 1...60 { for loop in 0..<loops { events.append((Double(second), loop, 3, 0)) } }
    events.sort { ($0.at, $0.kind) < ($1.at, $1.kind) }
    var watches = (0..<loops).map { _ in ResponseWatch() }
    var vitals = [LoopVitals?](repeating: nil, count: loops)
    var silence = SilenceDetector(abortAfter: .seconds(10))
    for event in events where event.at <= 60 {
      let (now, sent) = (Int64(event.at * 1e9), Int64(event.sent * 1e9))
      switch event.kind {
      case 0: watches[event.loop].sent(at: now)
      case 1: watches[event.loop].sign(at: now, sent: sent, operation: 0)
      case 2: watches[event.loop].lost(operation: 0, kind: .transportRefused, sent: sent, at: now)
      default: vitals[event.loop] = watches[event.loop].vitals(at: now)
      }
      let told = vitals.compactMap { $0 }
      if told.count == loops, silence.isOver(told, at: now) { return event.at }
    }
    return nil
  }
}
