import Foundation
import Murphy

/// Where a run leaves its files.
struct ReportFolder {
  let path: String

  /// - Parameters:
  ///   - path: as the user wished; nil for `reports/<time>-<scenario>`.
  ///   - scenario: the scenario's name.
  init(path: String?, scenario: String, now: Date = Date()) {
    self.path = path ?? "reports/\(Self.stamp(now))-\(Self.slug(scenario))"
  }

  /// Makes the folder and shows that it can be written, before any load is sent.
  func prepare() throws {
    try AtomicFile.makeFolder(path)
    let probe = path + "/.murphy"
    try AtomicFile.write("", to: probe)
    try? FileManager.default.removeItem(atPath: probe)
  }

  /// Writes all reports. When the folder fails now (a full disk), they go to the temporary folder instead: what was
  /// measured is not lost.
  /// - Returns: a line that says where they are; nil when nothing could be written.
  func write(_ result: RunResult) -> String? {
    do {
      _ = try Report.write(result, to: path)
      return "Report: \(path)/report.html"
    } catch {
      Console.error("murphy: \(error)")
    }
    let refuge = NSTemporaryDirectory() + "murphy-" + (path as NSString).lastPathComponent
    do {
      _ = try Report.write(result, to: refuge)
      return "Report, in the temporary folder instead: \(refuge)/report.html"
    } catch {
      Console.error("murphy: \(error)")
      return nil
    }
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
