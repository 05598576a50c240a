import MurphyContract
import MurphyModel
import MurphyScenario

/// Checks the rate limits of a scenario and its contract against each other and against the rejections of a run.
package enum LimitExpectations {
  /// The policies to check the API against: those of the scenario, and those of the contract that none of them
  /// replaces.
  ///
  /// - Parameter timeScale: the factor on every window, as set at the start of an embedded reference API.
  package static func policies(_ promised: [LimitExpectation], _ contract: Contract, timeScale: Double) -> [LimitPolicy]
  {
    let documented = LimitPolicy.documented(in: contract).filter { policy in
      !promised.contains { $0.replaces(policy) || $0.policy.says(policy) }
    }
    return (promised.map(\.policy) + documented).map { policy in
      var policy = policy
      policy.window = policy.window * timeScale
      return policy
    }
  }

  /// Limits of the contract that a limit of the scenario replaces and that differ from it.
  package static func contradictions(_ promised: [LimitExpectation], _ contract: Contract) -> [Finding] {
    let documented = LimitPolicy.documented(in: contract)
    return promised.flatMap { expectation in
      let policy = expectation.policy
      return documented.filter { expectation.replaces($0) && !policy.agrees(with: $0) }.map { other in
        Finding(
          kind: .limitContradiction, operation: policy.operations.first,
          message: "the scenario says \(policy.text), but the contract says \(other.text): murphy checks only the "
            + "scenario's limit",
          details: [
            "The contract's limit \(other.name) covers \(other.operations.joined(separator: ", ")). The scenario's "
              + "limit \(policy.name) covers \(policy.operations.joined(separator: ", ")).",
            "Correct the wrong limit. If both limits apply, set `also: true` in the scenario's limit.",
          ], discriminator: other.notation)
      }
    }
  }

  /// Rejections that require clients to wait for longer than the scenario's `longest-wait` of their policy.
  ///
  /// Only whole seconds are compared: the limit judge checks all other values of `Retry-After`.
  package static func overlongWaits(_ expectations: [LimitExpectation], _ log: LimitLog) -> [Finding] {
    expectations.compactMap { expectation in
      guard let longest = expectation.longestWait else { return nil }
      let waits = log.observations.compactMap { observation -> (wait: Duration, at: Duration)? in
        guard expectation.policy.covers(log.operations[Int(observation.operation)]), observation.headers >= 0,
          expectation.policy.rejects(observation, in: log),
          let text = log.headerSets[Int(observation.headers)].first(where: { $0.name == "retry-after" })?.value,
          case .seconds(let seconds)? = RetryAfter(text),
          case let wait = Duration.saturating(seconds: Double(seconds)), wait > longest
        else { return nil }
        return (wait, .nanoseconds(observation.sent - log.start))
      }
      guard let first = waits.first, let last = waits.last, let most = waits.map(\.wait).max() else { return nil }
      return Finding(
        kind: .limitLongWait, operation: expectation.policy.operations.first,
        message:
          "rejections require waits of up to \(most.text), but the scenario allows at most \(longest.text)",
        count: waits.count, firstSeen: first.at, lastSeen: last.at, discriminator: expectation.policy.name)
    }
  }
}

extension LimitExpectation {
  /// True if it replaces a limit of the contract: it names one of its operations. A limit of the whole API (`*`) and one
  /// on requests in flight are one more counter.
  func replaces(_ documented: LimitPolicy) -> Bool {
    !isAlso && !policy.isConcurrent && policy.operations.contains(where: documented.operations.contains)
  }
}

extension LimitLog {
  /// The log in which requests that deviate from an operation have the name of that operation, whose limits count them.
  package func counting(_ contract: Contract) -> LimitLog {
    let owners = Dictionary(contract.operations.compactMap { one in one.countsAs.map { (one.id, $0) } }) { $1 }
    guard !owners.isEmpty else { return self }
    var log = self
    for (index, name) in operations.enumerated() {
      guard let owner = owners[name] else { continue }
      log.operations[index] = owner
      log.departures.insert(UInt32(index))
    }
    return log
  }
}

