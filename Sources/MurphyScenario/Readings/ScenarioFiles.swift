import MurphyModel

/// How a scenario's files are read: from the disk, or from a test's memory.
package struct ScenarioFiles: Sendable {
  /// The bytes of a file; throws what a person can read.
  package var read: @Sendable (String) throws -> [UInt8]

  package init(read: @escaping @Sendable (String) throws -> [UInt8]) { self.read = read }

  package static let disk = ScenarioFiles { path in try BoundedFile.readNamed(path, limit: BoundedFile.data) }

  /// `path` as seen from the folder of `file`.
  package static func path(_ path: String, relativeTo file: String) -> String {
    guard !path.hasPrefix("/"), let slash = file.lastIndex(of: "/") else { return path }
    return String(file[...slash]) + path
  }
}
