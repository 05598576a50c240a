/// A call as a step of a session: one reference, so that to hand it on copies nothing, with what every turn asks for
/// worked out once.
package final class Call: Sendable {
  package let step: CallStep
  /// Whether every request of the step is the same, so that it can be serialised once.
  package let isConstant: Bool
  /// Every variable that its request reads.
  package let variables: [Variable]

  package init(_ step: CallStep) {
    self.step = step
    isConstant = step.isConstant
    variables = step.variables
  }
}
