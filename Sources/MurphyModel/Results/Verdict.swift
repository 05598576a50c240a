/// The final verdict of every run.
public enum Verdict: String, Sendable, Codable, CaseIterable {
  case pass
  /// The API failed a check.
  case fail
  /// The generator was the bottleneck, or the run was cut short: the API gets no verdict.
  case invalid
  /// A required budget, limit or check had too few samples.
  case noData = "no-data"
  /// One shard of a run was measured: `murphy merge` computes the verdict on all shards together.
  case shard

  /// The word printed last.
  public var word: String {
    switch self {
    case .pass: "PASS"
    case .fail: "FAIL"
    case .invalid: "INVALID"
    case .noData: "NO DATA"
    case .shard: "SHARD"
    }
  }

  /// The exit status of `murphy run`, unless the target was not reached: ``RunResult/exitStatus``.
  public var exitStatus: ExitStatus {
    switch self {
    case .pass, .shard: .pass
    case .fail: .fail
    case .invalid: .invalid
    case .noData: .noData
    }
  }
}

/// The exit status of the command, stable for scripts.
public enum ExitStatus: Int32, Sendable, Error {
  case pass = 0
  /// The API failed a check.
  case fail = 1
  /// Wrong usage, or an input file with mistakes.
  case usage = 2
  /// The target could not be reached.
  case unreachable = 3
  /// The generator was the bottleneck, or the run was cut short.
  case invalid = 4
  /// A required check had too few samples.
  case noData = 5
}
