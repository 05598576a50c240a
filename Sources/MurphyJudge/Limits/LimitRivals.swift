/// Other limits that may have rejected requests instead of one limit.
///
/// A rejection that only an unverified limit explains does not excuse another limit: it proves nothing against the
/// limit in question, and the limit does not pass with it either.
struct LimitRivals {
  /// The limits that explain rejections which the limit also explains.
  private(set) var sharing: [String] = []
  /// Rejections that both the limit and one of them explain.
  private(set) var shared = 0
  /// Rejections that the limit cannot explain, and that only limits explain which this run did not verify.
  private(set) var unverified = 0
  /// Those limits.
  private(set) var suspects: [String] = []

  init() {}

  /// - Parameter isVerified: true if a limit was reached and held on rejections that only it explains.
  init(of policy: JudgedPolicy, among others: [JudgedPolicy], isVerified: [Bool]) {
    guard policy.isShared else { return }
    for key in policy.keys {
      for refusal in key.trace.refused.lazy.map({ key.trace.requests[$0].id }) {
        let explaining = others.indices.filter { others[$0].explains(refusal) }
        if !policy.unexplained.contains(refusal) {
          if !explaining.isEmpty { shared += 1 }
          addNames(of: explaining.map { others[$0] }, to: &sharing)
        } else if !explaining.isEmpty, !explaining.contains(where: { isVerified[$0] }) {
          unverified += 1
          addNames(of: explaining.map { others[$0] }, to: &suspects)
        }
      }
    }
  }

  private func addNames(of limits: [JudgedPolicy], to names: inout [String]) {
    for limit in limits {
      let name = "\(limit.policy.name) (\(limit.policy.text))"
      if !names.contains(name) { names.append(name) }
    }
  }
}

extension JudgedPolicy {
  /// True if a rejection of an operation that this policy shares may be its own.
  func explains(_ refusal: Int) -> Bool { covers(refusal) && !unexplained.contains(refusal) }

  /// The policies that count some of the same requests in another way.
  func rivals(among all: [JudgedPolicy]) -> [JudgedPolicy] {
    all.filter { $0.policy.overlaps(policy) && !$0.policy.hasSizeAndKey(of: policy) }
  }
}
