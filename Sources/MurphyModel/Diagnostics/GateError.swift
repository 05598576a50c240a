/// Why murphy could not do its job; what the API did wrong is a `Finding` instead.
public enum GateError: Error, Sendable, CustomStringConvertible {
  /// Wrong usage: a sentence.
  case usage(String)
  /// Mistakes in files, all that were found.
  case mistakes([Diagnostic])
  /// The target cannot be reached: a sentence.
  case unreachable(String)

  public var description: String {
    switch self {
    case .usage(let sentence), .unreachable(let sentence): sentence
    case .mistakes(let diagnostics): diagnostics.map(\.text).joined(separator: "\n")
    }
  }

  /// The status with which the command ends.
  public var exitStatus: ExitStatus {
    switch self {
    case .usage, .mistakes: .usage
    case .unreachable: .unreachable
    }
  }
}
