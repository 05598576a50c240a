import MurphyModel

extension Scenario {
  /// The same scenario with one session, which repeats one call: its steps before the call, and then the call in turns.
  ///
  /// - Parameters:
  ///   - operation: the operationId of the call.
  ///   - bursts: the sizes of the bursts in a turn. The requests of a burst are sent at the same time.
  ///   - turns: the maximum number of turns of each user.
  ///   - pause: the time after each burst.
  ///   - load: the users, with one session each.
  /// - Returns: nil if no session calls the operation and expects success.
  package func repeating(
    _ operation: String, bursts: [Int], turns: Int, pause: Duration, load: ClosedLoad
  ) -> Scenario? {
    for session in sessions {
      guard let (before, call) = Self.call(of: operation, in: session.steps) else { continue }
      let turn = bursts.flatMap { size in
        [
          Step.burst(BurstStep(count: .constant(size), over: .zero, steps: [.call(call)])),
          .think(.drawn(.constant(pause.inSeconds))),
        ]
      }
      var scenario = self
      scenario.sessions = [session]
      scenario.sessions[0].steps = before + [.loop(LoopStep(count: .constant(turns), steps: turn))]
      scenario.load = .closed(load)
      return scenario
    }
    return nil
  }

  /// The first call that expects success, and the steps before it without the think times.
  private static func call(of operation: String, in steps: [Step]) -> (before: [Step], call: Call)? {
    var before: [Step] = []
    for step in steps {
      switch step {
      case .call(let call) where call.succeeds(with: operation): return (before, call)
      case .type(let typing) where typing.call.succeeds(with: operation): return (before, typing.call)
      case .think: continue
      default:
        if let inner = call(of: operation, in: step.nested) { return (before + inner.before, inner.call) }
      }
      before.append(step)
    }
    return nil
  }
}

extension Call {
  fileprivate func succeeds(with operation: String) -> Bool {
    step.operation.id == operation && (step.checks.statuses.isEmpty || (200..<400).contains(where: names))
  }
}
