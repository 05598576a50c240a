import MurphyContract
import MurphyModel

extension LimitPolicy {
  /// The policies that the contract's `x-ratelimit` extensions state, one for each shared counter.
  ///
  /// An operation that only documents a 429 promises no size, so there is nothing to hold it to.
  package static func documented(in contract: Contract) -> [LimitPolicy] {
    var policies: [LimitPolicy] = []
    var places: [String: Int] = [:]
    for operation in contract.operations {
      for limit in operation.documentedLimits {
        guard let allow = limit.allow, let per = limit.per else { continue }
        let name = limit.policy ?? operation.id
        let counter = "\(name) \(allow) \(per)"
        if let place = places[counter] {
          policies[place].operations.append(operation.id)
          continue
        }
        places[counter] = policies.count
        var policy = LimitPolicy(
          name: name, operations: [operation.id], algorithm: LimitAlgorithm(documented: limit.algorithm),
          allowance: allow, window: per, key: limit.key ?? .sourceAddress, declaredBy: .contract)
        policy.keyIsAssumed = limit.key == nil
        policies.append(policy)
      }
    }
    return policies
  }
}

extension LimitAlgorithm {
  fileprivate init(documented name: String?) {
    self = name.flatMap(LimitAlgorithm.init(rawValue:)) ?? .any
  }
}
