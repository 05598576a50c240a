import MurphyContract
import MurphyModel

/// Judges answers; one per loop.
protocol ResponseChecker: AnyObject {
  func check(_ response: ResponseView, operation: Int) -> Judgement
  /// What of the contract was seen, in the contract's order.
  var coverage: [CoverageItem] { get }
}

/// Until the contract's own judge is there.
final class JudgeChecker: ResponseChecker {
  init(context: RunContext) {}

  func check(_ response: ResponseView, operation: Int) -> Judgement { .unchecked("no judge") }

  var coverage: [CoverageItem] { [] }
}
