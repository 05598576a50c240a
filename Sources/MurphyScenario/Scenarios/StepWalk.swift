import MurphyModel
import MurphySchema

/// The use of a walk over the steps of a session.
package protocol StepVisitor {
  /// The maximum number of turns of a loop or burst.
  var mostTurns: Int { get }
  /// The session sends this request at `session.now`.
  mutating func call(_ call: CallStep, _ session: inout WalkedSession)
  /// Everything else in the session.
  mutating func note(_ note: StepNote, _ session: inout WalkedSession)
  /// The number of times that the walk follows steps that responses decide.
  mutating func turns(of decision: OpenDecision, _ session: inout WalkedSession) -> Int
}

extension StepVisitor {
  package var mostTurns: Int { .max }
  package mutating func note(_ note: StepNote, _ session: inout WalkedSession) {}
}

/// What a step does, except requests. Durations are in nanoseconds, and nil if responses decide them.
package enum StepNote {
  case pause(DurationValue, Int64?)
  case group(String)
  /// The next turn of a loop with a period.
  case nextTurn
  case burst(count: Int, over: Int64?)
  case typing(String)
  /// The time of a turn or request after the start of its burst or typing.
  case offset(Int64)
  case offline(DurationValue, Int64?)
  /// The user has a network again.
  case online
  /// The value is nil if it is unknown.
  case set(Assignment, JSONValue?)
  case end
}

/// A decision that depends on responses.
package enum OpenDecision {
  /// The number of turns of `repeat:`.
  case count
  /// The number of turns of a burst.
  case burst
  case whileTrue(Formula)
  case until(Formula)
  case branch(Formula)
  /// The `else:` of the branch before it.
  case otherwise
  case reaction(AnswerReaction)
  case typing(Template)
}

/// A session that is followed without sending a request. Responses take no time.
package struct WalkedSession {
  package var scope: Scope
  package var random: RandomSource
  /// Nanoseconds after the session began.
  package fileprivate(set) var now: Int64 = 0
  /// The level of the steps, from 0.
  package fileprivate(set) var depth = 0
  /// True within steps that are executed, or whose number of turns is decided, by responses.
  package fileprivate(set) var isOpen = false
  /// True while the user has no network.
  package fileprivate(set) var isOffline = false
  fileprivate var isOver = false
  /// An endless loop must not block a check.
  fileprivate var stepsLeft: Int
  /// The slots of the variables whose values come from responses.
  fileprivate var unknown: Set<Int> = []

  fileprivate init(_ start: SessionStart, mostSteps: Int) {
    scope = start.scope
    random = start.random
    stepsLeft = mostSteps
  }

  fileprivate var continues: Bool { !isOver && stepsLeft > 0 }

  /// Ends the walk.
  package mutating func stop() { stepsLeft = 0 }

  fileprivate func isUnknown(_ expression: Expression) -> Bool {
    expression.readsAnswer || expression.variables.contains { unknown.contains($0.slot) }
  }
}

