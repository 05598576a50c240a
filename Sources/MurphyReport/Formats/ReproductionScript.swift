import Foundation
import MurphyModel

/// The shell script that reproduces a finding, as a command for the terminal: a short script itself, a long script as
/// a file of the report folder, `sh FOLDER/reproduce/finding-1.sh`.
struct ReproductionScript {
  /// The folder of the scripts in a report folder.
  static let folder = "reproduce"
  /// The maximum length in bytes of a script on the terminal.
  private static let longest = 400

  let entry: FindingList.Entry
  private let script: String

  /// - Returns: nil if no script reproduces the finding.
  init?(_ entry: FindingList.Entry) {
    guard let script = entry.finding.evidence?.curl?.text else { return nil }
    (self.entry, self.script) = (entry, script)
  }

  /// True if the script runs murphy, and not only curl.
  var runsMurphy: Bool { script.hasPrefix("murphy ") }
  private var isLong: Bool { script.utf8.count > Self.longest }
  private var fileName: String { "finding-\(entry.number).sh" }

  /// The command to paste.
  ///
  /// - Parameter report: the page in the report folder; nil if no report was written.
  func command(report: String?) -> String {
    guard isLong else { return TerminalText.safe(script) }
    guard let report else { return "run with --report FOLDER: the folder gets the script" }
    let path = ((report as NSString).deletingLastPathComponent as NSString)
      .appendingPathComponent(Self.folder + "/" + fileName)
    return "sh " + TerminalText.safe(ShellWord.argument(path))
  }

  /// The files of all long scripts.
  static func files(_ result: RunResult) -> [ReportFormat.Companion] {
    result.findingList.entries.compactMap(Self.init).filter(\.isLong).map { script in
      let title = "Finding \(script.entry.number): \(script.entry.finding.message)"
      return ReportFormat.Companion(
        folder: folder, fileName: script.fileName,
        text: "#!/bin/sh\n# \(TerminalText.safe(title))\n\(script.script)\n")
    }
  }
}
