import MurphyModel

/// `set:` gives names to values, in the order written.
package struct SetStep: Sendable {
  package var assignments: [Assignment]

  package init(assignments: [Assignment]) { self.assignments = assignments }

  /// Assigns what can be known without an answer, and forgets the rest.
  package func assignKnown(in scope: inout Scope, random: inout RandomSource) {
    for assignment in assignments {
      scope[assignment.variable] = try? assignment.value.evaluate(in: &scope, random: &random)
    }
  }
}

/// A name and the value it is given.
package struct Assignment: Sendable {
  package var variable: Variable
  package var value: Template

  package init(variable: Variable, value: Template) {
    self.variable = variable
    self.value = value
  }
}
