import Foundation
import MurphyJudge
import MurphyModel
import MurphyReport

/// The folder of `--baseline FOLDER`: it keeps the result of each run, and gives later runs their baseline.
///
/// Several processes may use it at once. A file appears with its whole content and a name of its own, and is only
/// removed, never changed.
package struct ResultFolder: Sendable {
  /// The possible numbers of results of a scenario in the folder.
  package static let keepable = BaselineChoice.fewest...10_000
  /// Enough for a trend. A comparison needs fewer.
  package static let usuallyKept = 100

  private let path: String
  private let keep: Int

  init(_ path: String, keep: Int?) {
    self.path = path.count > 1 && path.hasSuffix("/") ? String(path.dropLast()) : path
    self.keep = keep ?? Self.usuallyKept
  }

  /// The results of the folder that are comparable with a run, the newest ones.
  ///
  /// - Parameter seed: of the run; nil if it may take the baseline's.
  func choose(for run: RunInfo, seed: UInt64?) -> (runs: [StoredComparison.Run], folder: BaselineFolder) {
    var folder = BaselineFolder(path: path)
    var headers: [StoredHeader] = []
    for file in StoredResults.collected(path) {
      do throws(ReportError) {
        headers.append(try ResultFile.readHeader(file))
      } catch {
        // Another process may have removed an old result since the folder was listed.
        let isThere = (try? FileManager.default.attributesOfItem(atPath: file)) != nil
        if isThere { folder.leaveOut(file, .unreadable, error.reason) }
      }
    }
    var choice = BaselineChoice(headers, for: run, seed: seed, in: folder)
    var runs: [StoredComparison.Run] = []
    for header in choice.comparable where runs.count < BaselineChoice.most {
      do throws(ReportError) {
        runs.append(StoredComparison.Run(file: header.file, result: try ResultFile.readStored(header.file)))
      } catch {
        choice.leaveOut(header.file, because: error.reason)
      }
    }
    return (runs.reversed(), choice.folder)
  }

  /// Creates the folder if it is missing, and checks that a result can be stored in it.
  func prepare() throws(ReportError) {
    do throws(ReportError) {
      try AtomicFile.makeFolder(path)
      try AtomicFile.checkWritable(path)
    } catch {
      throw ReportError(
        "store a result in", path, reason: error.reason,
        advice: "Allow murphy to write into the folder, or name another folder with --baseline.")
    }
  }

  /// Stores a result that may become the baseline of later runs, and removes the oldest results of its scenario.
  ///
  /// - Parameters:
  ///   - result: gets the name of its file, or the reason why there is none.
  ///   - reports: the folder of the run's reports.
  func add(_ result: inout RunResult, reports: String) {
    guard result.regression?.folder?.failure == nil, [.pass, .noData].contains(result.verdict) else { return }
    if let name = reportName(reports) {
      result.regression?.folder?.stored = name
      return
    }
    let series = Report.slug(result.run.scenario).prefix(Self.longestSlug)
    let time = result.run.started.filter(\.isNumber).prefix(14)
    let name = "\(series)-\(time)-\(UInt32.random(in: 0 ... .max).padded(8, radix: 16)).json"
    result.regression?.folder?.stored = name
    do {
      try ResultFile.write(result, to: "\(path)/\(name)")
    } catch {
      result.regression?.folder?.stored = nil
      result.regression?.folder?.failure = (error as? ReportError)?.reason ?? "\(error)"
      return
    }
    let removed = removeOldest(of: "\(series)-")
    if removed > 0 { result.regression?.folder?.removed = removed }
  }

  private static let longestSlug = 60

  /// The file of the run's own report if the report folder is in this folder: then the folder has the result already.
  private func reportName(_ reports: String) -> String? {
    let report = Self.place(reports)
    guard report.deletingLastPathComponent().path == Self.place(path).path else { return nil }
    return "\(report.lastPathComponent)/\(ResultFile.name)"
  }

  /// True if both paths lead to one folder.
  func isSame(as folder: String) -> Bool { Self.place(folder).path == Self.place(path).path }

  private static func place(_ path: String) -> URL {
    URL(fileURLWithPath: path).resolvingSymlinksInPath().standardizedFileURL
  }

  /// Removes the oldest files that murphy stored for a scenario. Other files of the folder belong to the user.
  private func removeOldest(of series: String) -> Int {
    let names = ((try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []).filter { name in
      // The time and the random part.
      let rest = name.dropFirst(series.count).dropLast(".json".count).split(separator: "-")
      return name.hasPrefix(series) && name.hasSuffix(".json") && rest.map(\.count) == [14, 8]
        && rest[0].allSatisfy(\.isNumber) && rest[1].allSatisfy(\.isHexDigit)
    }
    return names.sorted().dropLast(keep).count { unlink("\(path)/\($0)") == 0 }
  }
}
