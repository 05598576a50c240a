import Foundation
import MurphyJudge
import MurphyModel
import MurphyProbe
import Simulation

/// A limited API on a virtual clock: one-way delays lognormal around 8 ms with 1 % spikes of 100 ms.
struct VirtualTarget: ProbeTarget {
  /// Decides on a request at a moment; gets the request, so that keys can be told apart.
  var admits: (ProbeRequest, Double) -> Bool
  var random: RandomSource
  /// The earliest that anything was sent against what was asked for: must never be negative.
  var earliest = Double.infinity
  var volleys = 0
  var latest = 0.0

  mutating func send(_ volley: ProbeVolley) -> [ProbeObservation] { answer(volley) }

  private mutating func delay() -> Double {
    0.008 * exp(0.5 * random.normal()) + (random.unit() < 0.01 ? random.exponential(mean: 0.1) : 0)
  }

  mutating func answer(_ volley: ProbeVolley) -> [ProbeObservation] {
    volleys += 1
    earliest = min(earliest, volley.at - latest)
    let count = volley.requests.count
    var sent: [Double] = []
    var decided: [Double] = []
    var back: [Double] = []
    for index in 0..<count {
      sent.append(volley.at + Double(index) * volley.spacing)
      decided.append(sent[index] + delay())
      back.append(delay())
    }
    var cut = count
    var refusals: [Double] = []
    var observations: [ProbeObservation] = []
    for index in (0..<count).sorted(by: { decided[$0] < decided[$1] }) where index < cut {
      let admitted = admits(volley.requests[index], decided[index])
      let settled = decided[index] + back[index]
      if !admitted, let most = volley.stopsAfterRefusals {
        refusals.append(settled)
        if refusals.count >= most {
          let moment = refusals.sorted()[most - 1]
          let last = volley.spacing > 0 ? Int(((moment - volley.at) / volley.spacing).rounded(.up)) : count
          cut = min(cut, max(last, index + 1))
        }
      }
      observations.append(
        ProbeObservation(
          index: index, sent: sent[index], settled: settled, decision: admitted ? .admitted : .refused,
          status: admitted ? (volley.requests[index].isInvalid ? 400 : 200) : 429))
    }
    latest = max(latest, observations.map(\.settled).max() ?? 0)
    return observations
  }
}
