import MurphyJSON
import MurphyModel
import MurphyScenario

extension SessionRun {
  func evaluate(_ template: Template) throws(SessionEnd) -> JSONValue {
    do throws(EvaluationError) {
      return try template.evaluate(in: &scope, random: &random)
    } catch {
      throw failure(error)
    }
  }

  func evaluate(_ duration: DurationValue) throws(SessionEnd) -> Int64 {
    do throws(EvaluationError) {
      return try duration.evaluate(in: &scope, random: &random)
    } catch {
      throw failure(error)
    }
  }

  func evaluate(_ count: CountValue) throws(SessionEnd) -> Int {
    do throws(EvaluationError) {
      return try count.evaluate(in: &scope, random: &random)
    } catch {
      throw failure(error)
    }
  }

  func isTrue(_ condition: Formula) throws(SessionEnd) -> Bool {
    do throws(EvaluationError) {
      return try condition.isTrue(in: &scope, random: &random)
    } catch {
      throw failure(error)
    }
  }

  /// Names the step, so that equal reasons of different steps are counted apart.
  func failure(_ error: EvaluationError) -> SessionEnd { .failed("\(doing): \(error.text)") }

  func assign(_ assignments: [Assignment]) throws(SessionEnd) {
    for assignment in assignments {
      let value = try evaluate(assignment.value)
      scope[assignment.variable] = value
      if assignment.value.isSecret(in: scope) { scope.keepSecret(assignment.variable) }
      trace(saved: assignment.variable, value)
      trail.derive(assignment.variable, from: assignment.value.variables)
    }
  }
}
