import MurphyModel

/// A scenario that cannot be used, with every mistake that was found in it.
public struct ScenarioError: Error, Sendable, CustomStringConvertible {
  /// Mistakes and warnings in the file's order.
  public let diagnostics: [Diagnostic]

  public init(diagnostics: [Diagnostic]) {
    self.diagnostics = diagnostics.sorted {
      ($0.mark.file, $0.mark.line, $0.mark.column) < ($1.mark.file, $1.mark.line, $1.mark.column)
    }
  }

  public var mistakes: Int { diagnostics.count { $0.severity == .error } }

  public var description: String { diagnostics.map(\.text).joined(separator: "\n\n") }
}