extension LimitPolicy {
  /// True if this policy makes `other` redundant.
  func says(_ other: LimitPolicy) -> Bool {
    if other.keyIsAssumed, allowance == other.allowance, window == other.window {
      // The same limit, and this one declares its key.
      return other.operations.allSatisfy(covers)
        && (algorithm == other.algorithm || other.algorithm == .any)
    }
    return key == other.key && agrees(with: other) && algorithm == other.algorithm
  }

  /// True if both declare the same for the same operations, where both declare a value.
  func agrees(with other: LimitPolicy) -> Bool {
    allowance == other.allowance && window == other.window && (key == other.key || other.keyIsAssumed)
      && (algorithm == other.algorithm || algorithm == .any || other.algorithm == .any)
      && Set(operations) == Set(other.operations)
  }

  /// The policies that the contract's `x-ratelimit` extensions declare, one for each shared counter.
  ///
  /// An operation that only documents a 429 declares no size, so there is nothing to check.
  package static func documented(in contract: Contract) -> [LimitPolicy] {
    var policies: [LimitPolicy] = []
    var places: [String: Int] = [:]
    for operation in contract.operations where operation.countsAs == nil {
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

extension JudgedPolicy {
  /// The other terms of the policy. Each passes only where this traffic would have revealed a limiter that violates it.
  ///
  /// - Parameter strength: the sensitivity of this traffic; nil where the log cannot determine it.
  func claims(_ strength: LimitStrength?) -> [LimitTest] {
    LimitTest.Name.allCases.compactMap { name in
      guard !name.isSeen, name != .race, let (isShown, sentence) = claim(name, strength) else { return nil }
      return LimitTest(
        test: name, outcome: isShown ? .kept : .notTested, sentence: sentence, required: policy.requires(name.aspect))
    }
  }

  /// Nil for a term that the policy does not contain.
  private func claim(_ name: LimitTest.Name, _ strength: LimitStrength?) -> (isShown: Bool, sentence: String)? {
    if let wrong = name.wrong {
      guard wrong.isWrong(for: policy) else { return nil }
      guard let strength else { return (false, Self.unknown) }
      let exposure = strength.mutants.first { $0.limiter == wrong }?.exposure ?? .not
      let adverb = exposure == .surely ? "" : exposure == .perhaps ? "not always " : "not "
      return (exposure == .surely, "a limiter with \(wrong.text) would \(adverb)have been detected")
    }
    guard policy.algorithm != .any else { return nil }
    guard let others = strength?.alsoFits else { return (false, Self.unknown) }
    guard let last = others.last else { return (true, "no other algorithm matches with this quota and window") }
    let list = others.dropLast().map(\.text).joined(separator: ", ")
    return (
      false, list.isEmpty ? "\(last.text) also matches" : "\(list) and \(last.text) also match"
    )
  }

  private static let unknown = "not measured in this run"
}

extension LimitProof.Violation {
  /// The test that such a proof fails.
  var test: LimitTest.Name {
    switch self {
    case .overAdmission: .reached
    case .overThrottling: .held
    case .contradictory: .renewed
    }
  }
}

extension [LimitTest] {
  /// `Seen: reached, held. Not tested: renewed (no refused key was admitted again).`
  var text: String {
    // Without a rejection, the first sentence is sufficient.
    if let first, allSatisfy({ $0.outcome == .notTested || !$0.test.isSeen }) {
      return "Not tested: \(first.sentence)."
    }
    func list(_ outcome: LimitTest.State, _ label: String, isSeen: Bool? = nil) -> String? {
      let some = filter { $0.outcome == outcome && (isSeen ?? $0.test.isSeen) == $0.test.isSeen }
      guard !some.isEmpty else { return nil }
      return "\(label): " + some.map { "\($0.test.text) (\($0.sentence))" }.joined(separator: ", ") + "."
    }
    return [
      list(.broken, "Failed"), list(.kept, "Seen", isSeen: true), list(.kept, "Checked", isSeen: false),
      list(.notTested, "Not tested"),
    ].compactMap(\.self).joined(separator: " ")
  }
}
