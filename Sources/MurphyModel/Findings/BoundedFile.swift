import Glibc
import Synchronization

/// Reads files that a person names, completely but with a size limit: a file that is too long is rejected before it is
/// read.
package enum BoundedFile {
  /// A scenario; a person's file is always smaller.
  package static let scenario = ByteCount(4 << 20)
  /// An OpenAPI document or a JSON Schema. The longest public ones have about 40 MB.
  package static let contract = ByteCount(64 << 20)
  /// The rows of a feed, or a stored result.
  package static let data = ByteCount(256 << 20)
  /// A result in a folder whose files the user did not name one by one.
  package static let stored = ByteCount(64 << 20)

  /// Content that a step sends unchanged: a photo, an archive.
  package static let content = ByteCount(64 << 20)

  /// Why a file was not read.
  package struct Failure: Error, Sendable, Hashable, CustomStringConvertible {
    /// The message for people.
    package var description: String

    package init(_ description: String) { self.description = description }
  }

  /// Reads the bytes of a file.
  ///
  /// A named pipe is read as long as bytes arrive, and for at most `silence` without one.
  ///
  /// - Throws: `Failure`, which gives the reason without the file's name: "no such file", "it is longer than
  ///   64 MB".
  package static func read(_ path: String, limit: ByteCount) throws(Failure) -> [UInt8] {
    // Without O_NONBLOCK, opening a pipe without a writer would wait forever.
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else { throw Failure(reason(errno)) }
    defer { close(descriptor) }
    let bytes = try read(descriptor, limit: limit, isPatient: false)
    digest?.add(bytes)
    return bytes
  }

  /// Reads the bytes of a file that a document names. Only a regular file is opened: the document may name a device
  /// that acts when it is opened, or a pipe that keeps its reader waiting.
  ///
  /// - Throws: as `read`, and "it is not a regular file".
  package static func readNamed(_ path: String, limit: ByteCount) throws(Failure) -> [UInt8] {
    var status = stat()
    guard stat(path, &status) == 0 else { throw Failure(reason(errno)) }
    if status.st_mode & S_IFMT == S_IFDIR { throw Failure("it is a folder") }
    guard isRegular(path) else { throw Failure("it is not a regular file") }
    return try read(path, limit: limit)
  }

  /// True if a regular file of this name exists, or a link to one. Opens nothing.
  package static func isRegular(_ path: String) -> Bool {
    var status = stat()
    return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
  }

  /// Records the files that are read by name while a task has a digest.
  @TaskLocal package static var digest: FileDigest?

  /// The time without a byte after which a named pipe is abandoned, in milliseconds.
  private static let silence: CInt = 10_000

  /// The first bytes of a regular file; empty for other files and if it cannot be read.
  package static func beginning(of path: String, _ count: Int) -> [UInt8] {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else { return [] }
    defer { close(descriptor) }
    var status = stat()
    guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return [] }
    var bytes = [UInt8](repeating: 0, count: count)
    let read = Glibc.read(descriptor, &bytes, count)
    return Array(bytes.prefix(max(read, 0)))
  }

  /// Reads all bytes of a descriptor, such as standard input, however long that takes.
  package static func read(_ descriptor: CInt, limit: ByteCount) throws(Failure) -> [UInt8] {
    try read(descriptor, limit: limit, isPatient: true)
  }

  private static func read(_ descriptor: CInt, limit: ByteCount, isPatient: Bool) throws(Failure) -> [UInt8] {
    var status = stat()
    if fstat(descriptor, &status) == 0 {
      if status.st_mode & S_IFMT == S_IFDIR { throw Failure("it is a folder") }
      if status.st_mode & S_IFMT == S_IFREG, status.st_size > limit.bytes { throw tooLong(limit) }
    }
    var bytes: [UInt8] = []
    var piece = [UInt8](repeating: 0, count: 1 << 18)
    while true {
      var wait = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
      if !isPatient, poll(&wait, 1, silence) == 0 {
        throw Failure("no data was received through this pipe for \(silence / 1000) seconds")
      }
      let count = Glibc.read(descriptor, &piece, piece.count)
      if count == 0 { return bytes }
      if count < 0 {
        if errno == EINTR || errno == EAGAIN { continue }
        throw Failure(reason(errno))
      }
      guard bytes.count + count <= limit.bytes else { throw tooLong(limit) }
      bytes += piece[..<count]
    }
  }

  private static func tooLong(_ limit: ByteCount) -> Failure { Failure("it is longer than \(limit.bytes >> 20) MiB") }

  private static func reason(_ code: CInt) -> String {
    switch code {
    case ENOENT, ENOTDIR: "no such file"
    case EACCES, EPERM: "permission denied"
    case EISDIR: "it is a folder"
    default: String(cString: strerror(code)).lowercased()
    }
  }
}

/// A fingerprint of all files that were read, independent of their names and their order.
package final class FileDigest: Sendable {
  private let fingerprints = Mutex<Set<String>>([])
  private let whole: FileDigest?

  /// - Parameter whole: a digest that also gets every file of this one.
  package init(partOf whole: FileDigest? = nil) { self.whole = whole }

  /// Adds the content of one file. The order of files does not matter. Callable from any thread.
  package func add(_ bytes: [UInt8]) {
    whole?.add(bytes)
    // FNV-1a, as for findings, over eight bytes at a time.
    var hash = FNV1a()
    hash.value ^= UInt64(bytes.count)
    bytes.withUnsafeBytes { bytes in
      var index = 0
      while index + 8 <= bytes.count {
        hash.add(bytes.loadUnaligned(fromByteOffset: index, as: UInt64.self))
        hash.value ^= hash.value >> 29
        index += 8
      }
      hash.add(bytes[index...])
    }
    let text = String(hash.value, radix: 16)
    _ = fingerprints.withLock { $0.insert(text) }
  }

  /// The fingerprint of the files so far.
  package var text: String { Finding.fingerprint(of: fingerprints.withLock { $0.sorted() }) }
}
