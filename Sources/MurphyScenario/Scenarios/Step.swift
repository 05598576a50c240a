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
  /// `set:` gives names to values, in the order written.
  case set([Assignment])
  /// The session is over; it counts as completed.
  case end
}

extension Step {
  /// Every call in it, in the order written, whichever of them a session makes.
  package var calls: [CallStep] {
    switch self {
    case .call(let call): call.step.calls
    case .type(let typing): typing.call.step.calls
    default: nested.flatMap(\.calls)
    }
  }

  /// Every name that it gives to a value, in the order written.
  package var assignments: [Assignment] {
    switch self {
    case .set(let assignments): assignments
    case .call(let call):
      call.step.optimistic + call.step.reactions.flatMap { $0.steps.flatMap(\.assignments) }
    default: nested.flatMap(\.assignments)
    }
  }

  /// The steps within it, whichever of them a session takes.
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

/// A time without a network: what the user writes is kept and sent afterwards, in order.
package struct OfflineStep: Sendable {
  /// At least; the user comes back when its steps are done, if that is later.
  package var duration: DurationValue
  package var steps: [Step]
}

/// Steps under one name, for people to read.
package struct GroupStep: Sendable {
  package var name: String
  package var steps: [Step]
}

/// `if:` and `else:`.
package struct BranchStep: Sendable {
  package var condition: Formula
  package var steps: [Step]
  package var otherwise: [Step]
}

/// Turns that start at fixed moments, whether or not the one before was answered.
///
/// Turn k of n is due at `k · over / n` after the burst began; latency counts from there. `index` is k.
package struct BurstStep: Sendable {
  package var count: CountValue
  package var over: DurationValue
  package var steps: [Step]

  /// When turn `index` of `count` is due, nanoseconds after the burst began.
  package static func offset(of index: Int, count: Int, over nanoseconds: Int64) -> Int64 {
    guard count > 0 else { return 0 }
    return Int64(saturating: Double(index) * Double(nanoseconds) / Double(count))
  }
}

/// `choose:` one of several ways to go on, by share.
package struct ChoiceStep: Sendable {
  package struct Way: Sendable {
    package var share: Double
    package var steps: [Step]
  }

  package var ways: [Way]

  /// The steps of a way drawn by share; takes one draw of the stream.
  package func draw(_ random: inout RandomSource) -> [Step] {
    let index = weightedIndex(of: ways.map(\.share), at: random.unit())
    return ways[index].steps
  }
}

/// `repeat:`, `while:` and `poll:`: steps taken several times. `index` counts the turns from 0.
package struct LoopStep: Sendable {
  /// A loop with only a condition ends after this many turns.
  package static let mostTurns = 10_000
  /// A poll gives up after this many requests, where it does not say how many.
  package static let mostPolls = 100

  /// How many turns, drawn once when the loop begins.
  package var count: CountValue
  /// Asked before each turn; the loop ends when it is false.
  package var condition: Formula?
  /// Asked after each turn; the loop ends when it is true, and with it the session fails that never sees it true.
  package var until: Formula?
  /// From the beginning of one turn to that of the next, which never comes before the end of the first; nil for none.
  package var every: DurationValue?
  /// The turn's number under a name of its own, for loops within loops.
  package var counter: Variable?
  package var steps: [Step]
}

/// A name and the value it is given.
package struct Assignment: Sendable {
  package var variable: Variable
  package var value: Template
}

extension [Assignment] {
  /// Assigns what can be known without an answer, and forgets the rest.
  package func assignKnown(in scope: inout Scope, random: inout RandomSource) {
    for assignment in self {
      scope[assignment.variable] = try? assignment.value.evaluate(in: &scope, random: &random)
    }
  }
}
