/// Steps under one name, for people to read.
package struct GroupStep: Sendable {
  package var name: String
  package var steps: [Step]

  package init(name: String, steps: [Step]) {
    self.name = name
    self.steps = steps
  }
}
