import MurphyModel

struct Sightings {
  private(set) var count = 0
  private(set) var first = Double.infinity
  private(set) var last = 0.0

  /// - Parameter moment: seconds since the run's start; nil if not known.
  mutating func add(at moment: Double?) {
    count += 1
    guard let moment else { return }
    (first, last) = (min(first, moment), max(last, moment))
  }
}

/// The findings, and the scripts that reproduce them.
extension ExploreState {
  /// True if no other user checks this suspicion.
  ///
  /// - Parameters:
  ///   - parts: causes, each of which alone would explain it.
  ///   - moment: the time at which it was seen.
  func claim(_ claim: Claim, parts: [String], at moment: Double?) -> Bool {
    state.withLock { state in
      let alone = state.claimed.keys.first { known in
        known.kind == claim.kind && known.operation == claim.operation
          && parts.contains { known.cause.hasPrefix($0 + " ") }
      }
      if let alone, alone != claim {
        state.claimed[alone, default: Sightings()].add(at: moment)
        return false
      }
      state.claimed[claim, default: Sightings()].add(at: moment)
      return state.claimed[claim]?.count == 1
    }
  }

  /// - Parameter answer: equal for equal responses. Only the first few findings of an operation with the same response
  ///   are reported.
  func confirm(_ claim: Claim, _ found: Found, answer: String) {
    state.withLock { state in
      let key = "\(claim.kind.rawValue) \(claim.operation) \(answer)"
      if !answer.isEmpty {
        state.alike[key, default: []].append(claim)
        if let first = state.alike[key]?.first, (state.alike[key]?.count ?? 0) > Self.mostAlike {
          state.claimed[first, default: Sightings()].add(at: found.finding.lastSeen)
          return
        }
      }
      state.found[claim] = found
    }
  }

  /// The maximum number of findings with the same response of one operation.
  private static let mostAlike = 3

  /// It was not reproduced: other users may check the next of its kind.
  ///
  /// - Parameter isRepeated: false if it could not be repeated.
  func drop(_ claim: Claim, isRepeated: Bool = true) {
    state.withLock { state in
      if isRepeated { state.unrepeated += 1 }
      // Two attempts are enough.
      if (state.claimed[claim]?.count ?? 0) <= 2 { state.claimed[claim] = nil }
    }
  }

  /// The reproduced suspicions, in the order in which they were first seen, each with its number of occurrences.
  package var found: [Found] {
    state.withLock { state in
      state.found.filter { !state.isOfThePlainRequest($0.key) }.map { claim, found in
        var found = found
        let seen = state.claimed[claim] ?? Sightings()
        found.finding.count = max(seen.count, 1)
        found.finding.firstSeen = min(found.finding.firstSeen, seen.first)
        found.finding.lastSeen = max(found.finding.lastSeen, seen.last)
        return found
      }.sorted { ($0.finding.firstSeen, $0.finding.message) < ($1.finding.firstSeen, $1.finding.message) }
    }
  }

  /// The number of suspicions that were not reproduced.
  package var unrepeated: Int { state.withLock { $0.unrepeated } }
  /// The requests, with an earlier request before the last that explains its status, if there was one.
  func explaining(_ requests: [PreparedCall], status: Int) -> [PreparedCall] {
    state.withLock { $0.precedents.explaining(requests, status: status) }
  }

  func keep(_ script: ShellScript, of calls: [ExploreCall]) {
    state.withLock { $0.scripted[script.text] = calls }
  }

  /// The calls in a script of the run's own judges; nil for a script that explore did not write.
  func calls(of script: ShellScript) -> [ExploreCall]? { state.withLock { $0.scripted[script.text] } }
}
