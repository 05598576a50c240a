import Foundation
import Murphy

/// The folder for the files of a run.
struct ReportFolder {
  private(set) var path: String
  /// True if the user named it; otherwise the run has its own.
  private let isNamed: Bool
  /// True if it did not exist before.
  private var isNew = false
  private var isPrepared = false

  /// - Parameters:
  ///   - path: the user's choice; nil for `reports/<time>-<scenario>`.
  ///   - scenario: the scenario's name.
  init(path: String?, scenario: String, now: Date = Date()) {
    self.path = path ?? "reports/\(Self.stamp(now))-\(Report.slug(scenario))"
    isNamed = path != nil
  }

  /// Creates the folder and checks that it can be written, before any load is sent.
  ///
  /// - Throws: `ReportError` also if files in it have the names of reports and no run of murphy wrote them.
  mutating func prepare() throws {
    guard !isPrepared else { return }
    isNew = !FileManager.default.fileExists(atPath: path)
    if isNamed { try AtomicFile.makeFolder(path) } else { try makeOwn() }
    try Report.checkOwnership(of: path)
    try AtomicFile.checkWritable(path)
    isPrepared = true
  }

  /// Removes the folder if no run began: it is empty.
  func discard() {
    guard isNew, rmdir(path) == 0, !isNamed else { return }
    // `reports`, if it is empty.
    rmdir((path as NSString).deletingLastPathComponent)
  }

  /// The output of a later crash here and on the terminal.
  ///
  /// - Parameters:
  ///   - result: of the crash.
  ///   - output: the content of standard output.
  func crashGuard(_ result: RunResult, as output: RunOutput = RunOutput()) -> CrashGuard {
    CrashGuard(result, folder: path, output: output.text(result, report: "\(path)/report.html"))
  }

  /// Runs that begin in the same second have a folder each.
  private mutating func makeOwn() throws {
    let first = path
    try AtomicFile.makeFolder((first as NSString).deletingLastPathComponent)
    for number in 2...1_000 {
      if mkdir(path, 0o777) == 0 { return }
      guard errno == EEXIST else { break }
      path = "\(first)-\(number)"
    }
    try AtomicFile.makeFolder(path)
  }

  /// Writes all reports. If the folder fails now (a full disk), they are written to the temporary folder instead: no
  /// measurement is lost.
  /// - Returns: the page; nil if nothing could be written.
  func write(_ result: RunResult) -> String? {
    do {
      _ = try Report.write(result, to: path)
      return "\(path)/report.html"
    } catch {
      Console.error("murphy: \(error)")
    }
    do {
      let refuge = try Self.makeRefuge()
      _ = try Report.write(result, to: refuge)
      Console.error("murphy: the reports are in a temporary folder instead: \(refuge)")
      return "\(refuge)/report.html"
    } catch {
      Console.error("murphy: \(error)")
      return nil
    }
  }

  /// Writes the result of a verb other than a run. It has its page, its numbers, and sometimes a summary. A workflow on
  /// GitHub shows the summary too.
  /// - Returns: the page.
  // Inlined into an `async` function, it crashes the optimizer of Swift 6.3.1 ("While splitting coroutine").
  @inline(never) mutating func write(
    _ result: some Encodable, page: String, summary: String? = nil, as name: String
  ) throws -> String {
    if let summary { GitHubActions.append(summary) }
    try prepare()
    try AtomicFile.write(OutputFile.text(result) + "\n", to: "\(path)/\(name).json")
    if let summary { try AtomicFile.write(summary, to: "\(path)/\(name).md") }
    try AtomicFile.write(page, to: "\(path)/\(name).html")
    return "\(path)/\(name).html"
  }

  /// A folder that no other user could have created before: only its owner may enter it.
  private static func makeRefuge() throws -> String {
    var template = Array((NSTemporaryDirectory() + "murphy-XXXXXX").utf8CString)
    guard mkdtemp(&template) != nil else {
      throw ReportError(
        "create a folder in", NSTemporaryDirectory(), reason: String(cString: strerror(errno)).lowercased(),
        advice: "Free some disk space, or set TMPDIR to another folder.")
    }
    return String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  private static func stamp(_ date: Date) -> String {
    let format = DateFormatter()
    format.locale = Locale(identifier: "en_US_POSIX")
    format.dateFormat = "yyyyMMdd-HHmmss"
    return format.string(from: date)
  }
}

/// Reads files that a user named, with sentences for errors.
enum InputFile {
  /// - Parameter path: a file, or `-` for standard input.
  static func bytes(_ path: String) throws -> [UInt8] {
    do {
      return path == "-"
        ? try BoundedFile.read(STDIN_FILENO, limit: BoundedFile.data)
        : try BoundedFile.read(path, limit: BoundedFile.data)
    } catch {
      // A string that looks like a URL may contain a password.
      let shown = path.contains("//") || path.contains("@") ? URLCredentials.masked(path) : path
      Console.error("murphy: cannot read \(shown): \(error.sentence(of: path))")
      throw ExitStatus.usage
    }
  }

  static func json(_ path: String) throws -> JSONValue {
    let bytes = try bytes(path)
    do {
      return try JSONValue.parse(bytes)
    } catch {
      Console.error("\(path):\(error.line):\(error.column): not JSON: \(error.message)")
      throw ExitStatus.usage
    }
  }
}

extension DocumentSearch {
  /// The file on the command line. Without one, the document that the search found, after a sentence about it.
  func document(_ given: String?, for verb: String) async throws(GateError) -> String {
    if let given { return given }
    let found = try await find(for: verb)
    Console.error(found.sentence)
    return found.file
  }
}

/// Writes a verb's result as JSON, for other programs.
enum OutputFile {
  /// - Parameter path: a file, or `-` for standard output.
  static func write(_ value: some Encodable, to path: String) throws {
    do {
      let text = try text(value) + "\n"
      if path == "-" {
        Console.printRaw(text)
      } else {
        try AtomicFile.write(text, to: path)
      }
    } catch {
      Console.error("murphy: cannot write \(path): \(error)")
      throw ExitStatus.usage
    }
  }

  static func text(_ value: some Encodable, isPretty: Bool = true) throws -> String {
    let encoder = JSONEncoder()
    encoder.keyEncodingStrategy = .convertToSnakeCase
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    if isPretty { encoder.outputFormatting.insert(.prettyPrinted) }
    return JSONLayout.escaped(String(decoding: try encoder.encode(value), as: UTF8.self))
  }

  /// Sets the output of a later crash: its result in every document, and no other file of an earlier call.
  ///
  /// - Parameter paths: of JSON documents; nil and `-` are ignored.
  static func guardCrash(_ result: some Encodable, _ paths: [String?], stale: [String] = []) throws {
    let text = try text(result) + "\n"
    let files = paths.compactMap(\.self).filter { $0 != "-" }
    CrashGuard(documents: files.map { ($0, text) }, stale: stale).arm()
  }
}
