/// `set:` gives names to values, in the order written.
package struct SetStep: Sendable {
  package var assignments: [Assignment]

  package init(assignments: [Assignment]) { self.assignments = assignments }
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
