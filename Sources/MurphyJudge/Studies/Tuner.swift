import Foundation
import MurphyModel

/// Computes the share of normal sessions that each rate limit throttles, and the requests that it admits for an abuser.
/// Selects one limit.
///
/// A pure function of a demand trace. O(policies · requests): 170,000 requests and some 240 policies take about a second
/// in a release build.
package struct Tuner: Sendable {
  let trace: DemandTrace
  let options: TunerOptions

  package init(_ trace: DemandTrace, options: TunerOptions = TunerOptions()) {
    self.trace = trace
    self.options = options
  }

  /// Deterministic for the same demand and options.
  package func run() -> TuneResult {
    var result = TuneResult(demand: trace.summary)
    for kind in [KeyedDemand.KeySource.address, .user] {
      let demand = KeyedDemand(trace, by: kind)
      var points: [TuneResult.Point] = []
      for algorithm in options.algorithms {
        var rows: [[Double]] = []
        for window in options.windows {
          let shares = shares(demand, algorithm, window)
          rows.append(shares)
          for (allowance, share) in zip(options.allowances, shares) {
            points.append(point(kind, algorithm, allowance, window, share))
          }
          result.curves.append(
            TuneResult.Curve(
              key: kind.rawValue, algorithm: algorithm.rawValue, window: window, allowances: options.allowances,
              satisfied: shares.map { 1 - $0 }))
        }
        result.heatMaps.append(
          TuneResult.HeatMap(
            key: kind.rawValue, algorithm: algorithm.rawValue, allowances: options.allowances,
            windows: options.windows, throttled: rows))
      }
      markFront(&points)
      result.points += points
      recommend(demand, points, &result)
    }
    for policy in options.declared + options.questions.map(\.policy) { result.outcomes.append(outcome(of: policy)) }
    replay(&result)
    result.timeline = timeline(result)
    describe(&result)
    return result
  }

  private func shares(_ demand: KeyedDemand, _ algorithm: LimitAlgorithm, _ window: Double) -> [Double] {
    if algorithm == .tokenBucket {
      return options.allowances.map {
        KeyedDemand.throttled(demand.burstNeeds(rate: Double($0) / window), allowance: $0)
      }
    }
    let needs = demand.needs(algorithm, window: window)
    return options.allowances.map { KeyedDemand.throttled(needs, allowance: $0) }
  }

  func point(
    _ kind: KeyedDemand.KeySource, _ algorithm: LimitAlgorithm, _ allowance: Int, _ window: Double, _ throttled: Double
  ) -> TuneResult.Point {
    TuneResult.Point(
      key: kind.rawValue, algorithm: algorithm.rawValue, allowance: allowance, window: window, throttled: throttled,
      abusePerMinute: AbuserGain.perMinute(algorithm, allowance: allowance, window: window),
      abusePerSecond: Double(allowance) / window)
  }

  /// Marks the points that no other point beats in both throttling and abuse.
  private func markFront(_ points: inout [TuneResult.Point]) {
    let order = points.indices.sorted {
      (points[$0].abusePerMinute, points[$0].throttled) < (points[$1].abusePerMinute, points[$1].throttled)
    }
    var least = Double.infinity
    for index in order where points[index].throttled < least - 1e-12 {
      least = points[index].throttled
      points[index].isOnFront = true
    }
  }

  /// The sessions with a rejection under a policy, by number.
  func throttledSessions(_ demand: KeyedDemand, _ algorithm: LimitAlgorithm, _ allowance: Int, _ window: Double)
    -> [Bool]
  {
    let needs =
      algorithm == .tokenBucket
      ? demand.burstNeeds(rate: Double(allowance) / window) : demand.needs(algorithm, window: window)
    return needs.map { $0 > Double(allowance) + 1e-9 }
  }

  /// The policy that admits the fewest requests of abusers while the upper bound of its throttled share meets the
  /// target.
  private func recommend(_ demand: KeyedDemand, _ points: [TuneResult.Point], _ result: inout TuneResult) {
    for target in options.targets {
      let candidates = points.filter { $0.throttled <= target }.sorted {
        ($0.abusePerMinute, $0.throttled) < ($1.abusePerMinute, $1.throttled)
      }
      for candidate in candidates {
        guard let algorithm = LimitAlgorithm(rawValue: candidate.algorithm) else { continue }
        let throttled = throttledSessions(demand, algorithm, candidate.allowance, candidate.window)
        let bound = ClusterBound.upper(throttled, of: trace, by: demand.kind, seed: options.seed)
        guard bound <= target else { continue }
        result.recommendations.append(
          TuneResult.Recommendation(
            point: candidate, upperBound: bound, target: target,
            sentence:
              "To throttle at most \(percent(target)) of sessions by \(demand.kind.rawValue), use \(text(candidate)). "
              + "It throttles \(percent(candidate.throttled)) (at most \(percent(bound)) with 95% confidence) and "
              + "gives an abuser \(number(candidate.abusePerMinute)) requests a minute per \(demand.kind.rawValue)."
          ))
        break
      }
      if result.recommendations.last?.target != target || result.recommendations.last?.point.key != demand.kind.rawValue
      {
        let needed = Int(saturating: (3 / target).rounded(.up))
        let noun = demand.kind == .user ? "users" : "addresses"
        result.sentences.append(
          trace.senders(demand.kind) < needed
            ? "No policy by \(demand.kind.rawValue) can be shown to throttle at most \(percent(target)): this needs "
              + "\(needed.text) \(noun), but the demand has \(trace.senders(demand.kind).text)."
            : "No policy tried by \(demand.kind.rawValue) throttles at most \(percent(target)).")
      }
    }
  }
}

