import MurphyModel
import MurphyScenario

/// The calls of one session and their times, without sending a request. Responses take no time and are all successful.
///
/// Data that depends on responses is estimated: an unknown count is one turn, a condition is true.
struct DemandWalk: StepVisitor {
  /// A call and its time, seconds after the session began.
  struct Call {
    var operation: String
    var at: Double
  }

  private(set) var calls: [Call] = []
  /// The writes of an offline user that are not sent yet.
  private var held: [CallStep] = []
  /// The maximum of calls of one session.
  private static let most = 20_000

  /// - Parameter begin: seconds that are added to the time of each call.
  static func calls(_ start: SessionStart, _ script: SessionScript, begin: Double) -> [Call] {
    var walk = StepWalk(start, visitor: DemandWalk())
    // A user of a closed model logs in before its first session only.
    walk.walk(start.scope.iteration == 0 ? script.allSteps : script.steps)
    return walk.visitor.calls.map { Call(operation: $0.operation, at: begin + $0.at) }
  }

  /// Reads of an offline user use the responses that the client keeps; its writes are sent when it is online again.
  mutating func call(_ call: CallStep, _ session: inout WalkedSession) {
    if session.isOffline {
      if call.isWrite { held.append(call) }
      return
    }
    calls.append(Call(operation: call.operation.id, at: Double(session.now) * 1e-9))
    if calls.count >= Self.most { session.stop() }
  }

  mutating func note(_ note: StepNote, _ session: inout WalkedSession) {
    switch note {
    case .online:
      for write in held { call(write, &session) }
      held = []
    // A condition is true, so an `end` under it is executed.
    case .end: session.stop()
    default: break
    }
  }

  func turns(of decision: OpenDecision, _ session: inout WalkedSession) -> Int {
    switch decision {
    case .otherwise, .reaction: 0
    case .count, .burst, .whileTrue, .until, .branch, .typing: 1
    }
  }
}
