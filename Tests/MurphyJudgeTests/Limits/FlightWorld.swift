import Foundation
import MurphyJudge
import MurphyModel
import Simulation

/// A server that admits some requests at the same time, and clients that send one request after the other.
struct FlightWorld {
  /// The requests that the server admits at the same time.
  var limit: Int
  var clients: Int
  /// The mean time for which the server works on a request, in seconds.
  var service = 0.3
  var seconds = 20.0

  private enum Event { case arrival(client: Int, sent: Double), end }

  func log(_ random: inout RandomSource) -> LimitLog {
    var builder = LogBuilder()
    var events: [(at: Double, event: Event)] = []
    func way() -> Double {
      0.002 * exp(0.4 * random.normal()) + (random.unit() < 0.01 ? random.exponential(mean: 0.05) : 0)
    }
    func send(_ client: Int, at moment: Double) {
      events.append((moment + way(), .arrival(client: client, sent: moment)))
    }
    for client in 0..<clients { send(client, at: random.uniform(0, 1)) }
    var working = 0
    while let next = events.indices.min(by: { events[$0].at < events[$1].at }) {
      let (now, event) = events.remove(at: next)
      guard now < seconds else { break }
      switch event {
      case .end: working -= 1
      case .arrival(let client, let sent):
        let isAdmitted = working < limit
        let done = isAdmitted ? now + random.exponential(mean: service) : now
        if isAdmitted {
          working += 1
          events.append((done, .end))
        }
        let answered = done + way()
        builder.add(sent, answered, isAdmitted ? 200 : 429)
        send(client, at: answered + random.exponential(mean: service))
      }
    }
    return builder.log
  }
}
