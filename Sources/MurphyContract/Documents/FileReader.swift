import Foundation

/// Where documents come from: the disk, or a test's dictionary.
package struct FileReader: Sendable {
  /// The bytes of the file at an absolute path.
  package let read: @Sendable (_ path: String) throws -> [UInt8]

  package init(_ read: @escaping @Sendable (_ path: String) throws -> [UInt8]) { self.read = read }

  /// The file system.
  package static let files = FileReader { path in
    Array(try Data(contentsOf: URL(fileURLWithPath: path)))
  }

  /// Absolute and without `.` and `..`, but with symbolic links as they are.
  package static func absolute(_ file: String, relativeTo directory: String? = nil) -> String {
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

  package static func directory(of path: String) -> String {
    path.lastIndex(of: "/").map { String(path[..<$0]) } ?? "."
  }
}
