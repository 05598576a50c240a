import MurphyModel

/// One step of a session. Steps are values; the engine executes them.
package indirect enum Step: Sendable {
  case call(Call)
  /// A pause of the user; nothing is sent.
  case think(DurationValue)
  case loop(LoopStep)
  case type(TypeStep)
  case burst(BurstStep)
  case branch(BranchStep)
  case choice(ChoiceStep)
  case group(GroupStep)
  case offline(OfflineStep)
  /// `set:` gives names to values, in the order of the file.
  case set([Assignment])
  /// Ends the session, which counts as completed.
  case end
}

extension Step {
  /// Every call in it, in the order of the file, including those of branches that are not taken.
  package var calls: [CallStep] {
    switch self {
    case .call(let call): call.step.calls
    case .type(let typing): typing.call.step.calls
    default: nested.flatMap(\.calls)
    }
  }

  /// Every name that it assigns, in the order of the file.
  package var assignments: [Assignment] {
    switch self {
    case .set(let assignments): assignments
    case .call(let call):
      call.step.optimistic + call.step.reactions.flatMap { $0.steps.flatMap(\.assignments) }
    default: nested.flatMap(\.assignments)
    }
  }

  /// The steps within it, including those of branches that are not taken.
  private var nested: [Step] {
    switch self {
    case .loop(let loop): loop.steps
    case .burst(let burst): burst.steps
    case .branch(let branch): branch.steps + branch.otherwise
    case .choice(let choice): choice.ways.flatMap(\.steps)
    case .group(let group): group.steps
    case .offline(let offline): offline.steps
    case .call, .type, .think, .set, .end: []
    }
  }
}

extension Scenario {
  /// Every request that no operation of the contract describes, each once.
  package var undocumentedRequests: [UndocumentedRequest] {
    var seen: Set<String> = []
    return scripts.flatMap(\.calls).compactMap(\.operation.undocumented)
      .filter { seen.insert($0.id).inserted }
  }

  /// Every JSON Schema in an expectation.
  package var inlineSchemas: [InlineSchema] {
    scripts.flatMap(\.calls).flatMap { call in
      (call.checks.body.map(\.condition) + call.checks.headers.map(\.condition)).compactMap { condition in
        if case .conforms(let schema) = condition { schema } else { nil }
      }
    }
  }
}

/// A time without a network: the user's writes are queued and sent afterwards, in order.
package struct OfflineStep: Sendable {
  /// The minimum duration. The user is online again when the steps are done, if that is later.
  package var duration: DurationValue
  package var steps: [Step]
}

/// Steps under one name, for readers.
package struct GroupStep: Sendable {
  package var name: String
  package var steps: [Step]
}

/// `if:` and `else:`.
package struct BranchStep: Sendable {
  package var condition: Formula
  package var steps: [Step]
  /// Empty without `else:`.
  package var otherwise: [Step]
}

/// Iterations that start at fixed times, regardless of earlier responses.
///
/// Iteration k of n is due at `k · over / n` after the start of the burst. Latency is measured from that time. `index`
/// is k.
package struct BurstStep: Sendable {
  package var count: CountValue
  /// The iterations are spread evenly over this time.
  package var over: DurationValue
  package var steps: [Step]

  /// The time at which iteration `index` of `count` is due, nanoseconds after the start of the burst.
  package static func offset(of index: Int, count: Int, over nanoseconds: Int64) -> Int64 {
    guard count > 0 else { return 0 }
    return Int64(saturating: Double(index) * Double(nanoseconds) / Double(count))
  }
}

/// `choose:` one of several alternatives, by share.
package struct ChoiceStep: Sendable {
  /// One alternative.
  package struct Way: Sendable {
    /// Relative to the sum of all shares.
    package var share: Double
    package var steps: [Step]
  }

  package var ways: [Way]

  /// The steps of an alternative, chosen by share; takes one value of the stream.
  package func draw(_ random: inout RandomSource) -> [Step] {
    let index = weightedIndex(of: ways.map(\.share), at: random.unit())
    return ways[index].steps
  }
}

/// `repeat:`, `while:` and `poll:`: steps executed several times. `index` counts the iterations from 0.
package struct LoopStep: Sendable {
  /// A loop with only a condition ends after this number of iterations.
  package static let mostTurns = 10_000
  /// The maximum number of requests of a poll, if the poll does not specify one.
  package static let mostPolls = 100

  /// The number of iterations, generated once when the loop begins.
  package var count: CountValue
  /// Checked before each iteration; the loop ends when it is false.
  package var condition: Formula?
  /// Checked after each iteration; the loop ends when it is true. If it never becomes true, the session fails.
  package var until: Formula?
  /// The time between the starts of two iterations. The next one never starts before the end of the first; nil for
  /// none.
  package var every: DurationValue?
  /// The iteration number under its own name, for nested loops.
  package var counter: Variable?
  package var steps: [Step]
}

/// A name and its assigned value.
package struct Assignment: Sendable {
  package var variable: Variable
  package var value: Template
}

extension [Assignment] {
  /// Assigns values that are known without a response, and removes the others.
  package func assignKnown(in scope: inout Scope, random: inout RandomSource) {
    for assignment in self {
      scope[assignment.variable] = try? assignment.value.evaluate(in: &scope, random: &random)
    }
  }
}
