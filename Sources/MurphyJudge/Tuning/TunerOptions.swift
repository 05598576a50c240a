import MurphyModel

/// What the tuner tries, and what is good enough.
public struct TunerOptions: Sendable {
  public var windows: [Double]
  public var allowances: [Int]
  public var algorithms: [LimitAlgorithm]
  /// Shares of honest sessions that may be throttled, one recommendation for each.
  public var targets: [Double]
  /// The scenario's policies: drawn and answered for.
  public var declared: [LimitPolicy]
  public var questions: [WhatIf]
  public var seed: UInt64

  public init(
    windows: [Double] = [1, 10, 60, 300],
    allowances: [Int] = [5, 10, 15, 20, 30, 40, 60, 80, 100, 150, 200, 300, 400, 600, 1000],
    algorithms: [LimitAlgorithm] = [.fixed, .slidingLog, .slidingCounter, .tokenBucket],
    targets: [Double] = [0.001, 0.01], declared: [LimitPolicy] = [], questions: [WhatIf] = [], seed: UInt64 = 1
  ) {
    self.windows = windows
    self.allowances = allowances
    self.algorithms = algorithms
    self.targets = targets
    self.declared = declared
    self.questions = questions
    self.seed = seed
  }
}
