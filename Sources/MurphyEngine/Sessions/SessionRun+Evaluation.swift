import MurphyScenario
import MurphySchema

extension SessionRun {
  func evaluate(_ template: Template) throws(SessionEnd) -> JSONValue {
    try evaluating { () throws(EvaluationError) in try template.evaluate(in: &scope, random: &random) }
  }

  func evaluate(_ duration: DurationValue) throws(SessionEnd) -> Int64 {
    try evaluating { () throws(EvaluationError) in try duration.evaluate(in: &scope, random: &random) }
  }

  func evaluate(_ count: CountValue) throws(SessionEnd) -> Int {
    try evaluating { () throws(EvaluationError) in try count.evaluate(in: &scope, random: &random) }
  }

  func isTrue(_ condition: Formula) throws(SessionEnd) -> Bool {
    try evaluating { () throws(EvaluationError) in try condition.isTrue(in: &scope, random: &random) }
  }

  @inline(__always)
  func evaluating<Value>(_ body: () throws(EvaluationError) -> Value) throws(SessionEnd) -> Value {
    do throws(EvaluationError) { return try body() } catch { throw failure(error) }
  }

  /// Names the step, so that equal reasons of different steps are counted separately.
  private func failure(_ error: EvaluationError) -> SessionEnd { .failed("\(doing): \(error.text)") }

  func assign(_ assignments: [Assignment]) throws(SessionEnd) {
    for assignment in assignments {
      let value = try evaluate(assignment.value)
      scope[assignment.variable] = value
      if assignment.value.isSecret(in: scope) { scope.keepSecret(assignment.variable) }
      trace(saved: assignment.variable, value)
      history.derive(assignment.variable, from: assignment.value.variables)
    }
  }
}
