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
  var nested: [Step] {
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
  package static func offset(of index: Int, count: Int, over nanoseconds: Nanoseconds) -> Int64 {
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

/// A person typing into a search field, key by key. Only a pause sends a request.
package struct TypeStep: Sendable {
  /// The effect of a request on an earlier one that is still in flight.
  package enum Newer: String, Sendable, CaseIterable {
    /// The older one is cancelled on the wire.
    case cancels
    /// The newer one waits for the response to the older one.
    case waits
    /// Both are in flight.
    case overlaps
  }

  package var text: Template
  /// The time between two keys, generated for each.
  package var every: DurationValue
  /// The pause after which a request is sent; zero sends on every key.
  package var debounce: Duration
  package var newer: Newer
  /// The minimum number of typed characters for a request.
  package var atLeast: Int
  /// The request; `typed` in it is the text so far.
  package var call: Call

  package init(
    text: Template, every: DurationValue, debounce: Duration = .zero, newer: Newer = .cancels, atLeast: Int = 1,
    call: Call
  ) {
    self.text = text
    self.every = every
    self.debounce = debounce
    self.newer = newer
    self.atLeast = atLeast
    self.call = call
  }

  /// A request that typing sends.
  package struct Query: Sendable, Hashable {
    /// The time at which it is due, nanoseconds after the typing began.
    package var due: Int64
    /// The text at that time.
    package var typed: String
  }

  /// The maximum bytes that one step types: the text so far is stored for each key.
  package static let longestText = 10_000

  /// The requests that typing `text` sends: a pure function of the generated values.
  ///
  /// Key i is typed at tᵢ = Σ gaps. Its request is due at tᵢ + debounce if no other key is typed before that time. The
  /// last key always sends a request. It takes one value of the stream for any text.
  package func queries(
    typing text: String, in scope: inout Scope, random: inout RandomSource
  ) throws(EvaluationError) -> [Query] {
    guard text.utf8.count <= Self.longestText else {
      throw .tooLarge("the text of a type step is longer than \(Self.longestText) bytes")
    }
    var keys: [(at: Int64, typed: String)] = []
    var at: Int64 = 0
    var stream = RandomSource(seed: random.next())
    var typed = ""
    for character in text {
      at += try every.evaluate(in: &scope, random: &stream)
      typed.append(character)
      keys.append((at, typed))
    }
    let pause = debounce.nanoseconds
    return keys.indices.compactMap { index in
      let key = keys[index]
      guard index - keys.startIndex + 1 >= atLeast else { return nil }
      let isPause = index == keys.endIndex - 1 || keys[index + 1].at - key.at >= pause
      return isPause ? Query(due: key.at + pause, typed: key.typed) : nil
    }
  }
}
