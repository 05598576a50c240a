extension FindingRule {
  static func contract(_ severity: Finding.Severity, _ sentence: String) -> Self {
    Self(family: .contract, severity: severity, restsOnTiming: false, sentence: sentence)
  }

  static func limit(_ severity: Finding.Severity, _ sentence: String) -> Self {
    Self(family: .limit, severity: severity, restsOnTiming: false, sentence: sentence)
  }

  static func state(_ severity: Finding.Severity, _ sentence: String) -> Self {
    Self(family: .state, severity: severity, restsOnTiming: false, sentence: sentence)
  }

  static func budget(_ severity: Finding.Severity, _ sentence: String) -> Self {
    Self(family: .budget, severity: severity, restsOnTiming: true, sentence: sentence)
  }

  static func traffic(_ severity: Finding.Severity, _ sentence: String) -> Self {
    Self(family: .traffic, severity: severity, restsOnTiming: true, sentence: sentence)
  }

  static func relation(_ severity: Finding.Severity, _ sentence: String) -> Self {
    Self(family: .relation, severity: severity, restsOnTiming: false, sentence: sentence)
  }

  static func coverage(_ severity: Finding.Severity, _ sentence: String) -> Self {
    Self(family: .coverage, severity: severity, restsOnTiming: false, sentence: sentence)
  }

  static func transport(_ severity: Finding.Severity, _ sentence: String, timing: Bool = false) -> Self {
    Self(family: .transport, severity: severity, restsOnTiming: timing, sentence: sentence)
  }

  static func generator(_ severity: Finding.Severity, _ sentence: String) -> Self {
    Self(family: .generator, severity: severity, restsOnTiming: true, sentence: sentence)
  }

  static func explore(_ severity: Finding.Severity, _ sentence: String) -> Self {
    Self(family: .explore, severity: severity, restsOnTiming: false, sentence: sentence)
  }
}
