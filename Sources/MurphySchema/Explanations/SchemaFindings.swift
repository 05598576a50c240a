/// What a schema says of a value.
struct SchemaFindings {
  enum Truth { case valid, invalid, unchecked }

  var truth = Truth.valid
  var violations: [SchemaViolation] = []
  /// Why it is unchecked.
  var reason: String?
  var evaluated = Evaluated()
  /// An `anyOf` and the like failed, so that what its branches evaluated is not known.
  var isBlurred = false

  static func unchecked(_ reason: String) -> SchemaFindings { SchemaFindings(truth: .unchecked, reason: reason) }

  var verdict: SchemaVerdict {
    switch truth {
    case .valid: .valid
    case .invalid: .invalid
    case .unchecked: .unchecked(reason ?? "not checked")
    }
  }

  /// Both must hold: what is known to be invalid stays so, whatever could not be checked.
  mutating func require(_ other: SchemaFindings) {
    switch other.truth {
    case .valid: break
    case .invalid:
      truth = .invalid
      violations += other.violations
    case .unchecked:
      if truth == .valid { truth = .unchecked }
      reason = reason ?? other.reason
    }
  }

}
