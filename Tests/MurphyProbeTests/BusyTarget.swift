import Foundation
import MurphyJudge
import MurphyModel
import MurphyProbe
import Simulation

/// A limited API on a virtual clock, on a machine that is busy with other things: client and server are descheduled.
///
/// A stalled client sends what is due, and reads what was answered, at the end of the stall; a stalled server decides
/// then. Rides are otherwise those of a loopback, 0.3 to 3 ms.
struct BusyTarget: ProbeTarget {
  /// How often, and for how long, one side gets no processor.
  struct Stalls {
    /// Per second.
    var rate: Double
    /// Seconds.
    var shortest: Double
    var longest: Double

    static let none = Stalls(rate: 0, shortest: 0, longest: 0)
  }

  var admits: (ProbeRequest, Double) -> Bool
  var random: RandomSource
  private var client: StallClock
  private var server: StallClock
  private var now = 0.0
  /// The longest time that the prober thinks between two volleys.
  var thinking: Double
  private(set) var volleys = 0
  /// Until this moment, seconds, the server has so little of a processor that decisions come one by one.
  private let starvedUntil: Double
  private var lastDecided = 0.0

  init(
    client: Stalls, server: Stalls, starvedUntil: Double = 0, thinking: Double = 0, random: RandomSource,
    admits: @escaping (ProbeRequest, Double) -> Bool
  ) {
    self.admits = admits
    self.random = random
    self.thinking = thinking
    self.starvedUntil = starvedUntil
    self.client = StallClock(client, RandomSource(seed: 71, stream: self.random.next()))
    self.server = StallClock(server, RandomSource(seed: 72, stream: self.random.next()))
  }

  mutating func send(_ volley: ProbeVolley) -> [ProbeObservation] {
    volleys += 1
    now += thinking * random.unit()
    let begin = max(now, volley.at)
    var sends: [(due: Double, sent: Double, decided: Double)] = []
    var last = begin
    for index in volley.requests.indices {
      let due = begin + Double(index) * volley.spacing
      let sent = client.end(of: max(due, last)) + 0.00002
      last = sent
      // The client may lose the processor between reading the clock and writing.
      let written = client.end(of: sent)
      sends.append((due, sent, decision(at: server.end(of: written + ride()))))
    }
    var cut = Double.infinity
    var refusals: [Double] = []
    var observations: [ProbeObservation] = []
    for index in sends.indices.sorted(by: { sends[$0].decided < sends[$1].decided }) {
      let (due, sent, decided) = sends[index]
      guard sent < cut else { continue }
      let admitted = admits(volley.requests[index], decided)
      let settled = client.end(of: decided + ride())
      if !admitted, let most = volley.stopsAfterRefusals {
        refusals.append(settled)
        if refusals.count >= most { cut = min(cut, refusals.sorted()[most - 1]) }
      }
      observations.append(
        ProbeObservation(
          index: index, due: due, sent: sent, settled: settled, decision: admitted ? .admitted : .refused,
          status: admitted ? (volley.requests[index].isInvalid ? 400 : 200) : 429))
    }
    now = max(now, observations.map(\.settled).max() ?? now)
    return observations
  }

  /// Up to half a second after the decision before, while the server starves.
  private mutating func decision(at moment: Double) -> Double {
    var decided = moment
    if max(moment, lastDecided) < starvedUntil { decided = max(moment, lastDecided) + 0.5 * random.unit() }
    lastDecided = max(lastDecided, decided)
    return decided
  }

  private mutating func ride() -> Double { 0.0003 + random.exponential(mean: 0.0005) }
}

/// When one side has the processor. Stalls come as a Poisson process.
private struct StallClock {
  private let stalls: BusyTarget.Stalls
  private var random: RandomSource
  private var list: [(start: Double, end: Double)] = []

  init(_ stalls: BusyTarget.Stalls, _ random: RandomSource) {
    self.stalls = stalls
    self.random = random
  }

  /// `moment`, or the end of the stall that it falls into.
  mutating func end(of moment: Double) -> Double {
    guard stalls.rate > 0 else { return moment }
    while (list.last?.start ?? 0) <= moment {
      let start = (list.last?.end ?? 0) + random.exponential(mean: 1 / stalls.rate)
      list.append((start, start + stalls.shortest + random.unit() * (stalls.longest - stalls.shortest)))
    }
    var low = 0
    var high = list.count
    while low < high {
      let middle = (low + high) / 2
      if list[middle].start <= moment { low = middle + 1 } else { high = middle }
    }
    return low > 0 && list[low - 1].end > moment ? list[low - 1].end : moment
  }
}
