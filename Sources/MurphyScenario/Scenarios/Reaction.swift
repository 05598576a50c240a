import MurphyContract
import MurphyModel

/// A user's reaction to a response that is not a success.
package enum Reaction: String, Sendable, CaseIterable {
  /// Continues with the next step.
  case proceed = "continue"
  /// Ends the session. With an entry in `on:`, the session ended as scripted. Otherwise it failed, with the reason.
  case end
  /// Waits for the time in `Retry-After`, then sends the call again. After `mostWaits` waits, the session ends.
  case wait

  /// The maximum number of waits for one step.
  package static let mostWaits = 3
  /// The wait without a readable `Retry-After`.
  package static let defaultWait: Duration = .seconds(1)
  /// A longer `Retry-After` ends the session instead.
  package static let longestWait: Duration = .seconds(120)
}

/// An entry of `on:`: the user's reaction to a response.
package struct AnswerReaction: Sendable {
  package var trigger: Trigger
  package var reaction: Reaction
  /// The user's steps before it continues, if the entry is a list of steps. Then the reaction is `continue`.
  package var steps: [Step] = []
}

/// The condition of a reaction.
package enum Trigger: Sendable, Hashable {
  /// `429`, or a class: `4XX`.
  case status(StatusPattern)
  /// `error`: no complete response was received (refused, reset, timed out, cut off).
  case transport
  /// `offline`: the user has no network, and its client has no cached response.
  case offline

  /// In the notation of `on:`: `429`, `4XX`, `error`, `offline`.
  package var text: String {
    switch self {
    case .status(let pattern): pattern.text
    case .transport: "error"
    case .offline: "offline"
    }
  }

  /// False for a trigger that is not a status.
  package func matches(_ status: Int) -> Bool {
    if case .status(let pattern) = self { pattern.matches(status) } else { false }
  }
}

/// `retry:` the automatic retries of a client: the outcomes, the number of retries, and the wait before each.
///
///     wait before the k-th retry = wait · factor^(k − 1), at most `longest`; the share `jitter` of it is
///     uniformly random, and it is no less than `Retry-After` if that is honoured
package struct RetryRule: Sendable {
  /// Decides if a `Retry-After` makes the wait longer.
  package enum Hint: String, Sendable, CaseIterable { case honoured, ignored }

  /// The outcomes that are retried.
  package var triggers: [Trigger]
  /// The maximum number of retries of one call.
  package var times = 2
  /// The wait before the first retry.
  package var wait: Duration = .milliseconds(500)
  /// The factor by which each wait exceeds the previous one.
  package var factor = 2.0
  /// The maximum wait.
  package var longest: Duration = .seconds(30)
  /// The random share of the wait, from 0 to 1.
  package var jitter = 0.5
  /// The use of `Retry-After`.
  package var hint = Hint.honoured

  package init(triggers: [Trigger]) { self.triggers = triggers }

  /// - Parameter status: 0 for no complete response.
  package func applies(to status: Int) -> Bool {
    triggers.contains { status == 0 ? $0 == .transport : $0.matches(status) }
  }

  /// Nanoseconds before a retry.
  ///
  /// - Parameters:
  ///   - number: of the retry, from 1.
  ///   - chance: from 0 to 1.
  ///   - asked: the wait in nanoseconds that the response requests; 0 for none.
  package func wait(before number: Int, chance: Double, asked: Int64) -> Int64 {
    var wait = wait.inSeconds
    for _ in 1..<max(number, 1) where wait < longest.inSeconds { wait *= factor }
    let drawn = min(wait, longest.inSeconds) * (1 - jitter * chance)
    let own = Duration.saturating(seconds: drawn).nanoseconds
    return hint == .honoured ? max(own, asked) : own
  }
}

