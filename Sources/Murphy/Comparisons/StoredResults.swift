import Foundation
import MurphyJudge
import MurphyModel
import MurphyReport

/// Finds the stored results of one side of a comparison.
package enum StoredResults {
  /// - Parameter paths: a result file; the report folder of one run; or a folder of such files and folders.
  /// - Throws: `GateError.usage` for a path without a result.
  package static func read(_ paths: [String]) throws(GateError) -> [StoredComparison.Run] {
    var runs: [StoredComparison.Run] = []
    for path in paths {
      for file in try files(path) {
        do throws(ReportError) {
          runs.append(StoredComparison.Run(file: file, result: try ResultFile.read(file)))
        } catch {
          throw .usage(error.description)
        }
      }
    }
    return runs
  }

  private static func files(_ path: String) throws(GateError) -> [String] {
    guard isFolder(path) else { return [path] }
    let own = "\(path)/\(ResultFile.name)"
    if FileManager.default.fileExists(atPath: own) { return [own] }
    let names = ((try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []).sorted()
    let found = names.compactMap { name -> String? in
      let inner = "\(path)/\(name)"
      if isFolder(inner) {
        let file = "\(inner)/\(ResultFile.name)"
        return FileManager.default.fileExists(atPath: file) ? file : nil
      }
      return name.hasSuffix(".json") ? inner : nil
    }
    guard !found.isEmpty else {
      throw .usage("\(path) contains no result of a run: no \(ResultFile.name) in it or in its folders.")
    }
    return found
  }

  /// False if the path does not exist.
  package static func isFolder(_ path: String) -> Bool {
    var folder: ObjCBool = false
    return FileManager.default.fileExists(atPath: path, isDirectory: &folder) && folder.boolValue
  }
}
