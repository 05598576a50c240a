import MurphyModel

/// Finds the wrong limiters that a run's traffic would have revealed. Each replaces the real one in possible runs of
/// the same requests, and the judge checks if it refutes the policy (docs/strength.md §4.1).
///
/// In a possible run every request is decided between its sending and its response: early, in the middle and late in
/// the first three runs and at random in the others. Windows aligned to a clock begin at any time, and requests go to
/// any worker. Clients do not react to rejections by the wrong limiter. Twenty runs that agree make it certain: a wrong
/// limiter that this traffic reveals less often than in 84 % of all runs is called certain in fewer than 5 %.
struct LimitExposure {
  let policy: LimitPolicy
  let terms: LimitTerms
  private let keys: ReplayedKeys
  private let allKeys: ReplayedKeys
  private let seed: UInt64

  static let runs = 20
  /// After this number of runs, a disagreement ends the search.
  static let leastRuns = 8

  init(_ judged: JudgedPolicy, keys: ReplayedKeys, seed: UInt64 = 0) {
    policy = judged.policy
    terms = judged.terms
    self.keys = keys
    allKeys = judged.keys.count > keys.keys.count ? ReplayedKeys(judged, everyKey: true) : keys
    self.seed = seed
  }

  func mutants() -> [LimitStrength.Mutant] {
    LimitStrength.WrongLimiter.allCases.filter { $0.isWrong(for: policy) }.map(mutant)
  }

  func mutant(_ wrong: LimitStrength.WrongLimiter) -> LimitStrength.Mutant {
    guard wrong == .keyTooFine else { return mutant(wrong, apart: nil) }
    // The part, of all those that may be distinguished, that this traffic reveals least.
    return keys.parts.map { mutant(wrong, apart: $0) }.min {
      Double($0.refuted) / Double(max($0.tried, 1)) < Double($1.refuted) / Double(max($1.tried, 1))
    } ?? LimitStrength.Mutant(wrong, .not, refuted: 0, tried: 0)
  }

  private func mutant(
    _ wrong: LimitStrength.WrongLimiter, apart part: ReplayedKeys.Part?
  ) -> LimitStrength.Mutant {
    // A wrong limiter that no run of this traffic can reveal needs no runs.
    guard !keys.keys.isEmpty, wrong != .keyTooCoarse || allKeys.keys.count > 1 else {
      return LimitStrength.Mutant(wrong, .not, refuted: 0, tried: 0)
    }
    var refuted = 0
    var tried = 0
    // The key that refuted it last is tried first.
    var hint = 0
    while tried < Self.runs {
      var random = RandomSource(seed: seed, stream: UInt64(tried) << 8 | UInt64(wrong.number))
      if isRefuted(wrong, apart: part, run: tried, &random, &hint) { refuted += 1 }
      tried += 1
      if tried >= Self.leastRuns, refuted > 0, refuted < tried { break }
    }
    // The rest of a log that is cut may reveal a limiter that its beginning does not reveal.
    let isCut = wrong == .keyTooCoarse ? allKeys.isCut : keys.isCut
    let exposure: LimitStrength.Exposure = refuted == tried ? .surely : refuted == 0 && !isCut ? .not : .perhaps
    return LimitStrength.Mutant(wrong, exposure, refuted: refuted, tried: tried)
  }

  private func isRefuted(
    _ wrong: LimitStrength.WrongLimiter, apart part: ReplayedKeys.Part?, run: Int, _ random: inout RandomSource,
    _ hint: inout Int
  ) -> Bool {
    let phase = random.unit() * policy.window.inSeconds
    if wrong == .keyTooCoarse { return isRefutedTogether(wrong, run: run, phase: phase, &random) }
    for offset in keys.keys.indices {
      let index = (hint + offset) % keys.keys.count
      let key = keys.keys[index]
      var states: [Int: WrongLimiterState] = [:]
      let moments = Self.moments(key.events, run: run, &random)
      var roles = key.events.map(\.role)
      for event in key.events.indices.sorted(by: { moments[$0] < moments[$1] }) {
        let counter = part?.value(key.events[event]) ?? 0
        roles[event] = decide(
          key.events[event], at: moments[event],
          &states[counter, default: WrongLimiterState(wrong, of: policy, allowance: terms.allowance, phase: phase)],
          &random)
      }
      guard isConsistent(key.trace(roles, until: keys.end)) else {
        hint = index
        return true
      }
    }
    return false
  }

