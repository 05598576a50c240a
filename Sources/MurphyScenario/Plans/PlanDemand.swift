import MurphyModel

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
      var walk = StepWalk(start, mostSteps: 20_000, visitor: CallCounter())
      walk.walk(plan.scenario.sessions[arrival.session].allSteps)
      for (operation, count) in walk.visitor.requests { requests[operation, default: 0] += Double(count) * weight }
      open.formUnion(walk.visitor.open)
    }
  }

  /// The approximate number of requests of an operation, `*` for all; nil if it depends on responses.
  package func count(of operation: String) -> Double? {
    guard operation == "*" else { return open.contains(operation) ? nil : requests[operation] ?? 0 }
    return open.isEmpty ? requests.values.reduce(0, +) : nil
  }
}

private struct CallCounter: StepVisitor {
  var requests: [String: Int] = [:]
  var open: Set<String> = []

  mutating func call(_ call: CallStep, _ session: inout WalkedSession) {
    requests[call.operation.id, default: 0] += 1
    // The response times determine how many requests a client with `cache:` or `dedupe:` does not send.
    if session.isOpen || call.reuse != nil { open.insert(call.operation.id) }
  }

  func turns(of decision: OpenDecision, _ session: inout WalkedSession) -> Int { 1 }
}
