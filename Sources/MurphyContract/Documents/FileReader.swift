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
    var parts: [Substring] = []
    for part in joined.split(separator: "/") {
      if part == "." { continue }
      if part == ".." { _ = parts.popLast() } else { parts.append(part) }
    }
    return "/" + parts.joined(separator: "/")
  }

  package static func directory(of path: String) -> String {
    path.lastIndex(of: "/").map { String(path[..<$0]) } ?? "."
  }
}
