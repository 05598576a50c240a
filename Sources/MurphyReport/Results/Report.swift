import Foundation
import MurphyModel

/// The files that every run leaves behind.
package enum Report {
  /// Reports replace those of an earlier run, and no other file.
  /// - Throws: `ReportError` when `folder` holds a file with the name of a report and no result of murphy beside it.
  package static func checkOwnership(of folder: String) throws(ReportError) {
    let mark = "\"format\": \"murphy-result/"
    let result = BoundedFile.beginning(of: folder + "/" + ResultFile.name, 200)
    if String(decoding: result, as: UTF8.self).contains(mark) { return }
    for format in ReportFormat.all where FileManager.default.fileExists(atPath: folder + "/" + format.fileName) {
      throw ReportError(
        "write", folder + "/" + format.fileName, reason: "a file of that name is there, and no run of murphy wrote it",
        advice: "Choose another folder with --report, or remove the file.")
    }
  }

  /// Writes `result.json`, `report.html`, `junit.xml`, `metrics.txt`, `summary.md` and `findings.sarif` into a folder, which is
  /// made if it is missing; the result first, for all else can be drawn from it again.
  ///
  /// A file that cannot be written does not keep the others from being written, and none of an earlier run is left in
  /// its place.
  /// - Parameter formats: the result's own first.
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
        try AtomicFile.write(try format.text(result), to: path)
        written.append(path)
      } catch {
        failure = failure ?? error
        // One of an earlier run would stand here as if it were this run's.
        AtomicFile.remove(path)
      }
    }
    if let failure { throw failure }
    return written
  }
}
