import MurphyModel
import MurphySchema

/// The requests of a plan's first sessions, drawn without sending: what `check` holds against the contract.
///
/// Values that depend on answers are left out, and so is what follows a text that cannot be typed. Where a condition
/// is not known, both of its branches are walked.
package struct DrawnCalls {
  private static let mostTurns = 30
  /// Dates of the plan are drawn by the real clock: what is checked is their form.
  private static let clock: @Sendable () -> Int64 = { 1_767_225_600_000_000_000 }

  private let plan: Plan
  private let sessions: Int
  /// Requests drawn in all, at most.
  private let most: Int

  package init(_ plan: Plan, sessions: Int = 300, most: Int = 6_000) {
    self.plan = plan
    self.sessions = sessions
    self.most = most
  }

  package func forEach(_ body: @escaping (DrawnCall) -> Void) {
    var left = most
    for script in [plan.scenario.setup, plan.scenario.teardown].compactMap(\.self) {
      let start = plan.start(fixture: script, clock: Self.clock)
      var walk = CallWalk(start: start, mostTurns: Self.mostTurns, left: left, body: body)
      walk.walk(script.steps)
      left = walk.left
    }
    for arrival in arrivals where left > 0 {
      guard let start = try? plan.start(arrival, clock: Self.clock) else { continue }
      var walk = CallWalk(start: start, mostTurns: Self.mostTurns, left: left, body: body)
      walk.walk(plan.scenario.sessions[arrival.session].allSteps)
      left = walk.left
    }
  }

  private var arrivals: [Arrival] {
    if let closed = plan.closed {
      let users = max(closed.mostUsers, 1)
      return (0..<sessions).map { plan.session(user: $0 % users, iteration: $0 / users) }
    }
    return (0..<min(plan.arrivals, sessions)).map { plan.arrival($0) }
  }
}

/// Walks one session's steps.
private struct CallWalk {
  private var scope: Scope
  private var random: RandomSource
  private let mostTurns: Int
  var left: Int
  private let body: (DrawnCall) -> Void
  private var isOver = false

  init(start: SessionStart, mostTurns: Int, left: Int, body: @escaping (DrawnCall) -> Void) {
    scope = start.scope
    random = start.random
    self.mostTurns = mostTurns
    self.left = left
    self.body = body
  }

  mutating func walk(_ steps: [Step]) {
    for step in steps where !isOver && left > 0 {
      switch step {
      case .call(let call):
        draw(call.step)
        call.step.optimistic.assignKnown(in: &scope, random: &random)
        for reaction in call.step.reactions where !reaction.steps.isEmpty {
          walk(reaction.steps)
          isOver = false
        }
      case .think(let pause): _ = try? pause.evaluate(in: &scope, random: &random)
      case .loop(let loop): turns(loop.count, loop.steps, counter: loop.counter)
      case .burst(let burst): turns(burst.count, burst.steps, counter: nil)
      case .type(let typing): type(typing)
      case .branch(let branch):
        if let isTrue = try? branch.condition.isTrue(in: &scope, random: &random) {
          walk(isTrue ? branch.steps : branch.otherwise)
        } else {
          walk(branch.steps)
          walk(branch.otherwise)
          isOver = false
        }
      case .choice(let choice): walk(choice.draw(&random))
      case .group(let group): walk(group.steps)
      case .offline(let offline):
        _ = try? offline.duration.evaluate(in: &scope, random: &random)
        walk(offline.steps)
      case .set(let set): set.assignKnown(in: &scope, random: &random)
      case .end: isOver = true
      }
    }
  }

  private mutating func turns(_ count: CountValue, _ steps: [Step], counter: Variable?) {
    let count = (try? count.evaluate(in: &scope, random: &random)) ?? 1
    let outer = scope.index
    for turn in 0..<min(count, mostTurns) where !isOver && left > 0 {
      scope.index = turn
      if let counter { scope[counter] = JSONValue(turn) }
      walk(steps)
    }
    scope.index = outer
  }

