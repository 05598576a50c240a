import MurphyModel

/// One time that something was found.
struct Occurrence {
  var kind: String
  var severity: Finding.Severity = .error
  /// Index into the contract's operations; nil for the whole run.
  var operation: Int?
  var message: String
  var details: [String] = []
  /// Equal for equal findings: holds no value of one answer.
  var discriminator: String
  var at: Instant
}
