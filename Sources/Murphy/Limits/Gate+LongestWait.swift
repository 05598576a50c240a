import MurphyModel
import MurphyScenario

extension Gate {
  /// Refusals that ask clients to wait for longer than the scenario's `longest-wait` of their policy.
  ///
  /// Only whole seconds are compared: what else `Retry-After` may hold, the limit judge looks at.
  func overlongWaits(_ log: LimitLog) -> [Finding] {
    scenario.expectations.limits.compactMap { expectation in
      guard let longest = expectation.longestWait else { return nil }
      let waits = log.observations.compactMap { observation -> (wait: Double, at: Double)? in
        guard expectation.policy.covers(log.operations[Int(observation.operation)]), observation.headers >= 0 else {
          return nil
        }
        let headers = log.headerSets[Int(observation.headers)]
        guard expectation.policy.refuses(status: Int(observation.status), headers: headers),
          let text = headers.first(where: { $0.name == "retry-after" })?.value, let wait = Double(text),
          wait > longest.inSeconds
        else { return nil }
        return (wait, Double(observation.sent - log.start) / 1e9)
      }
      guard let first = waits.first, let last = waits.last, let most = waits.map(\.wait).max() else { return nil }
      return Finding(
        kind: .limitLongWait, severity: .error, operation: expectation.policy.operations.first,
        message:
          "refusals ask for waits of up to \(Duration.saturating(seconds: most).text), expected at most \(longest.text)",
        count: waits.count, firstSeen: first.at, lastSeen: last.at, discriminator: expectation.policy.name)
    }
  }
}
