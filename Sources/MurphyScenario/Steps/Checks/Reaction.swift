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

  package init(_ trigger: Trigger, _ reaction: Reaction, steps: [Step] = []) {
    self.trigger = trigger
    self.reaction = reaction
    self.steps = steps
  }
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
