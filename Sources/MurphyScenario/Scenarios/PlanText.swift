import MurphyModel
import MurphySchema

/// `--plan`: the schedule of a run as text, the same byte for byte for the same scenario and seed.
package struct PlanText {
  private let plan: Plan
  /// The number of sessions written in full. The others occur only in the totals.
  private let most: Int
  /// The shard whose sessions are written; nil for all.
  private let shard: (index: Int, count: Int)?

  /// - Parameter shard: its index from 0, and the number of shards. The text is that of the whole plan, without the
  ///   sessions of the other shards.
  package init(_ plan: Plan, most: Int = 1000, shard: (index: Int, count: Int)? = nil) {
    self.plan = plan
    self.most = most
    self.shard = shard
  }

  package var text: String {
    let scenario = plan.scenario
    var lines = ["plan of \(scenario.name), seed \(plan.seed)"]
    lines.append(
      plan.unique.salt.map { "  salt of uuid(), email() and long string(): \($0)" }
        ?? "  salt of uuid(), email() and long string(): none in this plan; each run uses a new salt, or "
        + "the salt in --salt")
    lines += scenario.load.stages.map { "  \($0.text)" }
    let arrivals = arrivals
    lines.append(
      plan.closed == nil
        ? "\(plan.arrivals) sessions in \(scenario.load.duration.text)"
        : "first session of each user (\(counted(plan.closed?.mostUsers ?? 0, "user")) in \(scenario.load.duration.text))"
    )
    lines += totals
    lines += fixture(scenario.setup)
    for arrival in arrivals where shard.map({ number(of: arrival) % $0.count == $0.index }) ?? true {
      lines += session(arrival)
    }
    let left = (plan.closed?.mostUsers ?? plan.arrivals) - arrivals.count
    if left > 0 { lines.append("… and \(left) more \(left == 1 ? "session" : "sessions")") }
    lines += fixture(scenario.teardown)
    return lines.joined(separator: "\n") + "\n"
  }

  /// The number by which sessions are divided among shards: the arrival in an open load, the user in a closed one.
  private func number(of arrival: Arrival) -> Int { plan.closed == nil ? arrival.index : arrival.user }

  private var arrivals: [Arrival] {
    if let closed = plan.closed {
      return (0..<min(closed.mostUsers, most)).map { plan.session(user: $0, iteration: 0) }
    }
    return (0..<min(plan.arrivals, most)).map { plan.arrival($0) }
  }

  /// The number of sessions of each kind.
  private var totals: [String] {
    guard plan.closed == nil else { return [] }
    var counts = Array(repeating: 0, count: plan.scenario.sessions.count)
    for index in 0..<plan.arrivals { counts[plan.mix.session(at: index)] += 1 }
    return zip(plan.scenario.sessions, counts).map { "  \($0.name): \($1)" }
  }

  /// The setup or the teardown.
  private func fixture(_ script: SessionScript?) -> [String] {
    guard let script else { return [] }
    let start = plan.start(fixture: script, clock: nil, shard: shard?.index ?? 0)
    return ["\n\(script.name), once"] + PlanLines.of(script, start, plan.scenario)
  }

  private func session(_ arrival: Arrival) -> [String] {
    let script = plan.scenario.sessions[arrival.session]
    let seed = String(arrival.seed, radix: 16)
    let padded = String(repeating: "0", count: 16 - seed.count) + seed
    let heading = "\n#\(arrival.index) at \(Self.time(arrival.due)) \(script.name) seed \(padded)"
    do throws(EvaluationError) {
      guard let start = try plan.start(arrival, clock: nil) else {
        return [heading, "  not started, because a feed has no more rows"]
      }
      return [heading] + PlanLines.of(script, start, plan.scenario)
    } catch {
      return [heading, "  \(error.text)"]
    }
  }

  /// `12.345678s`
  static func time(_ nanoseconds: Nanoseconds) -> String {
    let micros = (nanoseconds + 500) / 1000
    let fraction = String(micros % 1_000_000)
    return "\(micros / 1_000_000)." + String(repeating: "0", count: 6 - fraction.count) + fraction + "s"
  }
}

/// The lines of a session. Values that do not depend on responses are written out; the others are written as in the
/// scenario.
private struct PlanLines: StepVisitor {
  /// The maximum number of lines of one session.
  private static let longest = 500

  private let scenario: Scenario
  private let client: ClientProfile
  private var lines: [String] = []

  private init(_ script: SessionScript, _ scenario: Scenario) {
    client = script.client
    self.scenario = scenario
  }