  /// Checks all keys at one counter.
  private func isRefutedTogether(
    _ wrong: LimitStrength.WrongLimiter, run: Int, phase: Double, _ random: inout RandomSource
  ) -> Bool {
    var state = WrongLimiterState(wrong, of: policy, allowance: terms.allowance, phase: phase)
    var order: [(moment: Double, key: Int, event: Int)] = []
    var roles: [[LimitTrace.Role]] = []
    for (index, key) in allKeys.keys.enumerated() {
      roles.append(key.events.map(\.role))
      for (event, moment) in Self.moments(key.events, run: run, &random).enumerated() {
        order.append((moment, index, event))
      }
    }
    for next in order.sorted(by: { $0.moment < $1.moment }) {
      roles[next.key][next.event] = decide(
        allKeys.keys[next.key].events[next.event], at: next.moment, &state, &random)
    }
    return allKeys.keys.indices.prefix(ReplayedKeys.mostKeys).contains {
      !isConsistent(allKeys.keys[$0].trace(roles[$0], until: allKeys.end))
    }
  }

  private func isConsistent(_ trace: LimitTrace) -> Bool {
    LimitCheck.outcome(of: trace, algorithm: policy.algorithm, terms: terms).isConsistent
  }

  /// The times at which the limiter decides on each request.
  private static func moments(
    _ events: [ReplayedKeys.Event], run: Int, _ random: inout RandomSource
  ) -> [Double] {
    events.map { event in
      let share =
        switch run {
        case 0: 0.03
        case 1: 0.5
        case 2: 0.97
        default: random.unit()
        }
      return event.sent + share * (event.settled - event.sent)
    }
  }

  private func decide(
    _ event: ReplayedKeys.Event, at moment: Double, _ state: inout WrongLimiterState, _ random: inout RandomSource
  ) -> LimitTrace.Role {
    switch event.role {
    // Does not use the allowance.
    case .starter: return .starter
    case .possible:
      // A failed request may or may not count; a lost one has no known outcome.
      guard event.isLost || random.next() & 1 == 0 else { return .possible }
      let isAdmitted = state.admits(at: moment, cost: event.units, &random)
      return isAdmitted || event.isLost ? .possible : .refused
    case .certain, .refused: return state.admits(at: moment, cost: event.units, &random) ? .certain : .refused
    }
  }
}

extension LimitStrength.WrongLimiter {
  fileprivate var number: Int { Self.allCases.firstIndex(of: self) ?? 0 }
}

/// Finds the keys that were admitted more often than the allowance within less than a window. A policy with windows
/// permits that around the end of one, and this searches for an end that excuses all of them.
///
/// L + 1 admissions decided within less than W need a window's end between the first and the last of them. For windows
/// that begin with a key's own request, the first end of a key is W after its first request, unless its window had
/// begun before the run. For windows aligned to a clock, one time of the cycle is within all of these spans, for every
/// key. Neither is proof against a single key with an unknown past. But such a limit does not pass either: two servers
/// with separate counters produce the same pattern.
struct WindowEdges {
  /// The number of keys with such a span.
  private(set) var exceedingKeys = 0
  /// Those of them whose window must have begun before the run.
  private(set) var keysWithAPast = 0
  /// True if windows aligned to a clock, the same for all keys, explain every span.
  private(set) var hasCommonEdge = true

  private static let spansRead = 400

  /// - Parameter tick: the maximum step of the server's clock, seconds.
  init(_ traces: [LimitTrace], allowance: Int, window: Double, tick: Double) {
    let margin = tick + window * LimitTerms.usualDrift + LimitTerms.slack
    var spans: [(from: Double, to: Double)] = []
    for trace in traces where !trace.mayMissRequests {
      let allowance = allowance + trace.excess
      guard trace.certainSent.count > allowance, let first = trace.requests.first?.sent else { continue }
      var isExceeding = false
      var needsPast = false
      for index in 0..<(trace.certainSent.count - allowance) {
        // The k-th decision lies between the k-th earliest sending and the k-th earliest response.
        let span = (from: trace.certainSent[index] - margin, to: trace.certainSettled[index + allowance] + margin)
        guard span.to - span.from < window else { continue }
        isExceeding = true
        needsPast = needsPast || span.to < first + window
        spans.append(span)
      }
      exceedingKeys += isExceeding ? 1 : 0
      keysWithAPast += needsPast ? 1 : 0
    }
    let stride = max(1, spans.count / Self.spansRead)
    let read = Swift.stride(from: 0, to: spans.count, by: stride).map { spans[$0] }
    hasCommonEdge =
      read.isEmpty
      || read.contains { candidate in
        read.allSatisfy { span in
          // An end at `candidate.to`, or whole windows from it.
          let ahead = (candidate.to - span.from).truncatingRemainder(dividingBy: window)
          return (ahead < 0 ? ahead + window : ahead) <= span.to - span.from
        }
      }
  }

  /// True if the admissions conform to the policy as far as its keys can be compared.
  func excuse(_ algorithm: LimitAlgorithm) -> Bool {
    switch algorithm {
    case .fixed: keysWithAPast == 0
    case .fixedAligned: hasCommonEdge
    case .any: keysWithAPast == 0 || hasCommonEdge
    // The rules of these algorithms have no such excuse.
    case .slidingLog, .slidingCounter, .tokenBucket: true
    }
  }
}
