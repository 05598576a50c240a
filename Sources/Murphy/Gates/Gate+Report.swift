import MurphyModel
import MurphyReport

extension Gate {
  /// Writes `result.json`, `report.html`, `junit.xml`, `summary.md` and `findings.sarif` into `folder`.
  /// - Returns: the paths written.
  /// - Throws: the first file's error, after all were tried.
  @discardableResult
  public func report(_ result: RunResult, to folder: String) throws -> [String] {
    try Report.write(result, to: folder)
  }
}
