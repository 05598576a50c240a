import MurphyModel
import MurphySchema

/// The number of requests of each operation in a plan, as far as it does not depend on responses.
package struct PlanDemand: Sendable {
  /// By operationId, over the whole run.
  package private(set) var requests: [String: Double] = [:]
  /// Operations whose number of calls depends on responses.
  package private(set) var open: Set<String> = []

  /// The number of sessions that are followed. The others are assumed to be similar.
  private static let most = 400

  /// - Returns: nil for a closed model, in which the response times determine the number of sessions.
  package init?(_ plan: Plan) {
    guard plan.closed == nil, plan.arrivals > 0 else { return nil }
    let step = max(plan.arrivals / Self.most, 1)
    let walked = Array(stride(from: 0, to: plan.arrivals, by: step))
    let weight = Double(plan.arrivals) / Double(walked.count)
    for index in walked {
      let arrival = plan.arrival(index)
      guard let start = try? plan.start(arrival, clock: nil) else { continue }
      var walk = DemandOfSession(scope: start.scope, random: start.random)
      walk.walk(plan.scenario.sessions[arrival.session].allSteps)
      for (operation, count) in walk.requests { requests[operation, default: 0] += Double(count) * weight }
      open.formUnion(walk.open)
    }
  }

  /// The approximate number of requests of an operation, `*` for all; nil if it depends on responses.
  package func count(of operation: String) -> Double? {
    guard operation == "*" else { return open.contains(operation) ? nil : requests[operation] ?? 0 }
    return open.isEmpty ? requests.values.reduce(0, +) : nil
  }
}

/// One session, followed without sending.
private struct DemandOfSession {
  var scope: Scope
  var random: RandomSource
  var requests: [String: Int] = [:]
  var open: Set<String> = []
  /// Slots of the variables whose values come from responses.
  private var unknown: Set<Int> = []
  private var isOver = false
  /// The maximum number of steps of one session: an endless loop must not block the check.
  private var stepsLeft = 20_000

  init(scope: Scope, random: RandomSource) {
    self.scope = scope
    self.random = random
  }

  mutating func walk(_ steps: [Step]) {
    for step in steps where !isOver {
      stepsLeft -= 1
      guard stepsLeft > 0 else { return }
      switch step {
      case .call(let call):
        requests[call.step.operation.id, default: 0] += 1
        // The response times determine how many of these requests the client does not send.
        if call.step.reuse != nil { open.insert(call.step.operation.id) }
        unknown.formUnion(call.step.saves.map(\.variable.slot))
        // An optimistic value is reverted if the API rejects the request.
        unknown.formUnion(call.step.optimistic.map(\.variable.slot))
        walk(openly: call.step.reactions.flatMap(\.steps))
      case .think: break
      case .loop(let loop): walk(loop)
      case .type(let typing): walk(typing)
      case .burst(let burst):
        if let count = count(burst.count) {
          for _ in 0..<count where stepsLeft > 0 { walk(burst.steps) }
        } else {
          walk(openly: burst.steps)
        }
      case .branch(let branch):
        if !isUnknown(branch.condition), let isTrue = try? branch.condition.isTrue(in: &scope, random: &random) {
          walk(isTrue ? branch.steps : branch.otherwise)
        } else {
          walk(openly: branch.steps + branch.otherwise)
        }
      case .choice(let choice): walk(choice.draw(&random))
      case .group(let group): walk(group.steps)
      // The client's cached data determines its reads.
      case .offline(let offline): walk(openly: offline.steps)
      case .set(let assignments):
        for assignment in assignments {
          let isKnown = !isUnknown(assignment.value.variables)
          scope[assignment.variable] = try? assignment.value.evaluate(in: &scope, random: &random)
          if isKnown, scope[assignment.variable] != nil {
            unknown.remove(assignment.variable.slot)
          } else {
            unknown.insert(assignment.variable.slot)
          }
        }
      case .end: isOver = true
      }
    }
  }

  private mutating func walk(_ loop: LoopStep) {
    guard loop.condition == nil, loop.until == nil, let count = count(loop.count) else {
      return walk(openly: loop.steps)
    }
    let outer = scope.index
    for turn in 0..<count where !isOver && stepsLeft > 0 {
      scope.index = turn
      if let counter = loop.counter { scope[counter] = JSONValue(turn) }
      walk(loop.steps)
    }
    scope.index = outer
  }

  private mutating func walk(_ typing: TypeStep) {
    guard !isUnknown(typing.text.variables),
      let text = (try? typing.text.evaluate(in: &scope, random: &random))?.interpolated,
      let queries = try? typing.queries(typing: text, in: &scope, random: &random)
    else { return walk(openly: [.call(typing.call)]) }
    requests[typing.call.step.operation.id, default: 0] += queries.count
  }

  /// Nil if it depends on responses.
  private mutating func count(_ value: CountValue) -> Int? {
    if case .computed(let formula) = value, isUnknown(formula) { return nil }
    return try? value.evaluate(in: &scope, random: &random)
  }

  private func isUnknown(_ formula: Formula) -> Bool {
    formula.expression.reads(.status) || isUnknown(formula.expression.variables)
  }

  private func isUnknown(_ variables: [Variable]) -> Bool { variables.contains { unknown.contains($0.slot) } }

  /// Steps whose execution or number of iterations depends on responses.
  private mutating func walk(openly steps: [Step]) {
    let before = requests
    walk(steps)
    for (operation, count) in requests where count != before[operation] { open.insert(operation) }
    isOver = false
  }
}
