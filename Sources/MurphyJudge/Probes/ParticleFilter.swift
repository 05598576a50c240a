import Foundation

/// Weighs limiters by how well each reproduces what was admitted, cluster of requests by cluster.
///
///     weight = prior volume · exp(− Σ min(5, |admitted observed − admitted by the limiter at (sent + settled) / 2|))
///
/// A cluster ends with a pause of 30 ms: within one, delays may reorder decisions, between two they hardly can.
struct ParticleFilter {
  private static let pause = 0.03
  private static let worstMisfit = 5.0

  private let moments: [(at: Double, cluster: Int)]
  private let observed: [Double]

  init(_ requests: [ProbeEvidence.Decided]) {
    let ordered = requests.sorted { $0.sent < $1.sent }
    var cluster = 0
    var moments: [(at: Double, cluster: Int)] = []
    var observed = [0.0]
    var last: Double?
    for request in ordered {
      if let last, request.sent - last > Self.pause {
        cluster += 1
        observed.append(0)
      }
      last = request.sent
      moments.append(((request.sent + request.settled) / 2, cluster))
      if request.admitted { observed[cluster] += 1 }
    }
    self.moments = moments.sorted { $0.at < $1.at }
    self.observed = observed
  }

  /// The few best particles of each stretch of windows, weighted; at most about 200 per hypothesis.
  func weigh(_ particles: [ProbeParticle]) -> [ProbeParticle] {
    var weighed: [ProbeParticle] = []
    for hypothesis in ProbeHypothesis.allCases {
      for particle in Self.thin(particles.filter { $0.hypothesis == hypothesis }) {
        var particle = particle
        particle.weight *= exp(-misfit(particle))
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

  private func misfit(_ particle: ProbeParticle) -> Double {
    var limiter = particle.limiter()
    var admitted = [Double](repeating: 0, count: observed.count)
    for moment in moments where limiter.admits(at: moment.at) { admitted[moment.cluster] += 1 }
    var sum = 0.0
    for index in observed.indices { sum += min((admitted[index] - observed[index]).magnitude, Self.worstMisfit) }
    return sum
  }

  /// Keeps the heaviest of neighbouring windows and gives them the weight of those left out.
  private static func thin(_ particles: [ProbeParticle]) -> [ProbeParticle] {
    guard let first = particles.first else { return [] }
    let perGroup = first.hypothesis == .aligned || first.hypothesis == .counter ? 3 : 2
    var groups: [Int: [ProbeParticle]] = [:]
    for particle in particles { groups[Int((log(particle.scale) * 1e6).rounded()), default: []].append(particle) }
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
