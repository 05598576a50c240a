extension CallStep {
  /// What the user does after an answer with this status.
  ///
  /// What `on:` says counts first, then `expect: status` and `on-failure`; else a 429 does not end a session and any
  /// other status from 400 up does.
  package func reaction(to status: Int) -> Reaction {
    for (trigger, reaction) in reactions {
      if case .status(let pattern) = trigger, pattern.matches(status) { return reaction }
    }
    if checks.expects(status) { return .proceed }
    if checks.refuses(status), checks.onFailure == .proceed { return .proceed }
    return status >= 400 && status != 429 ? .end : .proceed
  }

  /// What the user does when no complete answer came; leaving unless `on: error` says otherwise.
  package var reactionToTransportFailure: Reaction {
    for (trigger, reaction) in reactions where trigger == .transport { return reaction }
    return .end
  }

  /// Whether `on:` itself says that the user leaves after this status, as a part of the script.
  package func scriptsEnd(at status: Int) -> Bool {
    for (trigger, reaction) in reactions {
      if case .status(let pattern) = trigger, pattern.matches(status) { return reaction == .end }
    }
    return false
  }

  /// The same of a request that got no complete answer.
  package var scriptsEndAtTransportFailure: Bool {
    reactions.first { $0.trigger == .transport }?.reaction == .end
  }

  /// Whether values are saved from an answer with this status: 2xx and the statuses `expect:` names.
  package func savesFrom(_ status: Int) -> Bool {
    (200...299).contains(status) || checks.names(status)
  }
}
