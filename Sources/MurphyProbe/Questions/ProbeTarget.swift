import MurphyJudge
import MurphyModel

/// Where a prober's volleys go: real HTTP on a real clock, or a simulation.
///
/// A conforming target never sends a request before its moment, answers with one observation for each request that it
/// sent, and stops a volley as told.
package protocol ProbeTarget {
  /// Seconds since the probe began are the target's to count; the volley's moments are on that clock.
  mutating func send(_ volley: ProbeVolley) async throws -> [ProbeObservation]
}

extension Prober {
  /// Runs the whole probe; `progress` is called before each volley.
  package mutating func run(
    on target: inout some ProbeTarget, progress: (ProbeProgress) -> Void = { _ in }
  ) async throws -> ProbeReport {
    while let volley = next() {
      progress(self.progress)
      receive(try await target.send(volley))
    }
    return report
  }
}
