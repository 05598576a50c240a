import MurphyModel

/// `repeat:` and `while:`: steps taken several times. `index` counts the turns from 0.
package struct LoopStep: Sendable {
  /// A loop with only a condition ends after this many turns.
  package static let mostTurns = 10_000

  /// How many turns, drawn once when the loop begins.
  package var count: CountValue
  /// Asked before each turn; the loop ends when it is false.
  package var condition: Formula?
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
