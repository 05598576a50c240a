import MurphyModel

/// `--plan`: the schedule of a run as text, the same byte for byte for the same scenario and seed.
package struct PlanText {
  private let plan: Plan
  /// Sessions written in full; of the others only the totals.
  private let most: Int
  /// Whose sessions are written; nil for all.
  private let shard: (index: Int, count: Int)?

  /// - Parameter shard: from 0, of how many: the text is that of the whole plan, without the sessions of the other shards.
  package init(_ plan: Plan, most: Int = 1000, shard: (index: Int, count: Int)? = nil) {
    self.plan = plan
    self.most = most
    self.shard = shard
  }

  package var text: String {
    let scenario = plan.scenario
    var lines = ["plan of \(scenario.name), seed \(plan.seed)"]
    lines.append(
      plan.unique.salt.map { "  uuid() and long string() as with the salt \($0)" }
        ?? "  uuid() and long string() as without a salt: each run salts them anew, or with --salt")
    lines += scenario.load.stages.map { "  \($0.text)" }
    let arrivals = arrivals
    lines.append(
      plan.closed == nil
        ? "\(plan.arrivals) sessions in \(scenario.load.duration.text)"
        : "first sessions of \(plan.closed?.mostUsers ?? 0) users in \(scenario.load.duration.text)")
    lines += totals
    lines += fixture(scenario.setup)
    for arrival in arrivals where shard.map({ number(of: arrival) % $0.count == $0.index }) ?? true {
      lines += session(arrival)
    }
    let left = (plan.closed?.mostUsers ?? plan.arrivals) - arrivals.count
    if left > 0 { lines.append("… and \(left) more sessions") }
    lines += fixture(scenario.teardown)
    return lines.joined(separator: "\n") + "\n"
  }

  /// What shards divide: arrivals of an open load, users of a closed one.
  private func number(of arrival: Arrival) -> Int { plan.closed == nil ? arrival.index : arrival.user }

  private var arrivals: [Arrival] {
    if let closed = plan.closed {
      return (0..<min(closed.mostUsers, most)).map { plan.session(user: $0, iteration: 0) }
    }
    return (0..<min(plan.arrivals, most)).map { plan.arrival($0) }
  }

  /// How many sessions there are of each kind.
  private var totals: [String] {
    guard plan.closed == nil else { return [] }
    var counts = Array(repeating: 0, count: plan.scenario.sessions.count)
    for index in 0..<plan.arrivals { counts[plan.mix.session(at: index)] += 1 }
    return zip(plan.scenario.sessions, counts).map { "  \($0.name): \($1)" }
  }

  /// The setup or the teardown.
  private func fixture(_ script: SessionScript?) -> [String] {
    guard let script else { return [] }
    var walk = PlanWalk(
      start: plan.start(fixture: script, clock: nil, shard: shard?.index ?? 0), script: script, scenario: plan.scenario)
    return ["\n\(script.name), once"] + walk.lines()
  }

  private func session(_ arrival: Arrival) -> [String] {
    let script = plan.scenario.sessions[arrival.session]
    let seed = String(arrival.seed, radix: 16)
    let padded = String(repeating: "0", count: 16 - seed.count) + seed
    let heading = "\n#\(arrival.index) at \(Self.time(arrival.due)) \(script.name) seed \(padded)"
    do throws(EvaluationError) {
      guard let start = try plan.start(arrival, clock: nil) else { return [heading, "  a feed has ended: not sent"] }
      var walk = PlanWalk(start: start, script: script, scenario: plan.scenario)
      return [heading] + walk.lines()
    } catch {
      return [heading, "  \(error.text)"]
    }
  }

  /// `12.345678s`
  static func time(_ nanoseconds: Int64) -> String {
    let micros = (nanoseconds + 500) / 1000
    let fraction = String(micros % 1_000_000)
    return "\(micros / 1_000_000)." + String(repeating: "0", count: 6 - fraction.count) + fraction + "s"
  }
}
