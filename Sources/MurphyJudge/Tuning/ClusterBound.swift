import MurphyModel

/// An upper 95 % bound for a share of sessions, from resampling addresses: sessions of one address rise and fall
/// together. Never below the rule of three, 3 / addresses.
enum ClusterBound {
  static func upper(_ isThrottled: [Bool], of trace: DemandTrace, seed: UInt64, resamples: Int = 300) -> Double {
    let clusters = trace.addresses
    guard clusters > 0, trace.sessions > 0 else { return 1 }
    var counts = [Double](repeating: 0, count: clusters)
    var bad = [Double](repeating: 0, count: clusters)
    for (session, throttled) in isThrottled.enumerated() {
      let address = Int(trace.addressOfSession[session])
      counts[address] += 1
      if throttled { bad[address] += 1 }
    }
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
    let bound = shares.sorted()[min(shares.count - 1, Int(saturating: 0.95 * Double(shares.count)))]
    return min(1, max(bound, 3 / Double(clusters)))
  }
}