/// Follows the steps of a session without sending a request. It takes the same values from the stream as a run.
package struct StepWalk<Visitor: StepVisitor> {
  package var visitor: Visitor
  package var session: WalkedSession

  package init(_ start: SessionStart, mostSteps: Int = 100_000, visitor: Visitor) {
    session = WalkedSession(start, mostSteps: mostSteps)
    self.visitor = visitor
  }

  package mutating func walk(_ steps: [Step], deeper: Int = 0) {
    session.depth += deeper
    defer { session.depth -= deeper }
    for step in steps where session.continues {
      session.stepsLeft -= 1
      switch step {
      case .call(let call):
        send(call.step)
        for reaction in call.step.reactions where !reaction.steps.isEmpty {
          walk(reaction.steps, if: .reaction(reaction))
        }
      case .think(let pause):
        let length = duration(pause)
        note(.pause(pause, length))
        session.now += length ?? 0
      case .loop(let loop): walk(loop)
      case .type(let typing): walk(typing)
      case .burst(let burst): walk(burst)
      case .branch(let branch):
        if let isTrue = isTrue(branch.condition) {
          walk(isTrue ? branch.steps : branch.otherwise)
        } else {
          walk(branch.steps, if: .branch(branch.condition))
          walk(branch.otherwise, if: .otherwise)
        }
      case .choice(let choice): walk(choice.draw(&session.random))
      case .group(let group):
        note(.group(group.name))
        walk(group.steps, deeper: 1)
      case .offline(let offline): walk(offline)
      case .set(let assignments):
        for assignment in assignments { note(.set(assignment, assign(assignment))) }
      case .end:
        note(.end)
        session.isOver = true
      }
    }
  }

  private mutating func note(_ note: StepNote) {
    if session.continues { visitor.note(note, &session) }
  }

  private mutating func send(_ call: CallStep) {
    visitor.call(call, &session)
    for save in call.saves { session.unknown.insert(save.variable.slot) }
    for assumed in call.optimistic {
      assign(assumed)
      // The client reverts the value if the API rejects the request.
      session.unknown.insert(assumed.variable.slot)
    }
  }

  private mutating func walk(_ loop: LoopStep) {
    guard let count = count(loop.count) else { return walk(loop.steps, if: .count, counter: loop.counter) }
    if let until = loop.until {
      return walk(loop.steps, if: .until(until), turns: 0..<count, counter: loop.counter)
    }
    turns(0..<count, counter: loop.counter) { walk, turn in
      if turn > 0, let every = loop.every {
        walk.note(.nextTurn)
        // The run generates these times from another stream.
        var stream = walk.session.random
        walk.session.now += (try? every.evaluate(in: &walk.session.scope, random: &stream)) ?? 0
      }
      if let condition = loop.condition {
        guard let isTrue = walk.isTrue(condition) else {
          walk.walk(loop.steps, if: .whileTrue(condition), turns: turn..<count, counter: loop.counter)
          return false
        }
        guard isTrue else { return false }
      }
      walk.walk(loop.steps)
      return true
    }
  }

  /// - Parameter body: returns false to end the loop.
  private mutating func turns(
    _ turns: Range<Int>, counter: Variable? = nil, _ body: (_ walk: inout Self, _ turn: Int) -> Bool
  ) {
    let outer = session.scope.index
    for turn in turns.prefix(visitor.mostTurns) where session.continues {
      session.scope.index = turn
      if let counter { session.scope[counter] = JSONValue(turn) }
      guard body(&self, turn) else { break }
    }
    session.scope.index = outer
  }

  /// Steps whose execution or number of turns depends on responses. What follows is executed even if they contain
  /// `end`.
  private mutating func walk(
    _ steps: [Step], if decision: OpenDecision, turns: Range<Int> = 0..<Int.max, counter: Variable? = nil
  ) {
    guard session.continues else { return }
    let most = visitor.turns(of: decision, &session)
    let wasOpen = session.isOpen
    session.isOpen = true
    self.turns(turns.prefix(most), counter: counter) { walk, _ in
      walk.walk(steps)
      return true
    }
    session.isOver = false
    session.isOpen = wasOpen
  }

  private mutating func walk(_ burst: BurstStep) {
    let count = count(burst.count)
    let over = duration(burst.over)
    guard let count else { return walk(burst.steps, if: .burst) }
    note(.burst(count: count, over: over))
    let began = session.now
    var last = began
    turns(0..<count) { walk, turn in
      let offset = BurstStep.offset(of: turn, count: count, over: over ?? 0)
      walk.session.now = began + offset
      walk.session.depth += 1
      walk.note(.offset(offset))
      walk.walk(burst.steps, deeper: 1)
      walk.session.depth -= 1
      last = max(last, walk.session.now)
      return true
    }
    session.now = last
  }

  private mutating func walk(_ typing: TypeStep) {
    guard !typing.text.content.expressions.contains(where: session.isUnknown),
      let text = value(typing.text)?.interpolated,
      let queries = try? typing.queries(typing: text, in: &session.scope, random: &session.random)
    else { return walk([.call(typing.call)], if: .typing(typing.text)) }
    note(.typing(text))
    let began = session.now
    session.depth += 1
    for query in queries where session.continues {
      session.now = began + query.due
      session.scope.typed = query.typed
      note(.offset(query.due))
      session.depth += 1
      send(typing.call.step)
      session.depth -= 1
    }
    session.depth -= 1
    session.scope.typed = ""
  }

  /// Reads use the responses that the client keeps, so responses decide which of its steps send a request.
  private mutating func walk(_ offline: OfflineStep) {
    let length = duration(offline.duration)
    note(.offline(offline.duration, length))
    let end = session.now + (length ?? 0)
    let before = (session.isOpen, session.isOffline)
    (session.isOpen, session.isOffline) = (true, true)
    walk(offline.steps, deeper: 1)
    (session.isOpen, session.isOffline) = before
    session.now = max(session.now, end)
    note(.online)
  }

  /// - Returns: nil if responses or the clock decide the value.
  @discardableResult
  private mutating func assign(_ assignment: Assignment) -> JSONValue? {
    let isUnknown = assignment.value.content.expressions.contains(where: session.isUnknown)
    let value = value(assignment.value)
    session.scope[assignment.variable] = value
    if isUnknown || value == nil {
      session.unknown.insert(assignment.variable.slot)
    } else {
      session.unknown.remove(assignment.variable.slot)
    }
    return value
  }

  private mutating func value(_ template: Template) -> JSONValue? {
    try? template.evaluate(in: &session.scope, random: &session.random)
  }

  private mutating func duration(_ value: DurationValue) -> Int64? {
    try? value.evaluate(in: &session.scope, random: &session.random)
  }

  private mutating func isTrue(_ condition: Formula) -> Bool? {
    let value = try? condition.isTrue(in: &session.scope, random: &session.random)
    return session.isUnknown(condition.expression) ? nil : value
  }

  private mutating func count(_ value: CountValue) -> Int? {
    let count = try? value.evaluate(in: &session.scope, random: &session.random)
    if case .computed(let formula) = value, session.isUnknown(formula.expression) { return nil }
    return count
  }
}
