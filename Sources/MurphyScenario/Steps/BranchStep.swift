/// `if:` and `else:`.
package struct BranchStep: Sendable {
  package var condition: Formula
  package var steps: [Step]
  package var otherwise: [Step]

  package init(condition: Formula, steps: [Step], otherwise: [Step] = []) {
    self.condition = condition
    self.steps = steps
    self.otherwise = otherwise
  }
}
