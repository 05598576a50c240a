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

  /// The same, without the files of a folder that are not readable results: the user did not name them.
  ///
  /// - Returns: the results, and why files of folders are left out.
  /// - Throws: `GateError.usage` for a named file that cannot be read, and for a folder without a readable result.
  package static func gather(
    _ paths: [String]
  ) throws(GateError) -> (runs: [StoredComparison.Run], unreadable: [ReportError]) {
    var runs: [StoredComparison.Run] = []
    var unreadable: [ReportError] = []
    for path in paths {
      guard isCollection(path) else {
        runs += try read([path])
        continue
      }
      let before = runs.count
      for file in try files(path) {
        do throws(ReportError) {
          runs.append(StoredComparison.Run(file: file, result: try ResultFile.readStored(file)))
        } catch {
          unreadable.append(error)
        }
      }
      if runs.count == before, let first = unreadable.last { throw .usage(first.description) }
    }
    return (runs, unreadable)
  }

  private static func files(_ path: String) throws(GateError) -> [String] {
    guard isFolder(path) else { return [path] }
    let own = "\(path)/\(ResultFile.name)"
    if FileManager.default.fileExists(atPath: own) { return [own] }
    let found = collected(path)
    guard !found.isEmpty else {
      throw .usage(
        "\(path) contains no result of a run. Murphy found no \(ResultFile.name) in the folder or in its subfolders.")
    }
    return found
  }

  /// The results in a folder: JSON files, and the results of report folders; empty for a folder that cannot be read.
  static func collected(_ path: String) -> [String] {
    let names = ((try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []).sorted()
    return names.compactMap { name -> String? in
      let inner = "\(path)/\(name)"
      if isFolder(inner) {
        let file = "\(inner)/\(ResultFile.name)"
        return FileManager.default.fileExists(atPath: file) ? file : nil
      }
      return name.hasSuffix(".json") ? inner : nil
    }
  }

  /// True for a folder of results; false for a file, and for the report folder of one run.
  static func isCollection(_ path: String) -> Bool {
    isFolder(path) && !FileManager.default.fileExists(atPath: "\(path)/\(ResultFile.name)")
  }

  /// False if the path does not exist.
  package static func isFolder(_ path: String) -> Bool {
    var folder: ObjCBool = false
    return FileManager.default.fileExists(atPath: path, isDirectory: &folder) && folder.boolValue
  }
}
