import Foundation
import Testing

/// Texts that people read, held against files in `Goldens`. `MURPHY_RECORD=1` writes them anew and fails.
enum Golden {
  static let folder = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Goldens")

  static func check(_ text: String, _ name: String, sourceLocation: SourceLocation = #_sourceLocation) throws {
    let file = folder.appending(path: name)
    if ProcessInfo.processInfo.environment["MURPHY_RECORD"] != nil {
      try Data(text.utf8).write(to: file)
      Issue.record("recorded \(name): look at the difference, and run again", sourceLocation: sourceLocation)
      return
    }
    let golden = try String(contentsOf: file, encoding: .utf8)
    #expect(text == golden, "\(name) differs; MURPHY_RECORD=1 writes it anew", sourceLocation: sourceLocation)
  }

  static func input(_ name: String) throws -> String {
    try String(contentsOf: folder.appending(path: name), encoding: .utf8)
  }
}
