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
      plan.unique.salt.map { "  uuid() and long string() as with the salt \($0)" }
        ?? "  uuid() and long string() as without a salt; each run uses a new salt, or that of --salt")
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

/// Follows a session without sending. Values that do not depend on responses are written out; the others are written as
/// in the scenario.
struct PlanWalk {
  /// The maximum number of steps of one session.
  private static let longest = 500

  private let scenario: Scenario
  private var scope: Scope
  private var random: RandomSource
  private let headers: [HeaderField]
  private let address: String?
  private let script: SessionScript
  private var output: [String] = []
  private var isOver = false

  init(start: SessionStart, script: SessionScript, scenario: Scenario) {
    self.script = script
    self.scenario = scenario
    scope = start.scope
    random = start.random
    headers = start.headers
    address = start.address
  }

  mutating func lines() -> [String] {
    if let address { write("from \(address)", 1) }
    for header in headers { write("\(header.name): \(header.value)", 1) }
    for header in script.client.headers where !header.isDrawnOnce {
      write("\(header.name): \(header.value.source)", 1)
    }
    if let login = script.login {
      write("login:", 1)
      walk(login.steps, 2)
    }
    walk(script.steps, 1)
    return output
  }

  private mutating func write(_ line: String, _ depth: Int) {
    guard !isOver else { return }
    output.append(String(repeating: "  ", count: depth) + scenario.secrets.masked(line))
    guard output.count >= Self.longest else { return }
    output.append(String(repeating: "  ", count: depth) + "…")
    isOver = true
  }

  private mutating func walk(_ steps: [Step], _ depth: Int) {
    for step in steps where !isOver {
      switch step {
      case .call(let call):
        self.call(call.step, depth)
        for assumed in call.step.optimistic { scope[assumed.variable] = value(assumed.value) }
        for reaction in call.step.reactions where !reaction.steps.isEmpty {
          let count = reaction.steps.count
          write("on \(reaction.trigger.text): \(count) more \(count == 1 ? "step" : "steps")", depth + 1)
        }
      case .think(let pause): write("think \(duration(pause))", depth)
      case .loop(let loop): walk(loop, depth)
      case .type(let typing): walk(typing, depth)
      case .burst(let burst): walk(burst, depth)
      case .branch(let branch): walk(branch, depth)
      case .choice(let choice): walk(choice.draw(&random), depth)
      case .group(let group):
        write("\(group.name):", depth)
        walk(group.steps, depth + 1)
      case .offline(let offline):
        write("offline for \(duration(offline.duration)), writes are sent afterwards:", depth)
        walk(offline.steps, depth + 1)
      case .set(let assignments):
        for assignment in assignments {
          let value = value(assignment.value)
          scope[assignment.variable] = value
          write("set \(assignment.variable.name) = \(value?.text ?? assignment.value.source)", depth)
        }
      case .end:
        write("end", depth)
        isOver = true
      }
    }
  }

  /// Nil if the value depends on responses or on the clock. It takes the same values from the stream as a run.
  private mutating func value(_ template: Template) -> JSONValue? {
    try? template.evaluate(in: &scope, random: &random)
  }

  private mutating func duration(_ value: DurationValue) -> String {
    guard let nanoseconds = try? value.evaluate(in: &scope, random: &random) else {
      if case .computed(let formula) = value { return "${\(formula.source)}" }
      return "?"
    }
    return PlanText.time(nanoseconds)
  }

  private mutating func count(_ value: CountValue) -> Int? { try? value.evaluate(in: &scope, random: &random) }

  private mutating func walk(_ loop: LoopStep, _ depth: Int) {
    guard let count = count(loop.count) else { return open("repeat", depth) }
    if let condition = loop.condition { return open("while \(condition.source)", depth) }
    if let until = loop.until { return open("poll until \(until.source)", depth) }
    let outer = scope.index
    for turn in 0..<count where !isOver {
      if turn > 0, loop.every != nil { write("poll again", depth) }
      scope.index = turn
      if let counter = loop.counter { scope[counter] = JSONValue(turn) }
      walk(loop.steps, depth)
    }
    scope.index = outer
  }

  private mutating func walk(_ burst: BurstStep, _ depth: Int) {
    guard let count = count(burst.count), let over = try? burst.over.evaluate(in: &scope, random: &random) else {
      return open("burst", depth)
    }
    write("burst of \(count) over \(PlanText.time(over)):", depth)
    let outer = scope.index
    for turn in 0..<count where !isOver {
      scope.index = turn
      write("+\(PlanText.time(BurstStep.offset(of: turn, count: count, over: over)))", depth + 1)
      walk(burst.steps, depth + 2)
    }
    scope.index = outer
  }

  private mutating func walk(_ typing: TypeStep, _ depth: Int) {
    guard let text = value(typing.text)?.interpolated,
      let queries = try? typing.queries(typing: text, in: &scope, random: &random)
    else { return open("type \(typing.text.source)", depth) }
    write("type \"\(text)\":", depth)
    for query in queries {
      scope.typed = query.typed
      write("+\(PlanText.time(query.due))", depth + 1)
      call(typing.call.step, depth + 2)
    }
    scope.typed = ""
  }

  private mutating func walk(_ branch: BranchStep, _ depth: Int) {
    guard let isTrue = try? branch.condition.isTrue(in: &scope, random: &random) else {
      return open("if \(branch.condition.source)", depth)
    }
    walk(isTrue ? branch.steps : branch.otherwise, depth)
  }

  /// Steps whose execution or number of iterations is not yet known. From here on the stream is unknown too, so the
  /// output ends after them.
  private mutating func open(_ heading: String, _ depth: Int) {
    write("\(heading): (depends on responses)", depth)
    isOver = true
  }

  private mutating func call(_ call: CallStep, _ depth: Int) {
    var parts = [call.operation.id]
    if let url = call.operation.undocumented?.url, !url.isConstant { parts.append("url \(text(url))") }
    if let url = call.url { parts.append("url \(text(url))") }
    for (kind, templates) in [
      ("path", call.path), ("query", call.query), ("headers", call.headers), ("cookies", call.cookies),
    ] where !templates.isEmpty {
      parts.append("\(kind) \(text(templates))")
    }
    switch call.body {
    case .json(let body, _)?: parts.append("body \(text(body))")
    case .text(let body, _)?: parts.append("text \(text(body))")
    case .form(let fields)?: parts.append("form \(text(fields))")
    case .multipart(let fields)?:
      parts.append("multipart {" + fields.map { "\($0.name): \(content(of: $0))" }.joined(separator: ", ") + "}")
      _ = random.next()
    case .file(let file, _)?: parts.append("file \(file.path) (\(file.bytes.count) bytes)")
    case nil: break
    }
    if let reuse = call.reuse { parts.append("(\(reuse.text))") }
    write(parts.joined(separator: " "), depth)
    // A run evaluates these for each request, and may generate values for them.
    for header in script.client.headers where !header.isDrawnOnce { _ = value(header.value) }
  }

  private mutating func content(of part: PartTemplate) -> String {
    switch part.content {
    case .value(let template): text(template)
    case .file(let file): "\(file.path) (\(file.bytes.count) bytes)"
    }
  }

  private mutating func text(_ templates: [NamedTemplate]) -> String {
    "{" + templates.map { "\($0.name): \(text($0.value))" }.joined(separator: ", ") + "}"
  }

  private mutating func text(_ template: Template) -> String {
    value(template)?.text ?? template.source
  }
}
