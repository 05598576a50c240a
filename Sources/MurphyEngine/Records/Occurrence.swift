import MurphyModel

/// One time that something was found.
struct Occurrence {
  var kind: FindingKind
  /// Nil for what is usual for the kind.
  var severity: Finding.Severity?
  /// Index into the contract's operations; nil for the whole run.
  var operation: Int?
  /// What failed and what was expected; holds no value of one answer, and does not begin with the operation, which
  /// every report says before it.
  var message: String
  var details: [String] = []
  /// Equal for equal findings: holds no value of one answer.
  var discriminator: String
  var at: Instant
  /// The whole sentence, for when all that was found is equal; nil where it is the message and what was found.
  var whole: String?
  /// What was found this time, once for each place; counted by value and said behind the message.
  var found: [String] = []
  /// What a step of the scenario expected.
  var expectation: StepExpectation?
  /// Places of the answer that show it.
  var places = 1
}
