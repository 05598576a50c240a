import MurphyContract
import MurphyModel
import MurphyScenario

/// What a scenario and its contract say of rate limits, held against each other and against the refusals of a run.
package enum LimitExpectations {
  /// The policies to hold the API to: what the scenario promises, and what the contract documents besides.
  ///
  /// - Parameter timeScale: factor on every window, as an embedded reference API was started with.
  package static func policies(_ promised: [LimitExpectation], _ contract: Contract, timeScale: Double) -> [LimitPolicy]
  {
    let promised = promised.map(\.policy)
    let documented = LimitPolicy.documented(in: contract).filter { policy in !promised.contains { $0.says(policy) } }
    return (promised + documented).map { policy in
      var policy = policy
      policy.window = policy.window * timeScale
      return policy
    }
  }

  /// Where the scenario and the contract promise different things of one operation's limit.
  package static func contradictions(_ promised: [LimitExpectation], _ contract: Contract) -> [Finding] {
    let documented = LimitPolicy.documented(in: contract)
    return promised.map(\.policy).flatMap { promised in
      documented.filter { $0.isRival(of: promised) && !promised.agrees(with: $0) }.map { policy in
        Finding(
          kind: .limitContradiction, operation: promised.operations.first,
          message: "the scenario promises \(promised.text), but the contract documents \(policy.text)",
          details: ["One of the two is wrong: mend the scenario's expect.limits or the contract's x-ratelimit."])
      }
    }
  }

  /// Refusals that ask clients to wait for longer than the scenario's `longest-wait` of their policy.
  ///
  /// Only whole seconds are compared: what else `Retry-After` may hold, the limit judge looks at.
  package static func overlongWaits(_ expectations: [LimitExpectation], _ log: LimitLog) -> [Finding] {
    expectations.compactMap { expectation in
      guard let longest = expectation.longestWait else { return nil }
      let waits = log.observations.compactMap { observation -> (wait: Double, at: Double)? in
        guard expectation.policy.covers(log.operations[Int(observation.operation)]), observation.headers >= 0 else {
          return nil
        }
        let headers = log.headerSets[Int(observation.headers)]
        guard expectation.policy.refuses(status: Int(observation.status), headers: headers),
          let text = headers.first(where: { $0.name == "retry-after" })?.value, let wait = Double(text),
          wait > longest.inSeconds
        else { return nil }
        return (wait, Double(observation.sent - log.start) / 1e9)
      }
      guard let first = waits.first, let last = waits.last, let most = waits.map(\.wait).max() else { return nil }
      return Finding(
        kind: .limitLongWait, operation: expectation.policy.operations.first,
        message:
          "refusals ask for waits of up to \(Duration.saturating(seconds: most).text), expected at most \(longest.text)",
        count: waits.count, firstSeen: first.at, lastSeen: last.at, discriminator: expectation.policy.name)
    }
  }
}

extension LimitPolicy {
  /// Whether this policy makes `other` redundant.
  func says(_ other: LimitPolicy) -> Bool {
    if other.keyIsAssumed, allowance == other.allowance, window == other.window {
      // The same limit, and this one says by what it counts.
      return other.operations.allSatisfy(covers)
        && (algorithm == other.algorithm || other.algorithm == .any)
    }
    return agrees(with: other) && algorithm == other.algorithm && Set(operations) == Set(other.operations)
  }

  /// Whether both limit an operation by the same key.
  func isRival(of other: LimitPolicy) -> Bool {
    key == other.key && operations.contains(where: other.operations.contains)
  }

  func agrees(with other: LimitPolicy) -> Bool {
    allowance == other.allowance && window == other.window && key == other.key
      && (algorithm == other.algorithm || algorithm == .any || other.algorithm == .any)
  }
}

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
