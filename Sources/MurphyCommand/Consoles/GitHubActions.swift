import Foundation
import Murphy

/// The output for GitHub Actions: the step summary and annotations (workflow commands).
enum GitHubActions {
  static func publish(_ result: RunResult) {
    guard Console.isWorkflow else { return }
    let annotations = GitHubAnnotations(result).text
    if !annotations.isEmpty {
      Console.printWorkflowCommands(annotations.hasSuffix("\n") ? annotations : annotations + "\n")
    }
    append(MarkdownReport(result).text + "\n")
  }

  /// The verdict of a verb that is not a run, as an annotation unless it is a PASS.
  static func annotate(_ title: String, _ verdict: Verdict, reason: String?) {
    guard Console.isWorkflow, verdict != .pass else { return }
    let name = GitHubAnnotations.property("\(title): \(verdict.word)")
    let kind = verdict == .fail ? "error" : "warning"
    Console.printWorkflowCommands("::\(kind) title=\(name)::\(GitHubAnnotations.message(reason ?? verdict.word))\n")
  }

  /// Adds Markdown to the step's summary; no effect outside of a workflow.
  static func append(_ markdown: String) {
    guard Console.isWorkflow, let path = ProcessInfo.processInfo.environment["GITHUB_STEP_SUMMARY"], !path.isEmpty
    else { return }
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
