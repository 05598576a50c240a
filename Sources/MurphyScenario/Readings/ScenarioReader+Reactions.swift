import MurphyContract
import MurphyModel

extension ScenarioReader {
  /// `on:` of a call, in the order of the file.
  func reactions(_ node: MarkedValue?) -> [AnswerReaction] {
    mapping(node, "on").compactMap { name, keyNode, value in
      if case .array = value.content {
        let steps = within("on") { within(name) { self.steps(value) } }
        return trigger(name, at: keyNode).map { AnswerReaction(trigger: $0, reaction: .proceed, steps: steps) }
      }
      let reaction = choice(value, "a reaction", Reaction.self)
      let trigger = trigger(name, at: keyNode)
      guard let reaction, let trigger else { return nil }
      if trigger == .transport, reaction == .wait {
        report("wait needs a response with Retry-After; use continue or end", at: value)
      }
      if trigger == .offline, reaction == .wait {
        report("the offline step sets how long a user is offline; use continue, end or a list of steps", at: value)
      }
      return AnswerReaction(trigger: trigger, reaction: reaction)
    }
  }

  /// `429`, `5XX`, `error` or `offline`.
  private func trigger(_ name: String, at node: MarkedValue) -> Trigger? {
    switch name {
    case "error": .transport
    case "offline": .offline
    default: statusPattern(name, at: node).map { .status($0) }
    }
  }

  /// `retry:` of a call.
  func retry(_ node: MarkedValue?) -> RetryRule? {
    guard let node, let entries = entries(node, .retry) else { return nil }
    guard let on = entries["on"] else { return nil }
    if on.items.isEmpty { report("retry needs outcomes, such as on: [error, 5XX]", at: on) }
    var rule = RetryRule(
      triggers: on.items.compactMap { item in text(item, "an outcome").flatMap { trigger($0, at: item) } })
    if rule.triggers.contains(.offline) {
      report("offline no request is sent, so none can be retried; use error or a status", at: on)
    }
    if let times = whole(entries["times"], "times", 1...100) { rule.times = times }
    if let wait = duration(entries["wait"], "wait", positive: true) { rule.wait = wait }
    if let node = entries["factor"], let factor = share(node, "a factor") {
      if factor >= 1 { rule.factor = factor } else { report("a factor is 1 or more; found \(found(node))", at: node) }
    }
    if let longest = duration(entries["longest"], "longest", positive: true) { rule.longest = longest }
    if let jitter = percentage(entries["jitter"], "jitter") { rule.jitter = jitter }
    if let hint = choice(entries["retry-after"], "retry-after", RetryRule.Hint.self) { rule.hint = hint }
    if rule.longest < rule.wait { report("the longest wait is shorter than the first", at: entries.keyNode("longest")) }
    return rule
  }

  /// Warns of every entry of `on:` that does not change the session's behaviour. A written `end` makes the end a part
  /// of the script. So it always has an effect if it is reached.
  func warnOfIdleReactions(_ node: MarkedValue?, in call: CallStep) {
    guard let node, case .object = node.content else { return }
    let written = pairs(node)
    guard written.count == call.reactions.count else { return }
    for (index, entry) in call.reactions.enumerated() {
      var without = call
      without.reactions.remove(at: index)
      if entry.trigger == .offline, !flow.isOffline, parts.openGroups.isEmpty {
        warn("offline: this call is not within offline", at: written[index].keyNode)
      } else if entry.steps.isEmpty,
        let reason = idle(entry.trigger, of: call, without, Array(call.reactions.prefix(index)))
      {
        warn("\(written[index].key): \(entry.reaction.rawValue) changes nothing: \(reason)", at: written[index].keyNode)
      }
    }
  }

  /// The reason why an entry has no effect; nil if it has one.
  private func idle(
    _ trigger: Trigger, of call: CallStep, _ without: CallStep, _ earlier: [AnswerReaction]
  ) -> String? {
    if trigger == .offline {
      return call.isWrite
        ? "what the user writes offline is kept and sent afterwards"
        : call.writtenForOffline?.reaction == .proceed
          ? "without a cached response the session continues anyway" : nil
    }
    guard case .status(let pattern) = trigger else {
      return call.reactionToTransportFailure == without.reactionToTransportFailure
        && call.scriptsEndAtTransportFailure == without.scriptsEndAtTransportFailure
        ? "without a response the session \(without.reactionToTransportFailure.sentence) anyway" : nil
    }
    let open = pattern.range.filter { status in
      !earlier.contains { $0.trigger.matches(status) }
    }
    if open.isEmpty { return "the entries before it apply to every such status" }
    if open.allSatisfy({ call.checks.refuses($0) }), call.checks.onFailure == .end {
      return "a response with a status that `expect: status` does not name ends the session; name it there, or write "
        + "on-failure: continue"
    }
    let differs = open.contains { status in
      !(call.checks.refuses(status) && call.checks.onFailure == .end)
        && (call.reaction(to: status) != without.reaction(to: status)
          || call.scriptsEnd(at: status) != without.scriptsEnd(at: status))
    }
    return differs ? nil : "after such a response the session \(without.reaction(to: open[0]).sentence) anyway"
  }
}

extension Reaction {
  /// The words after "the session".
  fileprivate var sentence: String {
    switch self {
    case .proceed: "continues"
    case .end: "ends"
    case .wait: "waits"
    }
  }
}