  private mutating func type(_ typing: TypeStep) {
    guard let text = (try? typing.text.evaluate(in: &scope, random: &random))?.interpolated,
      let queries = try? typing.queries(typing: text, in: &scope, random: &random)
    else { return }
    for query in queries where left > 0 {
      scope.typed = query.typed
      draw(typing.call.step)
    }
    scope.typed = ""
  }

  private mutating func draw(_ call: CallStep) {
    left -= 1
    var drawn = DrawnCall(step: call)
    for (location, templates) in [
      (OperationSummary.Parameter.Location.path, call.path), (.query, call.query), (.header, call.headers),
      (.cookie, call.cookies),
    ] {
      for template in templates {
        guard let value = template.value.known(in: &scope, random: &random) else { continue }
        drawn.arguments.append(DrawnCall.Argument(location: location, name: template.name, value: value))
      }
    }
    switch call.body {
    case .json(let template, _): drawn.body = template.known(in: &scope, random: &random)
    case .form(let fields): drawn.body = object(fields.map { ($0.name, $0.value) })
    case .multipart(let parts):
      drawn.body = object(parts.map { ($0.name, $0.value) })
      // The boundary.
      _ = random.next()
    case .text, .file, nil: break
    }
    body(drawn)
  }

  /// Fields or parts as the members of an object; files are not known, for they are not texts of the contract's.
  private mutating func object(_ members: [(name: String, value: Template?)]) -> DrawnCall.Value {
    var object = JSONObject()
    var unknown: [JSONPointer] = []
    for (name, values) in Dictionary(grouping: members, by: \.name).sorted(by: { $0.key < $1.key })
    where values.count > 1 {
      object[name] = .array(values.map { _ in .null })
      unknown.append(JSONPointer(tokens: [name]))
    }
    for (name, value) in members {
      let known = value.flatMap { $0.known(in: &scope, random: &random) }
      guard object[name] == nil else { continue }
      object[name] = known?.value ?? .null
      unknown += (known?.unknown ?? [.root]).map { JSONPointer(tokens: [name] + $0.tokens) }
    }
    return DrawnCall.Value(
      value: .object(object), unknown: unknown, isConstant: members.allSatisfy { $0.value?.isConstant ?? true })
  }
}

/// One request of a drawn session, as far as it is known before anything is sent.
package struct DrawnCall: Sendable {
  /// A value and the parts of it that only an answer can fill.
  package struct Value: Sendable {
    package var value: JSONValue
    /// Pointers of the parts that are not known; `null` stands there.
    package var unknown: [JSONPointer]
    /// Whether every session sends the same.
    package var isConstant: Bool
  }

  package struct Argument: Sendable {
    package var location: OperationSummary.Parameter.Location
    package var name: String
    package var value: Value
  }

  package var step: CallStep
  package var arguments: [Argument] = []
  package var body: Value?
}

extension Template {
  /// The value with what can be known of it in `scope`; nil when nothing of it can.
  func known(in scope: inout Scope, random: inout RandomSource) -> DrawnCall.Value? {
    var unknown: [JSONPointer] = []
    var stream = draws ? RandomSource(seed: random.next()) : random
    let value = content.known(in: &scope, random: &stream, at: .root, &unknown)
    if !draws { random = stream }
    guard !unknown.contains(.root) else { return nil }
    return DrawnCall.Value(value: value, unknown: unknown, isConstant: isConstant)
  }
}

extension Template.Content {
  fileprivate func known(
    in scope: inout Scope, random: inout RandomSource, at place: JSONPointer, _ unknown: inout [JSONPointer]
  ) -> JSONValue {
    switch self {
    case .array(let elements):
      return .array(
        elements.enumerated().map { index, element in
          element.known(in: &scope, random: &random, at: place.appending(index), &unknown)
        })
    case .object(let members):
      var object = JSONObject()
      for member in members {
        object[member.name] = member.value.known(
          in: &scope, random: &random, at: place.appending(member.name), &unknown)
      }
      return .object(object)
    case .constant, .expression, .text:
      if let value = try? value(in: &scope, random: &random) { return value }
      unknown.append(place)
      return .null
    }
  }
}
