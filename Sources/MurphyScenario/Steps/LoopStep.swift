import MurphyModel

/// `repeat:`, `while:` and `poll:`: steps taken several times. `index` counts the turns from 0.
package struct LoopStep: Sendable {
  /// A loop with only a condition ends after this many turns.
  package static let mostTurns = 10_000
  /// A poll gives up after this many requests, where it does not say how many.
  package static let mostPolls = 100

  /// How many turns, drawn once when the loop begins.
  package var count: CountValue
  /// Asked before each turn; the loop ends when it is false.
  package var condition: Formula?
  /// Asked after each turn; the loop ends when it is true, and with it the session fails that never sees it true.
  package var until: Formula?
  /// From the beginning of one turn to that of the next, which never comes before the end of the first; nil for none.
  package var every: DurationValue?
  /// The turn's number under a name of its own, for loops within loops.
  package var counter: Variable?
  package var steps: [Step]

  package init(count: CountValue, condition: Formula? = nil, counter: Variable? = nil, steps: [Step]) {
    self.count = count
    self.condition = condition
    self.counter = counter
    self.steps = steps
  }
}
