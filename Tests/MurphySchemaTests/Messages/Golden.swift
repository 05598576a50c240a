import Foundation
import Testing

/// Texts that people read, held against files in `Goldens`. With `MURPHY_RECORD=1` the files are written anew, and
/// the run fails, so that a recording never passes for a test.
enum Golden {
  static func expect(_ text: String, is name: String, sourceLocation: SourceLocation = #_sourceLocation) throws {
    let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent("Goldens")
    let file = folder.appendingPathComponent(name)
    if ProcessInfo.processInfo.environment["MURPHY_RECORD"] != nil {
      try text.write(to: file, atomically: true, encoding: .utf8)
      Issue.record(
        "recorded \(name): look at the difference, and run again without MURPHY_RECORD", sourceLocation: sourceLocation)
      return
    }
    let golden = try String(contentsOf: file, encoding: .utf8)
    #expect(text == golden, "\(name) differs; MURPHY_RECORD=1 writes it anew", sourceLocation: sourceLocation)
  }
}
