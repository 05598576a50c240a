import Foundation
import TestSupport

/// A line of bash in which `$MURPHY` is the program under test.
enum Shell {
  struct Outcome {
    var said: Program.Outcome
    /// Wall clock.
    var seconds: Double
  }

  /// Runs to the end, and ends what runs longer than `limit` seconds with status 137.
  ///
  /// - Parameters:
  ///   - folder: the working folder.
  ///   - limit: generous: a machine that tests is busy.
  static func run(
    _ line: String, in folder: String = Repository.root, environment: [String: String] = [:], limit: Double = 120
  ) async throws -> Outcome {
    var variables = environment
    variables["MURPHY"] = Program.folder.appending(path: "murphy").path
    let begin = ContinuousClock.now
    let said = try await Program(executable: Tool.timeout.path).run(
      ["-s", "KILL", "\(limit)", "/bin/bash", "-c", "set -o pipefail; " + line], in: folder, environment: variables,
      limit: limit + 30)
    return Outcome(said: said, seconds: (ContinuousClock.now - begin) / .seconds(1))
  }

  /// Characters that a terminal acts on, line feeds and tabs aside.
  static func controls(in text: String) -> [Unicode.Scalar] {
    text.unicodeScalars.filter { scalar in
      scalar != "\n" && scalar != "\t"
        && (scalar.properties.generalCategory == .control || "\u{202A}"..."\u{202E}" ~= scalar)
    }
  }
}
