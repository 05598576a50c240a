import MurphyJudge
import MurphyModel
import MurphyProbe
import Simulation

/// A limited API on a virtual clock, on a machine that delays each send and each response at random.
struct DelayedTarget: ProbeTarget {
  var admits: (ProbeRequest, Double) -> Bool
  /// The longest delay of a send against its plan, on the way to the limiter, and on the way back; in seconds.
  let longest: Double
  var random: RandomSource
  private var now = 0.0

  init(longest: Double, random: RandomSource, admits: @escaping (ProbeRequest, Double) -> Bool) {
    (self.longest, self.random, self.admits) = (longest, random, admits)
  }

  mutating func send(_ volley: ProbeVolley) -> [ProbeObservation] {
    let begin = max(now, volley.at)
    var last = begin
    var sends: [(due: Double, sent: Double, decided: Double, settled: Double)] = []
    for index in volley.requests.indices {
      let due = begin + Double(index) * volley.spacing
      let sent = max(last, due + delay())
      let decided = sent + 0.0003 + delay()
      sends.append((due, sent, decided, decided + 0.0003 + delay()))
      last = sent
    }
    var cut = Double.infinity
    var rejections: [Double] = []
    var observations: [ProbeObservation] = []
    for index in sends.indices.sorted(by: { sends[$0].decided < sends[$1].decided }) {
      let (due, sent, decided, settled) = sends[index]
      guard sent < cut else { continue }
      let isAdmitted = admits(volley.requests[index], decided)
      if !isAdmitted, let most = volley.stopsAfterRefusals {
        rejections.append(settled)
        if rejections.count >= most { cut = min(cut, rejections.sorted()[most - 1]) }
      }
      observations.append(
        ProbeObservation(
          index: index, due: due, sent: sent, settled: settled, decision: isAdmitted ? .admitted : .refused,
          status: isAdmitted ? (volley.requests[index].isInvalid ? 400 : 200) : 429))
    }
    now = max(now, observations.map(\.settled).max() ?? now)
    return observations
  }

  private mutating func delay() -> Double { longest * random.unit() }
}
