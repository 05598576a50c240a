import CZlib
import Glibc
import MurphyModel

/// Writes a text file line by line, compressed by gzip (RFC 1952). The file gets its name when it is complete.
package struct GzipLineWriter: ~Copyable {
  private let file: gzFile
  private let path: String
  private let temporary: String
  private var isOpen = true
  /// Fast: numbers hardly compress better at higher levels.
  private static let mode = "wb3"

  /// - Throws: `SystemError` if the file cannot be created.
  package init(_ path: String) throws(SystemError) {
    self.path = path
    temporary = "\(path).\(getpid()).part"
    guard let file = gzopen(temporary, Self.mode) else { throw SystemError("write \(temporary)", code: errno) }
    self.file = file
  }

  /// - Throws: `SystemError` if the disk is full.
  package func write(_ line: String) throws(SystemError) {
    var line = line
    line.append("\n")
    var rest = line.utf8[...]
    while !rest.isEmpty {
      let part = rest.prefix(1 << 30)
      let count = Array(part).withUnsafeBytes { gzwrite(file, $0.baseAddress, UInt32($0.count)) }
      guard count > 0 else { throw SystemError("write \(temporary)", code: errno) }
      rest = rest.dropFirst(Int(count))
    }
  }

  /// - Throws: `SystemError` if the last bytes cannot be written, or the file cannot be renamed.
  package mutating func close() throws(SystemError) {
    isOpen = false
    guard gzclose(file) == Z_OK else { throw SystemError("write \(temporary)", code: errno) }
    guard rename(temporary, path) == 0 else { throw SystemError("name \(path)", code: errno) }
  }

  deinit {
    guard isOpen else { return }
    gzclose(file)
    unlink(temporary)
  }
}

/// Reads such a file line by line, in bounded memory; if requested, also a file without compression.
package struct GzipLineReader: ~Copyable {
  /// The reasons why a line cannot be read.
  package enum Failure: Error, Sendable {
    case unreadable(SystemError)
    /// The file is cut off, or is not in gzip format.
    case damaged
    case tooLong
  }

  private let file: gzFile
  private var buffer: [UInt8] = []
  private var next = 0
  private var isOver = false
  private let acceptsPlain: Bool
  private static let block = 1 << 18
  /// Milliseconds.
  private static let silence: CInt = 10_000

  /// - Parameter acceptsPlain: true for a text file, which may have no compression, be empty, or have no line end at its
  ///   end.
  /// - Throws: if the file cannot be opened, or is a named pipe that delivers nothing for ten seconds.
  package init(_ path: String, acceptsPlain: Bool = false) throws(Failure) {
    self.acceptsPlain = acceptsPlain
    // Without O_NONBLOCK, opening a pipe without a writer would never return.
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    var wait = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    let shown = URLCredentials.masked(path)
    guard descriptor >= 0 else { throw .unreadable(SystemError("read \(shown)", code: errno)) }
    var status = stat()
    guard fstat(descriptor, &status) != 0 || status.st_mode & S_IFMT != S_IFDIR else {
      close(descriptor)
      throw .unreadable(SystemError("read \(shown)", code: EISDIR))
    }
    guard poll(&wait, 1, Self.silence) != 0, fcntl(descriptor, F_SETFL, 0) == 0,
      let opened = gzdopen(descriptor, "rb")
    else {
      close(descriptor)
      throw .unreadable(SystemError("read \(shown), because it sent no data for 10 s", code: ETIMEDOUT))
    }
    // Uncompressed data would be passed through unchanged. An empty file is rejected too.
    guard acceptsPlain || gzdirect(opened) == 0 else {
      gzclose(opened)
      throw .damaged
    }
    file = opened
  }

  /// Returns the next line without its end; nil after the last one.
  ///
  /// - Parameter longest: bytes; a longer line is rejected.
  package mutating func line(longest: Int = 1 << 28) throws(Failure) -> [UInt8]? {
    var searched = next
    while true {
      if let end = buffer[searched...].firstIndex(of: 10) {
        let line = Array(buffer[next..<end])
        next = end + 1
        return line
      }
      guard buffer.count - next <= longest else { throw .tooLong }
      searched = buffer.count - next
      buffer.removeFirst(next)
      next = 0
      guard !isOver else {
        guard !buffer.isEmpty else { return nil }
        guard acceptsPlain else { throw .damaged }
        next = buffer.count
        return buffer
      }
      try fill()
    }
  }

  private mutating func fill() throws(Failure) {
    let old = buffer.count
    buffer.append(contentsOf: repeatElement(0, count: Self.block))
    let file = file
    let count = buffer.withUnsafeMutableBytes { gzread(file, $0.baseAddress! + old, UInt32(Self.block)) }
    buffer.removeLast(Self.block - Int(max(count, 0)))
    guard count >= 0 else { throw .damaged }
    guard count < Self.block else { return }
    // A stream that was cut off ends early and without an error of its own.
    var code: CInt = 0
    _ = gzerror(file, &code)
    guard code == Z_OK || code == Z_STREAM_END else { throw .damaged }
    isOver = count == 0 || gzeof(file) != 0
  }

  deinit { gzclose(file) }
}