/// The maximum that a policy admits for one key of an abuser, with the best times of requests.
enum AbuserGain {
  /// Admissions within the best 60 seconds.
  static func perMinute(_ algorithm: LimitAlgorithm, allowance: Int, window: Double) -> Double {
    let allowance = Double(allowance)
    let windows = ceil(60 / window)
    switch algorithm {
    case .slidingLog: return allowance * windows
    // The end of one window and the whole next one. For a sliding counter, a burst at the end loses weight as fast as
    // it fades.
    case .fixed, .fixedAligned, .slidingCounter, .any: return allowance * (windows + 1)
    case .tokenBucket: return allowance + 60 * allowance / window
    }
  }
}

/// The search range of the tuner, and its targets.
package struct TunerOptions: Sendable {
  /// In seconds.
  package var windows: [Double]
  /// Requests per window.
  package var allowances: [Int]
  /// The algorithms that are evaluated.
  package var algorithms: [LimitAlgorithm]
  /// The shares of normal sessions that may be throttled, one recommendation for each.
  package var targets: [Double]
  /// The scenario's policies: shown in the chart and evaluated.
  package var declared: [LimitPolicy]
  /// Policies that the user wants to be evaluated.
  package var questions: [WhatIf]
  /// The seed of the random samples.
  package var seed: UInt64

  package init(
    windows: [Double] = [1, 10, 60, 300],
    allowances: [Int] = [5, 10, 15, 20, 30, 40, 60, 80, 100, 150, 200, 300, 400, 600, 1000],
    algorithms: [LimitAlgorithm] = [.fixed, .slidingLog, .slidingCounter, .tokenBucket],
    targets: [Double] = [0.001, 0.01], declared: [LimitPolicy] = [], questions: [WhatIf] = [], seed: UInt64 = 1
  ) {
    self.windows = windows
    self.allowances = allowances
    self.algorithms = algorithms
    self.targets = targets
    self.declared = declared
    self.questions = questions
    self.seed = seed
  }
}

/// An upper 95 % bound for a share of sessions. The results of the sessions of one sender are correlated, so the senders
/// are the samples: addresses, or users for a limit of each user.
enum ClusterBound {
  /// The larger of two bounds. The bootstrap over senders is too small where few senders are throttled. So the share is
  /// also enlarged by the ratio of the exact bound (Clopper and Pearson) of the throttled senders to their share.
  static func upper(
    _ isThrottled: [Bool], of trace: DemandTrace, by kind: KeyedDemand.KeySource, seed: UInt64, resamples: Int = 300
  ) -> Double {
    let senders = kind == .user ? trace.userOfSession : trace.addressOfSession
    let clusters = trace.senders(kind)
    guard clusters > 0, trace.sessions > 0 else { return 1 }
    var counts = [Double](repeating: 0, count: clusters)
    var bad = [Double](repeating: 0, count: clusters)
    for (session, throttled) in isThrottled.enumerated() {
      counts[Int(senders[session])] += 1
      if throttled { bad[Int(senders[session])] += 1 }
    }
    let hit = bad.count { $0 > 0 }
    let exact = upperShare(hit, of: clusters)
    guard hit > 0 else { return exact }
    let share = bad.reduce(0, +) / Double(trace.sessions)
    var random = RandomSource(seed: seed, stream: 99)
    var shares: [Double] = []
    for _ in 0..<resamples {
      var all = 0.0
      var hit = 0.0
      for _ in 0..<clusters {
        let pick = Int(saturating: random.unit() * Double(clusters))
        all += counts[pick]
        hit += bad[pick]
      }
      shares.append(all > 0 ? hit / all : 0)
    }
    let bootstrap = shares.sorted()[min(shares.count - 1, Int(saturating: 0.95 * Double(shares.count)))]
    return min(1, max(bootstrap, share * exact * Double(clusters) / Double(hit)))
  }
}

extension DemandTrace {
  /// The number of senders whose results are independent.
  func senders(_ kind: KeyedDemand.KeySource) -> Int { kind == .user ? users : addresses }
}
