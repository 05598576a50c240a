import MurphyJudge
import MurphyModel

/// Every operation that was called got a response at least once.
enum AnsweredJudge: Judge {
  static func rule(on run: FinishedRun) -> JudgeResult {
    let silent = run.record.operations.filter { $0.sent > 0 && $0.outcomes.answered == 0 }
    return JudgeResult(
      findings: silent.map { operation in
        Finding(
          kind: .contractNotTested, severity: .error, operation: operation.operation,
          message: "none of \(operation.sent) requests was answered", count: operation.sent)
      })
  }
}
