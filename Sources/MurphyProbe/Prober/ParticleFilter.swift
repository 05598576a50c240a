import Foundation
import MurphyJudge
import MurphyModel

/// Weighs limiters by how well each reproduces the admissions, cluster by cluster.
///
///     weight = prior volume · exp(− Σ min(5, distance of the admissions observed from those that the limiter can give))
///
/// A cluster ends with a pause of 30 ms: within one, delays may reorder decisions; between two they hardly can. The
/// exact time of a decision in [sent, settled] is unknown. So each cluster is replayed with decisions early, halfway
/// and late in the rides. A limiter is compared with the best of these. A long ride leaves the decision time almost
/// unknown. It is then no evidence against any limiter, and the question is repeated.
///
/// After a ride of half a window or more, the window of a decision is unknown. Such a cluster is ignored. So are later
/// clusters until a limiter no longer depends on it. That takes two windows, or a pause of one window if windows begin
/// with a request.
struct ParticleFilter {
  private static let pause = 0.03
  private static let worstMisfit = 3.0
  /// Particles whose logarithmic weight is this much lower than the best have no share.
  private static let mostApart = 20.0
  /// A ride of this length allows more than one history, in seconds.
  private static let longRide = 0.01
  /// The maximum number of parallel histories.
  private static let mostHistories = 8
  /// The possible decision times in the ride: halfway, or this long after its beginning or before its end.
  private static let margin = 1e-3
  private static func moments(_ sent: Double, _ settled: Double) -> [Double] {
    let ride = settled - sent
    let margin = min(margin, ride / 4)
    return [sent + ride / 2, sent + margin, settled - margin, sent + ride / 4, settled - ride / 4]
  }

  /// Rides from this length on leave everything undecided: as a part of the shortest likely window, and in seconds.
  private static let frozen = (part: 0.5, least: 0.25)

  private struct Cluster {
    /// In seconds: the first send, the last response and the longest ride of one request.
    var start: Double
    var end: Double
    var longestRide = 0.0
    /// Decision times, ascending: halfway, early and late.
    var moments: [[Double]]
    var admitted = 0.0
    var isDistorted = false
  }

  private struct History {
    var limiter: LimiterModel
    var misfit: Double
  }

  /// The clusters of each client: each has its own counter.
  private let clients: [[Cluster]]

  init(_ clients: [[ProbeEvidence.Decided]]) { self.clients = clients.map(Self.clusters) }

  private static func clusters(_ requests: [ProbeEvidence.Decided]) -> [Cluster] {
    let ordered = requests.filter(\.isCertain).sorted { $0.sent < $1.sent }
    var clusters: [Cluster] = []
    var last: Double?
    for request in ordered {
      if last.map({ request.sent - $0 > pause }) ?? true {
        clusters.append(Cluster(start: request.sent, end: request.settled, moments: [[], [], [], [], []]))
      }
      last = request.sent
      let ride = request.settled - request.sent
      clusters[clusters.count - 1].end = max(clusters[clusters.count - 1].end, request.settled)
      clusters[clusters.count - 1].longestRide = max(clusters[clusters.count - 1].longestRide, ride)
      for (index, moment) in moments(request.sent, request.settled).enumerated() {
        clusters[clusters.count - 1].moments[index].append(moment)
      }
      if request.admitted { clusters[clusters.count - 1].admitted += 1 }
      if ride > longRide { clusters[clusters.count - 1].isDistorted = true }
    }
    // The clock of a limiter never goes back, in any order of readings.
    var latest = -Double.infinity
    for index in clusters.indices {
      var end = latest
      for fraction in clusters[index].moments.indices {
        clusters[index].moments[fraction].sort()
        for position in clusters[index].moments[fraction].indices {
          clusters[index].moments[fraction][position] = max(latest, clusters[index].moments[fraction][position])
        }
        end = fraction == 0 ? clusters[index].moments[0].last ?? end : end
      }
      latest = end
    }
    return clusters
  }

