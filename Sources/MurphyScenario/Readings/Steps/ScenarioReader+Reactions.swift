import MurphyDocument
import MurphyModel

extension ScenarioReader {
  /// `on:` of a call, in the order written.
  func reactions(_ node: MarkedValue?) -> [(trigger: Trigger, reaction: Reaction)] {
    guard let node else { return [] }
    return mapping(node, "on").compactMap { name, keyNode, value in
      let reaction = choice(value, "a reaction", Reaction.self)
      let trigger: Trigger? = name == "error" ? .transport : statusPattern(name, at: keyNode).map { .status($0) }
      guard let reaction, let trigger else { return nil }
      if trigger == .transport, reaction == .wait {
        report("nobody says how long to wait when no answer came; take continue or end", at: value)
      }
      return (trigger, reaction)
    }
  }

  /// Warns of every entry of `on:` without which a session would do the same. A written `end` makes the end a part of
  /// the script, so it is never idle where it is reached.
  func warnOfIdleReactions(_ node: MarkedValue?, in call: CallStep) {
    guard let node, case .object = node.content else { return }
    let written = pairs(node)
    guard written.count == call.reactions.count else { return }
    for (index, entry) in call.reactions.enumerated() {
      var without = call
      without.reactions.remove(at: index)
      if let reason = Self.idle(entry.trigger, of: call, without, Array(call.reactions.prefix(index))) {
        warn("\(written[index].key): \(entry.reaction.rawValue) changes nothing: \(reason)", at: written[index].keyNode)
      }
    }
  }

  /// Why an entry changes nothing; nil when it does.
  private static func idle(
    _ trigger: Trigger, of call: CallStep, _ without: CallStep, _ earlier: [(trigger: Trigger, reaction: Reaction)]
  ) -> String? {
    guard case .status(let pattern) = trigger else {
      return call.reactionToTransportFailure == without.reactionToTransportFailure
        && call.scriptsEndAtTransportFailure == without.scriptsEndAtTransportFailure
        ? "without an answer the session \(without.reactionToTransportFailure.sentence) anyway" : nil
    }
    let open = pattern.range.filter { status in
      !earlier.contains { if case .status(let before) = $0.trigger { before.matches(status) } else { false } }
    }
    if open.isEmpty { return "the entries before it hold for every such status" }
    if open.allSatisfy({ call.checks.refuses($0) }), call.checks.onFailure == .end {
      return "an answer with a status that `expect: status` does not name ends the session; name it there, or write "
        + "on-failure: continue"
    }
    let differs = open.contains { status in
      !(call.checks.refuses(status) && call.checks.onFailure == .end)
        && (call.reaction(to: status) != without.reaction(to: status)
          || call.scriptsEnd(at: status) != without.scriptsEnd(at: status))
    }
    return differs ? nil : "after such an answer the session \(without.reaction(to: open[0]).sentence) anyway"
  }
}

extension Reaction {
  /// Behind "the session".
  fileprivate var sentence: String {
    switch self {
    case .proceed: "goes on"
    case .end: "ends"
    case .wait: "waits"
    }
  }
}
