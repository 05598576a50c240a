import Foundation
import MurphyJudge
import MurphyModel
import MurphyScenario
import Simulation

/// Runs against a simulated server with one queue, whose clients have timeouts and retries. The load has one outage or
/// one spike.
struct RecoveryWorld {
  /// What the server does with work that its clients no longer wait for.
  enum Server: CaseIterable {
    /// It works on every request in order, also if its client has timed out. Retries then keep it overloaded.
    case metastable
    /// It rejects a request if the queue is too long.
    case rejecting
    /// It works on every request in order, and gets ten times its capacity some seconds after its queue became long.
    case scaling
    /// It works on every request, and clients retry so rarely that the queue becomes shorter.
    case idle
  }

  var server: Server
  var kind: Disturbance.Kind
  var rate: Double
  var isPoisson: Bool
  /// The part of the capacity that the usual load needs.
  var use: Double
  var timeout: Double
  var retries: Int
  var wait: Double
  var factor: Double
  /// The seconds that a scaling server needs.
  var delay: Double
  var length = 60
  var at = 20.0
  var lasts = 5.0

  init(_ server: Server, seed: UInt64) {
    var random = RandomSource(seed: seed, stream: 0x5EC0)
    self.server = server
    kind = server != .idle && random.unit() < 0.5 ? .spike : .outage
    rate = random.uniform(20, 60)
    isPoisson = random.unit() < 0.5
    use = server == .idle ? random.uniform(0.3, 0.4) : random.uniform(0.6, 0.8)
    timeout = random.uniform(0.6, 1)
    retries = server == .idle ? 1 : 4 + random.index(below: 2)
    wait = random.uniform(0.4, 1)
    factor = random.uniform(3, 5)
    delay = random.uniform(4, 9)
  }

  var load: LoadProfile {
    LoadProfile.open([.hold(Rate(perSecond: rate), for: .seconds(length))])
      .disturbed(
        by: Disturbance(kind: kind, from: .saturating(seconds: at), until: .saturating(seconds: at + lasts)),
        factor: kind == .spike ? factor : 1)
  }

  private struct Attempt { var time: Double; var number: Int }

  func run(seed: UInt64, within: Duration = .seconds(10)) -> FinishedRun {
    var random = RandomSource(seed: seed)
    var record = RunRecord.sample
    record.info.duration = .seconds(length)
    record.course = Array(repeating: RecoverySecond(), count: length)
    record.timeline = (0..<length).map { TimelinePoint(second: $0) }
    func count(_ time: Double, _ change: (inout RecoverySecond) -> Void) {
      if time < Double(length) { change(&record.course[Int(time)]) }
    }
    let clock = ArrivalClock(
      stages: { if case .open(let stages, _) = load { stages } else { [] } }(), pattern: isPoisson ? .poisson : .even,
      seed: seed)
    // By hundredths of a second, so that the attempts are taken in the order of time.
    var due = Array(repeating: [Attempt](), count: (length + 60) * 100)
    func add(_ attempt: Attempt) { due[min(Int(attempt.time * 100), due.count - 1)].append(attempt) }
    for index in 0..<clock.count { add(Attempt(time: Double(clock.due(index)) / 1e9, number: 0)) }
    var free = 0.0
    var grown: Double?
    var pause = random.exponential(mean: 10)
    func repeated(_ attempt: Attempt, at time: Double) {
      guard attempt.number < retries else { return }
      let own = wait * pow(2, Double(attempt.number)) * (1 - 0.5 * random.unit())
      add(Attempt(time: max(time + own, attempt.time + 0.01), number: attempt.number + 1))
    }
    for slot in 0..<length * 100 {
      for attempt in due[slot].sorted(by: { $0.time < $1.time }) {
        let now = attempt.time
        if attempt.number == 0 { count(now) { $0.begun += 1 } }
        if kind == .outage, (at..<at + lasts).contains(now) {
          count(now) { $0.withheld += 1 }
          repeated(attempt, at: now)
          continue
        }
        record.timeline[Int(now)].sent += 1
        if attempt.number > 0 { count(now) { $0.retried += 1 } }
        // The server pauses sometimes, as for a garbage collection.
        while pause < now {
          free = max(free, pause) + random.uniform(0.02, server == .rejecting ? 0.5 : 0.15)
          pause += random.exponential(mean: 10)
        }
        if let grown, now >= grown { free = min(free, now + 0.05) }
        let start = max(free, now)
        var work = use / rate * random.uniform(0.5, 1.5)
        if server == .scaling {
          if grown == nil, start - now > timeout / 2 { grown = now + delay }
          if let grown, now >= grown { work /= 10 }
        }
        if server == .rejecting, start - now > timeout / 2 {
          free += work * 0.02
          repeated(attempt, at: now + 0.005)
        } else {
          free = start + work
          if free - now <= timeout { count(free) { $0.good += 1 } } else { repeated(attempt, at: now + timeout) }
        }
      }
    }
    var expectations = Expectations()
    expectations.recovery = within
    let scenario = Scenario(
      name: "recovery", file: "recovery.yaml", sessions: [], load: load, expectations: expectations)
    return FinishedRun(record, scenario, CollectionWorld.contract)
  }

  func row(seed: UInt64) -> TrafficRow? {
    RecoveryJudge.rule(on: run(seed: seed)).checks.compactMap { $0 as? TrafficRow }.first
  }
}