  /// The few best particles of each range of windows, weighted; at most about 200 per hypothesis.
  func weigh(_ particles: [ProbeParticle]) -> [ProbeParticle] {
    var weighed: [ProbeParticle] = []
    var best = -Double.infinity
    let frozen = frozenRide(particles)
    for hypothesis in ProbeHypothesis.allCases {
      for particle in Self.thin(particles.filter { $0.hypothesis == hypothesis }) {
        var particle = particle
        // A much worse particle than the best is removed below.
        let worst = log(particle.weight) - best + Self.mostApart
        var sum = 0.0
        for client in clients where sum < worst { sum += misfit(particle, client, frozen, below: worst - sum) }
        guard sum < worst else { continue }
        particle.weight *= exp(-sum)
        best = max(best, log(particle.weight))
        weighed.append(particle)
      }
    }
    let total = weighed.reduce(0) { $0 + $1.weight }
    guard total > 0 else { return [] }
    return weighed.compactMap { particle in
      var particle = particle
      particle.weight /= total
      return particle.weight > 1e-7 ? particle : nil
    }
  }

  /// The shortest ride after which a cluster is ignored, in seconds: from the shortest tenth of the windows.
  private func frozenRide(_ particles: [ProbeParticle]) -> Double {
    let windows = particles.map { (value: $0.window, weight: $0.weight) }.sorted { $0.value < $1.value }
    guard !windows.isEmpty else { return Self.frozen.least }
    return max(Self.frozen.least, Self.frozen.part * quantile(0.1, of: windows))
  }

  /// - Parameter worst: a misfit of this size or more need not be exact.
  private func misfit(
    _ particle: ProbeParticle, _ clusters: [Cluster], _ frozen: Double, below worst: Double
  ) -> Double {
    var histories = [History(limiter: particle.limiter(), misfit: 0)]
    /// The last response of an ignored cluster that may still affect the limiter; nil if there is none.
    var unclear: Double?
    var last = -Double.infinity
    for cluster in clusters {
      if cluster.longestRide >= frozen {
        unclear = max(unclear ?? cluster.end, cluster.end)
      } else if let end = unclear {
        let isForgotten =
          particle.hypothesis == .fixed
          ? cluster.start - last > 1.02 * particle.window : cluster.start - end > 2.04 * particle.window
        if isForgotten { unclear = nil }
      }
      last = max(last, cluster.end)
      if unclear == nil {
        histories = Self.follow(histories, through: cluster)
        if histories.allSatisfy({ $0.misfit >= worst }) { break }
      } else {
        histories = Self.carry(histories, through: cluster)
      }
    }
    return histories.map(\.misfit).min() ?? 0
  }

  /// Continues the histories through an ignored cluster.
  private static func carry(_ histories: [History], through cluster: Cluster) -> [History] {
    guard var history = histories.min(by: { $0.misfit < $1.misfit }) else { return histories }
    _ = history.limiter.admissions(at: cluster.moments[0])
    return [history]
  }

  private static func follow(_ histories: [History], through cluster: Cluster) -> [History] {
    var next: [History] = []
    for history in histories {
      var nearest: History?
      for moments in cluster.moments {
        var limiter = history.limiter
        let admitted = Double(limiter.admissions(at: moments))
        let apart = (admitted - cluster.admitted).magnitude
        let followed = History(limiter: limiter, misfit: history.misfit + min(apart, worstMisfit))
        if cluster.isDistorted {
          next.append(followed)
        } else {
          if followed.misfit < nearest?.misfit ?? .infinity { nearest = followed }
          if apart == 0 { break }
        }
      }
      if let nearest { next.append(nearest) }
    }
    guard next.count > 1 else { return next }
    next.sort { $0.misfit < $1.misfit }
    var kept: [History] = []
    for history in next where history.misfit < next[0].misfit + worstMisfit && kept.count < mostHistories {
      // Histories with equal final states have equal continuations.
      if !kept.contains(where: { $0.limiter == history.limiter }) { kept.append(history) }
    }
    return kept
  }

  /// Keeps the heaviest of adjacent windows and adds the weight of the removed ones.
  private static func thin(_ particles: [ProbeParticle]) -> [ProbeParticle] {
    guard let first = particles.first else { return [] }
    let perGroup = first.hypothesis == .aligned ? 3 : 6
    var groups: [Int: [ProbeParticle]] = [:]
    for particle in particles {
      groups[Int(saturating: (log(particle.scale) * 1e6).rounded()), default: []].append(particle)
    }
    let keys = groups.keys.sorted()
    let step = keys.count > 80 ? (keys.count + 79) / 80 : 1
    var kept: [ProbeParticle] = []
    for start in stride(from: 0, to: keys.count, by: step) {
      let group = keys[start..<min(start + step, keys.count)].flatMap { groups[$0]! }.sorted { $0.weight > $1.weight }
      let total = group.reduce(0) { $0 + $1.weight }
      let chosen = group.prefix(perGroup)
      let part = chosen.reduce(0) { $0 + $1.weight }
      kept += chosen.map { particle in
        var particle = particle
        particle.weight *= total / part
        return particle
      }
    }
    return kept
  }
}

