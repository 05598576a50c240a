import Foundation
import Murphy

/// What GitHub Actions shows of a run: the step summary and annotations (workflow commands).
enum GitHubActions {
  static func publish(_ result: RunResult, environment: [String: String] = ProcessInfo.processInfo.environment) {
    guard environment["GITHUB_ACTIONS"] == "true" else { return }
    let annotations = GitHubAnnotations(result).text
    if !annotations.isEmpty {
      Console.printWorkflowCommands(annotations.hasSuffix("\n") ? annotations : annotations + "\n")
    }
    append(MarkdownReport(result).text + "\n", environment: environment)
  }

  /// Adds Markdown to the step's summary; nothing outside of a workflow.
  static func append(_ markdown: String, environment: [String: String] = ProcessInfo.processInfo.environment) {
    guard environment["GITHUB_ACTIONS"] == "true", let path = environment["GITHUB_STEP_SUMMARY"], !path.isEmpty else {
      return
    }
    if !FileManager.default.fileExists(atPath: path) {
      _ = FileManager.default.createFile(atPath: path, contents: nil)
    }
    guard let handle = FileHandle(forWritingAtPath: path), (try? handle.seekToEnd()) != nil,
      (try? handle.write(contentsOf: Data(markdown.utf8))) != nil
    else {
      Console.error("murphy: cannot append to $GITHUB_STEP_SUMMARY (\(path)); the summary is in the report folder.")
      return
    }
  }
}
