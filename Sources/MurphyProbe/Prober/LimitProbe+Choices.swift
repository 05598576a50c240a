import MurphyContract
import MurphyJudge
import MurphyModel
import MurphyScenario

extension LimitProbe {
  /// The limits to probe: those that scenario and contract declare, or the named operation.
  ///
  /// - Throws: `GateError.usage` if there is none.
  func choices() throws(GateError) -> [ProbeChoice] {
    let policies = LimitExpectations.policies(scenario.expectations.limits, contract, timeScale: timeScale)
    var choices: [ProbeChoice] = []
    if let name = options.operation {
      guard let operation = contract.index(of: name) else {
        let near = didYouMean(name, among: contract.operations.map(\.id))
        throw .usage("no operation of \(contract.file) is named \"\(name)\".\(near)")
      }
      let id = contract.operations[operation].id
      choices = policies.filter { $0.covers(id) }.map {
        ProbeChoice(operation: operation, policy: $0, name: $0.name)
      }
      if choices.isEmpty { choices = [ProbeChoice(operation: operation, policy: nil, name: id)] }
    } else {
      choices = policies.compactMap { policy in
        callable(policy).map { ProbeChoice(operation: $0, policy: policy, name: policy.name) }
      }
    }
    if !options.isBlackBox { choices = marked(choices, policies) }
    guard !choices.isEmpty else {
      throw .usage(
        "no limit is declared: neither expect.limits in \(scenario.file) nor x-ratelimit in \(contract.file) has one. If the scenario suggests a limit as a comment, remove the #. Or use --operation NAME to probe an operation as a black box."
      )
    }
    if options.isBlackBox {
      var seen: Set<Int> = []
      return choices.filter { seen.insert($0.operation).inserted }.map {
        ProbeChoice(operation: $0.operation, policy: nil, name: $0.name)
      }
    }
    // The announcements in responses decide later if the window is measured or taken from the declaration.
    for index in choices.indices {
      let id = contract.operations[choices[index].operation].id
      choices[index].rivals = policies.filter { other in
        other.covers(id) && !other.isConcurrent
          && choices[index].policy.map { $0 != other && !$0.repeats(other) } ?? false
      }
      guard let window = choices[index].policy?.window else { continue }
      choices[index].isWindowTooLong = window * ProbeChoice.windowsNeeded > options.time
    }
    return choices
  }

  /// The operation for probing a policy: the first that a session calls, otherwise the first of all.
  private func callable(_ policy: LimitPolicy) -> Int? {
    let indices = contract.operations.indices.filter { policy.covers(contract.operations[$0].id) }
    // A policy for the whole API is probed with an operation that changes nothing.
    if policy.operations.isEmpty, let reading = indices.first(where: { contract.operations[$0].method == "GET" }) {
      return reading
    }
    return policy.operations.lazy.compactMap { contract.index(of: $0) }.first ?? indices.first
  }
}
