import Foundation
import MurphyModel

/// The files that every run writes.
package enum Report {
  /// A part of a file's name: lower-case letters, digits and single hyphens.
  package static func slug(_ name: String) -> String {
    let words = name.lowercased().filter { $0 != "'" }.split { !($0.isASCII && ($0.isLetter || $0.isNumber)) }
    return words.isEmpty ? "run" : words.joined(separator: "-")
  }

  /// Reports replace those of an earlier run, and no other file.
  /// - Throws: `ReportError` when `folder` contains a file with the name of a report but no result of murphy.
  package static func checkOwnership(of folder: String) throws(ReportError) {
    let mark = "\"format\": \"murphy-result/"
    let result = BoundedFile.beginning(of: folder + "/" + ResultFile.name, 200)
    if String(decoding: result, as: UTF8.self).contains(mark) { return }
    for format in ReportFormat.all where FileManager.default.fileExists(atPath: folder + "/" + format.fileName) {
      throw ReportError(
        "write", folder + "/" + format.fileName, reason: "a file with that name exists, and murphy did not write it",
        advice: "Choose another folder with --report, or remove the file.")
    }
  }

  /// Writes `result.json`, `report.html`, `junit.xml`, `metrics.txt`, `summary.md` and `findings.sarif` into a folder.
  /// A missing folder is created. The result is written first, because all other files can be generated from it.
  ///
  /// If a file cannot be written, the others are still written. No file of an earlier run is left in its place.
  /// - Parameter formats: the format of the result comes first.
  /// - Returns: the paths written.
  /// - Throws: the first `ReportError`, after all files were tried.
  @discardableResult
  package static func write(
    _ result: RunResult, to folder: String, formats: [ReportFormat] = ReportFormat.all
  ) throws -> [String] {
    try AtomicFile.makeFolder(folder)
    var written: [String] = []
    var failure: (any Error)?
    for format in formats {
      let path = folder + "/" + format.fileName
      do {
        try AtomicFile.write(try format.textInFolder(result), to: path)
        written.append(path)
        for place in format.companionFolders { Self.removeCompanions(in: "\(folder)/\(place)") }
        written += try write(format.companions(result), to: folder)
      } catch {
        failure = failure ?? error
        // A file of an earlier run would look like a file of this run.
        AtomicFile.remove(path)
      }
    }
    if let failure { throw failure }
    return written
  }

  /// The default content of ``write(_:to:formats:)``, by file name.
  package static func texts(_ result: RunResult) throws -> [(fileName: String, text: String)] {
    try ReportFormat.all.map { ($0.fileName, try $0.textInFolder(result)) }
  }

  /// Removes the numbered files of an earlier run, `shard-3.html` or `finding-1.sh`, and no other file.
  private static func removeCompanions(in folder: String) {
    for name in (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    where name.wholeMatch(of: /(shard|finding)-[0-9]+\.(html|sh)/) != nil {
      AtomicFile.remove("\(folder)/\(name)")
    }
  }

  /// Additional files of one of the formats.
  private static func write(_ companions: [ReportFormat.Companion], to folder: String) throws -> [String] {
    for place in Set(companions.map(\.folder)) { try AtomicFile.makeFolder("\(folder)/\(place)") }
    return try companions.map { companion in
      let path = "\(folder)/\(companion.folder)/\(companion.fileName)"
      try AtomicFile.write(companion.text, to: path)
      return path
    }
  }
}

/// A form in which a result can be reported: `murphy report RESULT --format NAME`, and a file of every run.
package struct ReportFormat: Sendable {
  /// The name for the command line.
  package let name: String
  /// The name of the file in a report folder.
  package let fileName: String
  /// The whole file.
  package let text: @Sendable (RunResult) throws -> String
  /// The same in a report folder, where it may link to its additional files.
  let textInFolder: @Sendable (RunResult) throws -> String
  /// The folders of its additional files, relative to the report folder.
  let companionFolders: [String]
  /// Its additional files in a report folder.
  let companions: @Sendable (RunResult) -> [Companion]

  /// A file in a folder below the report folder.
  package struct Companion: Sendable {
    /// Relative to the report folder.
    package var folder: String
    package var fileName: String
    /// The whole content.
    package var text: String
  }

  /// - Parameter textInFolder: nil for the same as elsewhere.
  package init(
    _ name: String, fileName: String, textInFolder: (@Sendable (RunResult) throws -> String)? = nil,
    companionFolders: [String] = [], companions: @escaping @Sendable (RunResult) -> [Companion] = { _ in [] },
    text: @escaping @Sendable (RunResult) throws -> String
  ) {
    (self.name, self.fileName, self.text) = (name, fileName, text)
    self.textInFolder = textInFolder ?? text
    (self.companionFolders, self.companions) = (companionFolders, companions)
  }

  /// Every format, in the order in which a run writes them. The result is first, because all others can be generated
  /// from it. A new format is a file with its value, and a line here.
  package static let all: [ReportFormat] = [
    .json,
    .html,
    .junit,
    .metrics,
    .markdown,
    .sarif,
  ]
}

extension ReportFormat {
  static let json = ReportFormat("json", fileName: ResultFile.name, text: ResultFile.encode)
  static let html = ReportFormat(
    "html", fileName: "report.html", textInFolder: { HTMLReport($0, hasShardPages: true).text },
    companionFolders: [ShardPage.folder, ReproductionScript.folder],
    companions: { result in
      ShardPage.all(result).map { Companion(folder: ShardPage.folder, fileName: $0.fileName, text: $0.text) }
        + ReproductionScript.files(result)
    }
  ) { HTMLReport($0).text }
  static let junit = ReportFormat("junit", fileName: "junit.xml") { JUnitReport($0).text }
  static let markdown = ReportFormat("markdown", fileName: "summary.md") { MarkdownReport($0).text }
  static let sarif = ReportFormat("sarif", fileName: "findings.sarif") { SARIFReport($0).text }
}
