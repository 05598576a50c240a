import Foundation
import MurphyContract

/// Files of this repository, found from where this source file lies.
enum Repository {
  static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent()

  static func path(_ relative: String) -> String { root.appendingPathComponent(relative).path }

  static let referenceContract = path("scenarios/murphys-laws/openapi.yaml")
}

extension FileReader {
  /// A file system that holds `files`, by absolute path.
  static func memory(_ files: [String: String]) -> FileReader {
    FileReader { path in
      guard let text = files[path] else { throw CocoaError(.fileReadNoSuchFile) }
      return Array(text.utf8)
    }
  }
}
