import MurphyModel

/// What a user does on an answer that is not the hoped-for one.
package enum Reaction: String, Sendable, CaseIterable {
  /// Goes on with the next step.
  case proceed = "continue"
  /// Leaves. Where `on:` says so the session has left as scripted, else it has failed; with the reason.
  case end
  /// Waits as long as `Retry-After` says, then sends the call once more; at most `mostWaits` times, then ends.
  case wait

  package static let mostWaits = 3
  /// Without a readable `Retry-After`, the wait is this long.
  package static let defaultWait: Duration = .seconds(1)
  /// A longer `Retry-After` ends the session instead.
  package static let longestWait: Duration = .seconds(120)
}

/// An entry of `on:`: what the user does after an answer.
package struct AnswerReaction: Sendable {
  package var trigger: Trigger
  package var reaction: Reaction
  /// What the user does before it goes on, where the entry is a list of steps; then the reaction is `continue`.
  package var steps: [Step] = []
}

/// On what a reaction is taken.
package enum Trigger: Sendable, Hashable {
  /// `429`, or a class: `4XX`.
  case status(StatusPattern)
  /// `error`: no complete answer came (refused, reset, timed out, cut off).
  case transport
  /// `offline`: the user has no network, and its client no answer.
  case offline

  /// As `on:` has it: `429`, `4XX`, `error`, `offline`.
  package var text: String {
    switch self {
    case .status(let pattern): pattern.text
    case .transport: "error"
    case .offline: "offline"
    }
  }

  package func matches(_ status: Int) -> Bool {
    if case .status(let pattern) = self { pattern.matches(status) } else { false }
  }
}

/// `retry:` what a client tries again by itself: which outcomes, how often, and after which wait.
///
///     wait before the k-th retry = wait · factor^(k − 1), at most `longest`, of which `jitter` is drawn evenly
///     and no less than `Retry-After` where that is honoured
package struct RetryRule: Sendable {
  /// Whether a `Retry-After` makes the wait longer.
  package enum Hint: String, Sendable, CaseIterable { case honoured, ignored }

  package var triggers: [Trigger]
  /// Retries of one call, at most.
  package var times = 2
  package var wait: Duration = .milliseconds(500)
  package var factor = 2.0
  package var longest: Duration = .seconds(30)
  /// The share of the wait that chance decides, from 0 to 1.
  package var jitter = 0.5
  package var hint = Hint.honoured

  package init(triggers: [Trigger]) { self.triggers = triggers }

  /// - Parameter status: 0 for no complete answer.
  package func applies(to status: Int) -> Bool {
    triggers.contains { status == 0 ? $0 == .transport : $0.matches(status) }
  }

  /// Nanoseconds before a retry.
  ///
  /// - Parameters:
  ///   - number: of the retry, from 1.
  ///   - chance: from 0 to 1.
  ///   - asked: nanoseconds that the answer asks to wait; 0 when it does not.
  package func wait(before number: Int, chance: Double, asked: Int64) -> Int64 {
    var wait = wait.inSeconds
    for _ in 1..<max(number, 1) where wait < longest.inSeconds { wait *= factor }
    let drawn = min(wait, longest.inSeconds) * (1 - jitter * chance)
    let own = Duration.saturating(seconds: drawn).nanoseconds
    return hint == .honoured ? max(own, asked) : own
  }
}

/// `cache:` and `dedupe:` of a call: when the user's client answers it from what it has.
///
/// Only answers that the step takes values from are kept: 2xx, and statuses that `expect:` names.
package struct ReuseRule: Sendable, Hashable {
  /// For how long after it came an answer stands for the same request.
  package var cache: Duration?
  /// Whether the request is sent whatever is kept: pull to refresh.
  package var refreshes = false
  /// For how long after it was sent a request stands for the same one, be it answered or not.
  package var dedupe: Duration?

  /// What stands for a request.
  package enum Age: Sendable, Hashable {
    /// It was sent so many nanoseconds before.
    case sent(Int64)
    /// It was sent so many nanoseconds before, and answered so many.
    case answered(sent: Int64, Int64)
  }

  /// Whether the request of that age stands for one that comes due now.
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
    [cache.map { "cache \($0.text)" + (refreshes ? " anew" : "") }, dedupe.map { "dedupe \($0.text)" }]
      .compactMap(\.self).joined(separator: ", ")
  }
}
