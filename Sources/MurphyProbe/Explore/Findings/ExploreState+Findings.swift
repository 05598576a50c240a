import MurphyModel

struct Sightings {
  private(set) var count = 0
  private(set) var first = Double.infinity
  private(set) var last = 0.0

  /// - Parameter moment: seconds since the run's start; nil where it is not known.
  mutating func add(at moment: Double?) {
    count += 1
    guard let moment else { return }
    (first, last) = (min(first, moment), max(last, moment))
  }
}

/// What was found, and what reproduces it.
extension ExploreState {
  /// Whether no other user looks into this.
  ///
  /// - Parameters:
  ///   - parts: causes of which each alone would explain it.
  ///   - moment: when it was seen.
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

  /// - Parameter answer: equal for equal answers: of many that one operation gives, the first few are told.
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

  /// Findings with one and the same answer of one operation.
  private static let mostAlike = 3

  /// It did not come again: others may look into the next of its kind.
  ///
  /// - Parameter isRepeated: false where something kept it from being repeated.
  func drop(_ claim: Claim, isRepeated: Bool = true) {
    state.withLock { state in
      if isRepeated { state.unrepeated += 1 }
      // Twice is enough.
      if (state.claimed[claim]?.count ?? 0) <= 2 { state.claimed[claim] = nil }
    }
  }

  /// What was shown twice, in the order of its first sight, each finding with how often it was seen.
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

  /// How often a suspicion did not come again when its case was repeated.
  package var unrepeated: Int { state.withLock { $0.unrepeated } }
  /// The requests with the one before the last that explains its status, where one was sent.
  func explaining(_ requests: [PreparedCall], status: Int) -> [PreparedCall] {
    state.withLock { $0.precedents.explaining(requests, status: status) }
  }

  func keep(_ script: ShellScript, of calls: [ExploreCall]) {
    state.withLock { $0.scripted[script.text] = calls }
  }

  /// The calls that a script of the run's own judges sends; nil for a script that explore did not write.
  func calls(of script: ShellScript) -> [ExploreCall]? { state.withLock { $0.scripted[script.text] } }
}
