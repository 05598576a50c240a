/// The folder that keeps the baseline of a run: `murphy run --baseline FOLDER`.
package struct BaselineFolder: Sendable, Codable, Hashable {
  /// The path of the folder, as given.
  package var path: String
  /// The results in the folder that are comparable with this run. The comparison uses the newest of them.
  package var comparable: Int
  /// The other results, by reason.
  package var leftOut: [LeftOutResults]
  /// The name of the file with this result in the folder; nil if the folder did not get it.
  package var stored: String?
  /// Why murphy could not write into the folder; nil if it could, or if this result must not become a baseline.
  package var failure: String?
  /// Older results of the scenario that murphy removed from the folder; nil without any.
  package var removed: Int?

  package init(path: String, comparable: Int = 0, leftOut: [LeftOutResults] = []) {
    self.path = path
    self.comparable = comparable
    self.leftOut = leftOut
  }

  /// Why there is no comparison with fewer than two results, without a full stop.
  package var beginning: String {
    comparable == 0
      ? "no baseline yet: the folder \(path) has no comparable result"
      : "the folder \(path) has one comparable result, and a comparison needs two"
  }

  /// Adds a file to those that are left out.
  package mutating func leaveOut(_ file: String, _ reason: LeftOutResults.Reason, _ detail: String) {
    let place = leftOut.firstIndex { $0.reason == reason } ?? leftOut.endIndex
    if place == leftOut.endIndex { leftOut.append(LeftOutResults(reason: reason, count: 0, files: [])) }
    leftOut[place].count += 1
    if leftOut[place].files.count < LeftOutResults.mostFiles {
      leftOut[place].files.append(LeftOutResults.File(file: file, detail: detail))
    }
  }
}

/// The results of a baseline's folder that one reason excludes from the comparison.
package struct LeftOutResults: Sendable, Codable, Hashable {
  /// Why a result is not a repetition of this run.
  package enum Reason: String, Sendable, Codable, Hashable, CaseIterable {
    /// Not a result that this version can read.
    case unreadable
    /// INVALID, a shard, or ended before its planned end.
    case incomplete
    /// A failed run.
    case failed
    /// The same run in a second file.
    case repeated
    /// Another scenario, or another text of it.
    case scenario
    /// Other stages of load.
    case load
    /// Other random values.
    case seed
    /// Another machine class.
    case machine
    /// Another version of murphy or libcurl.
    case version
  }

  /// A result with the reason in detail.
  package struct File: Sendable, Codable, Hashable {
    /// The path of the result.
    package var file: String
    /// The difference, without a full stop.
    package var detail: String

    package init(file: String, detail: String) {
      self.file = file
      self.detail = detail
    }
  }

  /// The maximum of files that are listed for a reason.
  package static let mostFiles = 20

  /// Why the results are left out.
  package var reason: Reason
  /// All results with this reason.
  package var count: Int
  /// The first of them, the newest first.
  package var files: [File]
}
