import MurphyModel

/// One step of a session. Steps are values; the engine executes them.
package indirect enum Step: Sendable {
  case call(Call)
  case think(ThinkStep)
  case loop(LoopStep)
  case type(TypeStep)
  case burst(BurstStep)
  case branch(BranchStep)
  case choice(ChoiceStep)
  case group(GroupStep)
  case offline(OfflineStep)
  case set(SetStep)
  /// The session is over; it counts as completed.
  case end
}

extension Step {
  /// Every call in it, in the order written, whichever of them a session makes.
  package var calls: [CallStep] {
    switch self {
    case .call(let call): call.step.calls
    case .type(let typing): typing.call.step.calls
    case .loop(let loop): loop.steps.flatMap(\.calls)
    case .burst(let burst): burst.steps.flatMap(\.calls)
    case .branch(let branch): (branch.steps + branch.otherwise).flatMap(\.calls)
    case .choice(let choice): choice.ways.flatMap { $0.steps.flatMap(\.calls) }
    case .group(let group): group.steps.flatMap(\.calls)
    case .offline(let offline): offline.steps.flatMap(\.calls)
    case .think, .set, .end: []
    }
  }
}

extension Scenario {
  /// Every request that no operation of the contract describes, once.
  package var undocumentedRequests: [UndocumentedRequest] {
    var seen: Set<String> = []
    return scripts.flatMap(\.calls).compactMap(\.operation.undocumented)
      .filter { seen.insert($0.id).inserted }
  }

  /// Every JSON Schema that stands in an expectation.
  package var inlineSchemas: [InlineSchema] {
    scripts.flatMap(\.calls).flatMap { call in
      (call.checks.body.map(\.condition) + call.checks.headers.map(\.condition)).compactMap { condition in
        if case .conforms(let schema) = condition { schema } else { nil }
      }
    }
  }
}

/// A pause of the user; nothing is sent.
package struct ThinkStep: Sendable {
  package var pause: DurationValue

  package init(pause: DurationValue) { self.pause = pause }
}

/// A time without a network: what the user writes is kept and sent afterwards, in order.
package struct OfflineStep: Sendable {
  /// At least; the user comes back when its steps are done, if that is later.
  package var duration: DurationValue
  package var steps: [Step]

  package init(duration: DurationValue, steps: [Step]) {
    self.duration = duration
    self.steps = steps
  }
}

/// Steps under one name, for people to read.
package struct GroupStep: Sendable {
  package var name: String
  package var steps: [Step]

  package init(name: String, steps: [Step]) {
    self.name = name
    self.steps = steps
  }
}
