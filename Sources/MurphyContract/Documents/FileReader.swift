import Foundation
import MurphyModel

/// Reads documents: from the disk, or from a test's dictionary.
package struct FileReader: Sendable {
  /// The bytes of the file at an absolute path.
  package let read: @Sendable (_ path: String) throws -> [UInt8]
  /// Absolute folders that references may lead to, in addition to that of the first document.
  package var folders: [String] = []
  /// Resolves the symbolic links of an absolute path.
  private let followed: @Sendable (_ path: String) -> String
  /// True if a path exists and is not a regular file: a folder, a device, a named pipe.
  let isSpecial: @Sendable (_ path: String) -> Bool

  package init(
    followed: @escaping @Sendable (_ path: String) -> String = { $0 },
    isSpecial: @escaping @Sendable (_ path: String) -> Bool = { _ in false },
    _ read: @escaping @Sendable (_ path: String) throws -> [UInt8]
  ) {
    self.read = read
    self.followed = followed
    self.isSpecial = isSpecial
  }

  /// The variable with further folders that references may lead to, separated by colons.
  static let foldersVariable = "MURPHY_ALLOW_REFERENCES"

  package static let files: FileReader = {
    var reader = FileReader(
      followed: { URL(fileURLWithPath: $0).resolvingSymlinksInPath().path },
      isSpecial: { access($0, F_OK) == 0 && !BoundedFile.isRegular($0) },
      { path in try BoundedFile.read(path, limit: BoundedFile.contract) })
    let allowed = ProcessInfo.processInfo.environment[foldersVariable] ?? ""
    reader.folders = allowed.split(separator: ":").map { absolute(String($0)) }
    return reader
  }()

  /// The same reader, extended by documents from other sources, by path.
  func serving(_ documents: [String: [UInt8]]) -> FileReader {
    let read = read
    var reader = FileReader(followed: followed, isSpecial: isSpecial) { path in try documents[path] ?? read(path) }
    reader.folders = folders
    return reader
  }

  /// True if a reference in a contract may lead to `path`. A contract from another source must not read this machine's
  /// files.
  ///
  /// - Parameter root: the path of the contract's first document.
  package func permits(_ path: String, from root: String) -> Bool {
    let target = followed(path)
    let homes = [Self.directory(of: followed(root)), followed(Self.directory(of: root))]
    return (homes + folders.map(followed)).contains { folder in
      target.hasPrefix(folder.hasSuffix("/") ? folder : folder + "/")
    }
  }

  /// An absolute path without `.` and `..`; symbolic links are not resolved.
  ///
  /// The URL of a fetched document is not changed.
  package static func absolute(_ file: String, relativeTo directory: String? = nil) -> String {
    if file.hasPrefix("http://") || file.hasPrefix("https://") { return file }
    let base = directory ?? FileManager.default.currentDirectoryPath
    let joined = file.hasPrefix("/") ? file : base + "/" + file
    return normalized(joined)
  }

  /// Without `.` and `name/..`; a relative path stays relative.
  package static func normalized(_ path: String) -> String {
    var parts: [Substring] = []
    for part in path.split(separator: "/") where part != "." {
      if part == "..", let last = parts.last, last != ".." {
        parts.removeLast()
      } else if part != ".." || !path.hasPrefix("/") {
        parts.append(part)
      }
    }
    return (path.hasPrefix("/") ? "/" : "") + parts.joined(separator: "/")
  }

  /// `.` for a path without a folder.
  package static func directory(of path: String) -> String {
    path.lastIndex(of: "/").map { String(path[..<$0]) } ?? "."
  }
}
