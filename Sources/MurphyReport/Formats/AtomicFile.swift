import Glibc

/// Writes files so that a reader sees either the old content or the new content, never a part.
package enum AtomicFile {
  /// Writes a temporary file next to `path`, flushes it to the disk, and renames it. A device such as `/dev/stdout` is
  /// written directly.
  /// - Throws: `ReportError` with the path and what to do. The old file is then unchanged.
  package static func write(_ text: String, to path: String) throws(ReportError) {
    var information = stat()
    if stat(path, &information) == 0, information.st_mode & S_IFMT != S_IFREG {
      if information.st_mode & S_IFMT == S_IFDIR { throw failure(path, EISDIR) }
      return try put(text, to: path, flags: O_WRONLY)
    }
    // A random name, so that no other process can have created a link with it.
    let draft = "\(path).\(String(UInt64.random(in: 0 ... .max), radix: 36)).part"
    do throws(ReportError) {
      try put(text, to: draft, flags: O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, named: path)
    } catch {
      unlink(draft)
      throw error
    }
    guard rename(draft, path) == 0 else {
      let code = errno
      unlink(draft)
      throw failure(path, code)
    }
  }

  /// Removes a file only; not the target of a link.
  static func remove(_ path: String) {
    var information = stat()
    guard lstat(path, &information) == 0, information.st_mode & S_IFMT == S_IFREG else { return }
    unlink(path)
  }

  /// Creates the folder and its parents.
  package static func makeFolder(_ path: String) throws(ReportError) {
    var made = path.hasPrefix("/") ? "/" : ""
    for part in path.split(separator: "/") {
      made += made.isEmpty || made.hasSuffix("/") ? String(part) : "/" + part
      if mkdir(made, 0o777) != 0, errno != EEXIST { throw failure(made, errno, operation: "create the folder") }
    }
    var information = stat()
    guard stat(path, &information) == 0, information.st_mode & S_IFMT == S_IFDIR else {
      throw failure(path, ENOTDIR, operation: "create the folder")
    }
  }

  /// - Throws: `ReportError` if no file can be created in the folder.
  package static func checkWritable(_ folder: String) throws(ReportError) {
    let probe = "\(folder)/.murphy-\(String(UInt64.random(in: 0 ... .max), radix: 36))"
    try write("", to: probe)
    unlink(probe)
  }

  private static func put(_ text: String, to path: String, flags: Int32, named: String? = nil) throws(ReportError) {
    let file = open(path, flags | O_CLOEXEC, 0o644)
    guard file >= 0 else { throw failure(named ?? path, errno) }
    var text = text
    var code = text.withUTF8 { put(UnsafeRawBufferPointer($0), file) }
    if code == 0, flags & O_CREAT != 0, fsync(file) != 0 { code = errno }
    // Some file systems report a full disk only here.
    if close(file) != 0, code == 0 { code = errno }
    if code != 0 { throw failure(named ?? path, code) }
  }

  /// Zero, or the system's error number.
  private static func put(_ bytes: UnsafeRawBufferPointer, _ file: Int32) -> Int32 {
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = Glibc.write(file, UnsafeRawBufferPointer(rebasing: rest).baseAddress, rest.count)
      if count < 0 {
        if errno == EINTR { continue }
        return errno
      }
      rest = rest.dropFirst(count)
    }
    return 0
  }

  private static func failure(_ path: String, _ code: Int32, operation: String = "write") -> ReportError {
    let advice =
      switch code {
      case ENOSPC, EDQUOT: "Free some space, or choose another path."
      case EACCES, EPERM, EROFS: "Allow murphy to write into the folder, or choose another path."
      case ENOENT: "Create the folder first, or choose another path."
      case EISDIR: "Choose the name of a file, and not of a folder."
      case ENOTDIR: "A part of the path is a file, and not a folder. Choose another path."
      case ENAMETOOLONG: "Choose a shorter name."
      default: "Choose another path."
      }
    return ReportError(operation, path, reason: String(cString: strerror(code)).lowercased(), advice: advice)
  }
}
