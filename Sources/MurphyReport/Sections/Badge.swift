import MurphyModel

/// An outcome as a sign and a word, so that it can be distinguished without colour.
enum Badge {
  static func of(_ outcome: Check.State, _ word: String? = nil) -> Markup {
    badge(outcome.sign, word ?? outcome.word, style(outcome))
  }

  static func of(_ severity: Finding.Severity) -> Markup {
    switch severity {
    case .error: badge("✗", "error", "broken")
    case .warning: badge("!", "warning", "doubt")
    case .note: badge("i", "note", "none")
    }
  }

  static func of(_ verdict: LimitRow.Verdict) -> Markup {
    switch verdict {
    case .overAdmission: badge("✗", "over-admission", "broken")
    case .overThrottling: badge("✗", "over-throttling", "broken")
    case .contradictory: badge("✗", "contradictory", "broken")
    case .consistent: badge("✓", "passed", "kept")
    case .inconclusive: badge("○", "not tested", "none")
    }
  }

  /// The stylesheet's class of an outcome.
  static func style(_ outcome: Check.State) -> String {
    switch outcome {
    case .passed: "kept"
    case .failed: "broken"
    case .noData, .notTested, .notRequired: "none"
    case .doubtful, .unchecked: "doubt"
    }
  }

  private static func badge(_ sign: String, _ word: String, _ style: String) -> Markup {
    element(.span, .class("badge \(style)")) {
      element(.span, .class("sign"), .decorative, text: sign)
      word
    }
  }
}