/// The first value at which this share of the total weight is reached.
///
/// - Parameter values: ascending, at least one.
func quantile(_ share: Double, of values: [(value: Double, weight: Double)]) -> Double {
  let total = values.reduce(0) { $0 + $1.weight }
  var sum = 0.0
  for (value, weight) in values {
    sum += weight
    if sum >= share * total { return value }
  }
  return values[values.count - 1].value
}

/// One possible limiter with its probability.
struct ProbeParticle: Sendable {
  var hypothesis: ProbeHypothesis
  var allowance: Int
  /// In seconds; for a bucket the time to fill.
  var window: Double
  var phase: Double
  var weight: Double

  /// The property that distinguishes particles of one hypothesis: the window, or a bucket's interval.
  var scale: Double { hypothesis == .bucket ? window / Double(allowance) : window }

  func limiter() -> LimiterModel {
    LimiterModel(
      hypothesis.algorithm, allowance: allowance, window: window, phase: phase,
      countsRefused: hypothesis == .logCountingRefused)
  }
}

/// The summary of the particles: the hypothesis, and its allowance and window.
struct ProbePosterior {
  let shares: [(hypothesis: ProbeHypothesis, share: Double)]
  let allowance: (low: Int, middle: Int, high: Int)
  /// All allowances that are not improbable under the best hypothesis.
  let possibleAllowances: ClosedRange<Int>
  let window: (low: Double, middle: Double, high: Double)
  /// The time for one token of a bucket.
  let interval: Double

  init?(_ particles: [ProbeParticle]) {
    var sums: [ProbeHypothesis: Double] = [:]
    for particle in particles { sums[particle.hypothesis, default: 0] += particle.weight }
    shares = sums.sorted { ($0.value, $1.key.rawValue) > ($1.value, $0.key.rawValue) }
      .map { (hypothesis: $0.key, share: $0.value) }
    guard let best = shares.first?.hypothesis else { return nil }
    let of = particles.filter { $0.hypothesis == best }
    func quantiles(_ value: (ProbeParticle) -> Double) -> (Double, Double, Double) {
      let sorted = of.map { (value: value($0), weight: $0.weight) }.sorted { $0.value < $1.value }
      return (quantile(0.05, of: sorted), quantile(0.5, of: sorted), quantile(0.95, of: sorted))
    }
    let allowances = quantiles { Double($0.allowance) }
    allowance = (Int(allowances.0), Int(allowances.1), Int(allowances.2))
    let likely = of.filter { $0.weight > 1e-3 * (of.map(\.weight).max() ?? 0) }.map(\.allowance)
    possibleAllowances = min(likely.min() ?? allowance.low, allowance.low)...max(likely.max() ?? 0, allowance.high)
    window = quantiles { $0.window }
    interval = quantiles { $0.window / Double($0.allowance) }.1
  }

  var best: ProbeHypothesis { shares[0].hypothesis }

  /// True if further questions are not worthwhile.
  func isSettled(confidence: Double) -> Bool {
    shares[0].share >= confidence && window.high / window.low < 1.039
      && Double(allowance.high - allowance.low) <= 0.02 * Double(allowance.middle)
  }
}

/// The six kinds of limiter that a probe distinguishes.
package enum ProbeHypothesis: Int, Sendable, CaseIterable, Hashable {
  case aligned, fixed, log, logCountingRefused, counter, bucket

  /// The algorithm that a scenario would declare.
  package var algorithm: LimitAlgorithm {
    switch self {
    case .aligned: .fixedAligned
    case .fixed: .fixed
    case .log, .logCountingRefused: .slidingLog
    case .counter: .slidingCounter
    case .bucket: .tokenBucket
    }
  }

  /// For people.
  package var text: String { self == .logCountingRefused ? "sliding log that counts refusals" : algorithm.text }
}