  static func of(_ script: SessionScript, _ start: SessionStart, _ scenario: Scenario) -> [String] {
    var walk = StepWalk(start, visitor: PlanLines(script, scenario))
    var heading = start.address.map { ["from \($0)"] } ?? []
    heading += start.headers.map { "\($0.name): \($0.value)" }
    heading += script.client.headers.filter { !$0.isDrawnOnce }.map { "\($0.name): \($0.value.source)" }
    if script.login != nil { heading.append("login:") }
    for line in heading { walk.visitor.write(line, &walk.session, deeper: 1) }
    walk.walk(script.login?.steps ?? [], deeper: 2)
    walk.walk(script.steps, deeper: 1)
    return walk.visitor.lines
  }

  private mutating func write(_ line: String, _ session: inout WalkedSession, deeper: Int = 0) {
    guard lines.count < Self.longest else { return }
    let indent = String(repeating: "  ", count: session.depth + deeper)
    lines.append(indent + scenario.secrets.masked(line))
    guard lines.count == Self.longest else { return }
    lines.append(indent + "…")
    session.stop()
  }

  /// Writes steps whose execution or number of turns is not yet known. From here on the stream is unknown too, so the
  /// text of the session ends.
  private mutating func end(_ heading: String, _ session: inout WalkedSession) {
    write("\(heading): (depends on responses)", &session)
    session.stop()
  }

  mutating func note(_ note: StepNote, _ session: inout WalkedSession) {
    switch note {
    case .pause(let value, let length): write("think \(text(value, length))", &session)
    case .group(let name): write("\(name):", &session)
    case .nextTurn: write("poll again", &session)
    case .burst(let count, let over?): write("burst of \(count) over \(PlanText.time(over)):", &session)
    case .burst(_, nil): end("burst", &session)
    case .typing(let text): write("type \"\(text)\":", &session)
    case .offset(let time): write("+\(PlanText.time(time))", &session)
    case .offline(let value, let length):
      write("offline for \(text(value, length)) (murphy sends the writes afterwards):", &session)
    case .online: break
    case .set(let assignment, let value):
      write("set \(assignment.variable.name) = \(value?.text ?? assignment.value.source)", &session)
    case .end: write("end", &session)
    }
  }

  mutating func turns(of decision: OpenDecision, _ session: inout WalkedSession) -> Int {
    switch decision {
    case .count: end("repeat", &session)
    case .burst: end("burst", &session)
    case .whileTrue(let condition): end("while \(condition.source)", &session)
    case .until(let condition): end("poll until \(condition.source)", &session)
    case .branch(let condition): end("if \(condition.source)", &session)
    case .typing(let text): end("type \(text.source)", &session)
    case .otherwise: break
    case .reaction(let reaction):
      let count = reaction.steps.count
      write("on \(reaction.trigger.text): \(count) more \(count == 1 ? "step" : "steps")", &session, deeper: 1)
    }
    return 0
  }

  private func text(_ value: DurationValue, _ length: Int64?) -> String {
    if let length { return PlanText.time(length) }
    return if case .computed(let formula) = value { "${\(formula.source)}" } else { "?" }
  }

  mutating func call(_ call: CallStep, _ session: inout WalkedSession) {
    var parts = [call.operation.id]
    if let url = call.operation.undocumented?.url, !url.isConstant { parts.append("url \(text(url, &session))") }
    if let url = call.url { parts.append("url \(text(url, &session))") }
    for (kind, templates) in [
      ("path", call.path), ("query", call.query), ("headers", call.headers), ("cookies", call.cookies),
    ] where !templates.isEmpty {
      parts.append("\(kind) \(text(templates, &session))")
    }
    switch call.body {
    case .json(let body, _)?: parts.append("body \(text(body, &session))")
    case .text(let body, _)?: parts.append("text \(text(body, &session))")
    case .form(let fields)?: parts.append("form \(text(fields, &session))")
    case .multipart(let fields)?:
      let contents = fields.map { "\($0.name): \(content(of: $0, &session))" }
      parts.append("multipart {\(contents.joined(separator: ", "))}")
      _ = session.random.next()
    case .file(let file, _)?: parts.append("file \(file.path) (\(file.bytes.count) bytes)")
    case nil: break
    }
    if let reuse = call.reuse { parts.append("(\(reuse.text))") }
    write(parts.joined(separator: " "), &session)
    // A run evaluates these for each request, and may generate values for them.
    for header in client.headers where !header.isDrawnOnce { _ = text(header.value, &session) }
  }

  private func content(of part: PartTemplate, _ session: inout WalkedSession) -> String {
    switch part.content {
    case .value(let template): text(template, &session)
    case .file(let file): "\(file.path) (\(file.bytes.count) bytes)"
    }
  }

  private func text(_ templates: [NamedTemplate], _ session: inout WalkedSession) -> String {
    "{" + templates.map { "\($0.name): \(text($0.value, &session))" }.joined(separator: ", ") + "}"
  }

  /// As in the scenario if the value depends on responses or on the clock. It takes the same values from the stream as
  /// a run.
  private func text(_ template: Template, _ session: inout WalkedSession) -> String {
    (try? template.evaluate(in: &session.scope, random: &session.random))?.text ?? template.source
  }
}
