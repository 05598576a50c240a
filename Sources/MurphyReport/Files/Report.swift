import MurphyModel

/// The files that every run leaves behind.
public enum Report {
  /// Writes `result.json`, `report.html`, `junit.xml`, `summary.md` and `findings.sarif` into a folder, which is
  /// made if it is missing; the result first, for all else can be drawn from it again.
  ///
  /// A file that cannot be written does not keep the others from being written.
  /// - Returns: the paths written.
  /// - Throws: the first `ReportError`, after all files were tried.
  @discardableResult
  public static func write(_ result: RunResult, to folder: String) throws -> [String] {
    try AtomicFile.makeFolder(folder)
    var written: [String] = []
    var failure: (any Error)?
    for format in [ReportFormat.json, .html, .junit, .markdown, .sarif] {
      let path = folder + "/" + format.fileName
      do {
        try AtomicFile.write(try format.text(of: result), to: path)
        written.append(path)
      } catch {
        failure = failure ?? error
      }
    }
    if let failure { throw failure }
    return written
  }
}
