import Foundation
import Murphy

/// Where a run leaves its files.
struct ReportFolder {
  private(set) var path: String
  /// The user named it; otherwise the run has one of its own.
  private let isNamed: Bool
  /// It was not there before.
  private var isNew = false
  private var isPrepared = false

  /// - Parameters:
  ///   - path: as the user wished; nil for `reports/<time>-<scenario>`.
  ///   - scenario: the scenario's name.
  init(path: String?, scenario: String, now: Date = Date()) {
    self.path = path ?? "reports/\(Self.stamp(now))-\(Self.slug(scenario))"
    isNamed = path != nil
  }

  /// Makes the folder and shows that it can be written, before any load is sent.
  ///
  /// - Throws: `ReportError` also when files in it have the names of reports and no run of murphy wrote them.
  mutating func prepare() throws {
    guard !isPrepared else { return }
    isNew = !FileManager.default.fileExists(atPath: path)
    if isNamed { try AtomicFile.makeFolder(path) } else { try makeOwn() }
    try Report.checkOwnership(of: path)
    let probe = path + "/.murphy-" + UUID().uuidString
    try AtomicFile.write("", to: probe)
    try? FileManager.default.removeItem(atPath: probe)
    isPrepared = true
  }

  /// Takes the folder away again when no run began: it is empty.
  func discard() {
    guard isNew, rmdir(path) == 0, !isNamed else { return }
    // `reports`, if nothing else is in it.
    rmdir((path as NSString).deletingLastPathComponent)
  }

  /// What a crash from now on leaves here and on the terminal.
  ///
  /// - Parameters:
  ///   - result: of the crash.
  ///   - output: what standard output holds.
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

  /// Writes all reports. When the folder fails now (a full disk), they go to the temporary folder instead: what was
  /// measured is not lost.
  /// - Returns: the page; nil when nothing could be written.
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
      Console.error("murphy: the reports are in the temporary folder instead: \(refuge)")
      return "\(refuge)/report.html"
    } catch {
      Console.error("murphy: \(error)")
      return nil
    }
  }

  /// Writes what a verb other than a run found: its page, its numbers, and the summary if it has one, which a workflow
  /// on GitHub shows too.
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

  /// A folder that nobody could have put there before: only its owner may enter it.
  private static func makeRefuge() throws -> String {
    var template = Array((NSTemporaryDirectory() + "murphy-XXXXXX").utf8CString)
    guard mkdtemp(&template) != nil else {
      throw ReportError(
        "make the folder", NSTemporaryDirectory(), reason: String(cString: strerror(errno)).lowercased(),
        advice: "Free some space, or set TMPDIR.")
    }
    return String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  private static func stamp(_ date: Date) -> String {
    let format = DateFormatter()
    format.locale = Locale(identifier: "en_US_POSIX")
    format.dateFormat = "yyyyMMdd-HHmmss"
    return format.string(from: date)
  }

  /// Lower-case letters, digits and single hyphens.
  static func slug(_ name: String) -> String {
    let words = name.lowercased().filter { $0 != "'" }.split { !($0.isASCII && ($0.isLetter || $0.isNumber)) }
    return words.isEmpty ? "run" : words.joined(separator: "-")
  }
}