/// `cache:` and `dedupe:` of a call: the rule by which the user's client answers it from its own data.
///
/// Only responses from which the step takes values are kept: 2xx, and statuses that `expect:` names.
package struct ReuseRule: Sendable, Hashable {
  /// The time after its arrival for which a response is reused for the same request.
  package var cache: Duration?
  /// True if the request is sent regardless of cached responses: pull to refresh.
  package var refreshes = false
  /// The time after its sending for which a request replaces an equal one, even before its response.
  package var dedupe: Duration?

  /// The age of an earlier equal request.
  package enum Age: Sendable, Hashable {
    /// It was sent this number of nanoseconds ago.
    case sent(Int64)
    /// It was sent, and answered, this number of nanoseconds ago.
    case answered(sent: Int64, Int64)
  }

  /// True if a request of that age replaces one that is due now.
  package func covers(_ age: Age) -> Bool {
    if refreshes { return false }
    switch age {
    case .sent(let sent): return dedupe.map { sent < $0.nanoseconds } ?? false
    case .answered(let sent, let answered):
      return covers(.sent(sent)) || (cache.map { answered < $0.nanoseconds } ?? false)
    }
  }

  /// `cache 1h, dedupe 5s`
  package var text: String {
    [cache.map { "cache \($0.text)" + (refreshes ? " refresh" : "") }, dedupe.map { "dedupe \($0.text)" }]
      .compactMap(\.self).joined(separator: ", ")
  }
}

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
        report(
          "\"wait\" is not allowed for \"error\", because no response says how long to wait; use \"continue\" or "
            + "\"end\"", at: value)
      }
      if trigger == .offline, reaction == .wait {
        report(
          "\"wait\" is not allowed for \"offline\", because the offline step sets the time; use continue, end or a "
            + "list of steps", at: value)
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
    if on.items.isEmpty { report("\"on\" is empty; write results of a request, such as on: [error, 5XX]", at: on) }
    var rule = RetryRule(
      triggers: on.items.compactMap { item in text(item, "an outcome").flatMap { trigger($0, at: item) } })
    if rule.triggers.contains(.offline) {
      report(
        "\"retry\" cannot contain \"offline\", because an offline user sends no request; use error or a status", at: on)
    }
    if let times = whole(entries["times"], "times", 1...100) { rule.times = times }
    if let wait = duration(entries["wait"], "wait", positive: true) { rule.wait = wait }
    if let node = entries["factor"], let factor = share(node, "a factor") {
      if factor >= 1 {
        rule.factor = factor
      } else {
        report("\"factor\" must be at least 1; found \(found(node))", at: node)
      }
    }
    if let longest = duration(entries["longest"], "longest", positive: true) { rule.longest = longest }
    if let jitter = percentage(entries["jitter"], "jitter") { rule.jitter = jitter }
    if let hint = choice(entries["retry-after"], "retry-after", RetryRule.Hint.self) { rule.hint = hint }
    if rule.longest < rule.wait {
      report("\"longest\" must not be shorter than \"wait\", the first waiting time", at: entries.keyNode("longest"))
    }
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
        warn("\"offline\" has no effect, because this call is not in an offline step", at: written[index].keyNode)
      } else if entry.steps.isEmpty,
        let reason = idle(entry.trigger, of: call, without, Array(call.reactions.prefix(index)))
      {
        warn("\(written[index].key): \(entry.reaction.rawValue) has no effect: \(reason)", at: written[index].keyNode)
      }
    }
  }

  /// The reason why an entry has no effect; nil if it has one.
  private func idle(
    _ trigger: Trigger, of call: CallStep, _ without: CallStep, _ earlier: [AnswerReaction]
  ) -> String? {
    if trigger == .offline {
      return call.isWrite
        ? "the client stores offline writes and sends them afterwards"
        : call.writtenForOffline?.reaction == .proceed
          ? "without a cached response, the session continues anyway" : nil
    }
    guard case .status(let pattern) = trigger else {
      return call.reactionToTransportFailure == without.reactionToTransportFailure
        && call.scriptsEndAtTransportFailure == without.scriptsEndAtTransportFailure
        ? "without a response, the session \(without.reactionToTransportFailure.sentence) anyway" : nil
    }
    let open = pattern.range.filter { status in
      !earlier.contains { $0.trigger.matches(status) }
    }
    if open.isEmpty { return "an earlier entry applies to each of these statuses" }
    if open.allSatisfy({ call.checks.refuses($0) }), call.checks.onFailure == .end {
      return "`expect: status` does not contain this status, so the response ends the session; add the status, or "
        + "write on-failure: continue"
    }
    let differs = open.contains { status in
      !(call.checks.refuses(status) && call.checks.onFailure == .end)
        && (reaction(of: call, to: status) != reaction(of: without, to: status)
          || call.scriptsEnd(at: status) != without.scriptsEnd(at: status))
    }
    return differs
      ? nil : "after such a response, the session \(reaction(of: without, to: open[0]).sentence) anyway"
  }

  /// The reaction by the status alone: the `refusals` of limits are not read at this point, so only 429 is a rejection.
  private func reaction(of call: CallStep, to status: Int) -> Reaction {
    call.reaction(to: status, isRejected: RefusalRule.tooManyRequests.matches(status: status, headers: []))
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
