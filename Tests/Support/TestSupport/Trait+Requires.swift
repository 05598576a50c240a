import Foundation
import Testing

extension Trait where Self == ConditionTrait {
  /// Skips a test, and says why, where one of its tools is missing. In CI it runs all the same and fails, since
  /// `Tool.path` throws what is missing.
  public static func requires(_ tools: Tool..., sourceLocation: SourceLocation = #_sourceLocation) -> Self {
    let missing = tools.filter { $0.installed == nil }
    return .enabled(
      if: missing.isEmpty || Tool.areRequired,
      Comment(rawValue: missing.map { Tool.Missing(tool: $0).description }.joined(separator: "; ")),
      sourceLocation: sourceLocation)
  }

  /// Skips a test, and says why, where public data that it reads was not downloaded.
  public static func requires(data folder: URL, sourceLocation: SourceLocation = #_sourceLocation) -> Self {
    .enabled(
      if: FileManager.default.fileExists(atPath: folder.path), "`make conformance` downloads it",
      sourceLocation: sourceLocation)
  }
}
