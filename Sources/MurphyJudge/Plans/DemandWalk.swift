import MurphyModel
import MurphyScenario
import MurphySchema

/// Simulates one session without requests and records its calls and their times. Responses take no time and are all
/// successful.
///
/// Data that depends on responses is estimated: an unknown count is one turn, a condition is true.
struct DemandWalk {
  /// A call and its time, seconds after the session began.
  struct Call {
    var operation: String
    var at: Double
  }

  private var scope: Scope
  private var random: RandomSource
  private(set) var calls: [Call] = []
  private var now: Int64 = 0
  private var isOver = false
  private var isOffline = false
  /// The writes of an offline user that are not sent yet.
  private var held: [CallStep] = []
  /// The maximum of calls of one session.
  private static let most = 20_000

  init(_ start: SessionStart, _ script: SessionScript) {
    scope = start.scope
    random = start.random
    // A user of a closed model logs in before its first session only.
    walk(scope.iteration == 0 ? script.allSteps : script.steps)
  }

  private mutating func walk(_ steps: [Step]) {
    for step in steps where !isOver {
      switch step {
      case .call(let call): addRequest(call.step, at: now)
      case .think(let pause): now += (try? pause.evaluate(in: &scope, random: &random)) ?? 0
      case .loop(let loop): walk(loop)
      case .type(let typing): walk(typing)
      case .burst(let burst): walk(burst)
      case .branch(let branch):
        walk((try? branch.condition.isTrue(in: &scope, random: &random)) ?? true ? branch.steps : branch.otherwise)
      case .choice(let choice): walk(choice.draw(&random))
      case .group(let group): walk(group.steps)
      case .offline(let offline): walk(offline)
      case .set(let set): set.assignKnown(in: &scope, random: &random)
      case .end: isOver = true
      }
    }
  }

  private mutating func addRequest(_ call: CallStep, at moment: Int64) {
    if isOffline {
      if call.isWrite { held.append(call) }
      return
    }
    calls.append(Call(operation: call.operation.id, at: Double(moment) * 1e-9))
    if calls.count >= Self.most { isOver = true }
  }

  private mutating func walk(_ loop: LoopStep) {
    let turns = (try? loop.count.evaluate(in: &scope, random: &random)) ?? 1
    let outer = scope.index
    for turn in 0..<turns where !isOver {
      // The run generates these times from another stream.
      var stream = random
      if turn > 0, let every = loop.every { now += (try? every.evaluate(in: &scope, random: &stream)) ?? 0 }
      scope.index = turn
      if let counter = loop.counter { scope[counter] = JSONValue(turn) }
      if let condition = loop.condition {
        // A condition on responses becomes true once; otherwise the simulation would not end.
        guard let isTrue = try? condition.isTrue(in: &scope, random: &random) else {
          walk(loop.steps)
          break
        }
        guard isTrue else { break }
      }
      walk(loop.steps)
      // The condition of a poll also becomes true.
      if loop.until != nil { break }
    }
    scope.index = outer
  }

  /// Reads use the responses that the client keeps; its writes are sent when it is online again.
  private mutating func walk(_ offline: OfflineStep) {
    let back = now + ((try? offline.duration.evaluate(in: &scope, random: &random)) ?? 0)
    isOffline = true
    walk(offline.steps)
    isOffline = false
    now = max(now, back)
    for call in held where !isOver { addRequest(call, at: now) }
    held = []
  }

  private mutating func walk(_ burst: BurstStep) {
    let count = (try? burst.count.evaluate(in: &scope, random: &random)) ?? 1
    let over = (try? burst.over.evaluate(in: &scope, random: &random)) ?? 0
    let began = now
    let outer = scope.index
    var last = began
    for turn in 0..<count where !isOver {
      scope.index = turn
      now = began + BurstStep.offset(of: turn, count: count, over: over)
      walk(burst.steps)
      last = max(last, now)
    }
    scope.index = outer
    now = last
  }

  private mutating func walk(_ typing: TypeStep) {
    guard let text = try? typing.text.evaluate(in: &scope, random: &random).interpolated,
      let queries = try? typing.queries(typing: text, in: &scope, random: &random)
    else { return addRequest(typing.call.step, at: now) }
    for query in queries where !isOver { addRequest(typing.call.step, at: now + query.due) }
    now += queries.last?.due ?? 0
  }
}
