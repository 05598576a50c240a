import MurphyModel

extension LimitStrength {
  /// What it is worth that nothing contradicts a policy; nil without requests that it counts.
  ///
  /// - Parameter mostRequests: that are replayed; the run's policies share what time there is.
  init?(_ judged: JudgedPolicy, mostRequests: Int = ReplayedKeys.mostRequests) {
    let keys = ReplayedKeys(judged, mostRequests: mostRequests)
    guard !keys.keys.isEmpty else { return nil }
    let fit = LimitFit(judged, keys: keys)
    self.init(
      mutants: LimitExposure(judged, keys: keys).mutants(), allowances: fit.allowances(), windows: fit.windows(),
      alsoFits: fit.algorithms(), keys: keys.keys.count, keysOf: keys.count)
  }
}
