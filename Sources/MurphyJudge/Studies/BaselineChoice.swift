import MurphyModel

/// The beginning of a stored result: enough to decide whether a run can be compared with it.
package struct StoredHeader: Sendable, Decodable {
  /// The path of the result.
  package var file = ""
  /// The verdict of the run.
  package var verdict: Verdict
  /// The reasons of the verdict.
  package var reasons: [String]
  /// The description of the run.
  package var run: RunInfo

  private enum CodingKeys: CodingKey { case verdict, reasons, run }

  package init(_ stored: StoredComparison.Run) {
    file = stored.file
    verdict = stored.result.verdict
    reasons = stored.result.reasons
    run = stored.result.run
  }

  /// Why the numbers of the run do not measure the API, without a full stop; nil if they do.
  var incomplete: String? {
    if let reason = run.unreached { return "the target was not reached: \(reason)" }
    if run.cutShort { return "the run was cut short" }
    if let aborted = run.aborted { return "the run was aborted after \(Figure.time(aborted).text)" }
    if let lost = run.lost { return "the load was ended early: \(lost.sentence)" }
    guard verdict == .invalid else { return nil }
    return "the run is INVALID: \(reasons.first?.withoutFullStop ?? "murphy was the bottleneck")"
  }
}

/// Chooses the earlier results with which a run can be compared, from all results in a folder.
package struct BaselineChoice: Sendable {
  /// The maximum of earlier runs in a comparison: the newest ones. More of them hardly reduce the smallest detectable
  /// slowdown, and older runs measure older versions of the API.
  package static let most = 10
  /// The minimum of earlier runs: one run does not show how much runs differ by chance.
  package static let fewest = 2

  /// The results that are repetitions of the run, the newest first.
  package private(set) var comparable: [StoredHeader] = []
  /// The others, and why.
  package private(set) var folder: BaselineFolder

  /// - Parameters:
  ///   - stored: the results of the folder, in any order.
  ///   - run: the planned run.
  ///   - seed: of the run; nil if it takes the seed of the newest comparable result.
  ///   - folder: with the files that could not be read.
  package init(_ stored: [StoredHeader], for run: RunInfo, seed: UInt64?, in folder: BaselineFolder) {
    self.folder = folder
    var seed = seed
    var known: Set<RunInfo> = []
    for header in stored.sorted(by: { ($0.run.started, $0.file) > ($1.run.started, $1.file) }) {
      if !known.insert(header.run).inserted {
        self.folder.leaveOut(header.file, .repeated, "another file has the same run")
      } else if let (reason, detail) = Self.difference(header, run, seed) {
        self.folder.leaveOut(header.file, reason, detail)
      } else {
        seed = seed ?? header.run.seed
        comparable.append(header)
      }
    }
    self.folder.comparable = comparable.count
  }

  /// Moves a result to those that are left out, because its content cannot be read.
  package mutating func leaveOut(_ file: String, because detail: String) {
    comparable.removeAll { $0.file == file }
    folder.comparable = comparable.count
    folder.leaveOut(file, .unreadable, detail)
  }

  /// Why a result is not a repetition of the run; nil if it is.
  private static func difference(
    _ header: StoredHeader, _ run: RunInfo, _ seed: UInt64?
  ) -> (LeftOutResults.Reason, String)? {
    let stored = header.run
    if let reason = header.incomplete { return (.incomplete, reason) }
    if header.verdict == .shard { return (.incomplete, "it is one shard of a run") }
    if header.verdict == .fail { return (.failed, header.reasons.first?.withoutFullStop ?? "a check failed") }
    func differ(_ what: String, _ value: (RunInfo) -> String) -> String? {
      let (its, own) = (value(stored), value(run))
      return its == own ? nil : "its \(what) is \(its), and this run has \(own)"
    }
    if let text = differ("scenario", \.scenario) { return (.scenario, text) }
    if stored.scenarioDigest != run.scenarioDigest {
      return (.scenario, "the text of its scenario, or the selection of sessions, differs")
    }
    if let text = differ("load", { $0.load.map(\.text).joined(separator: ", ") }) { return (.load, text) }
    if let text = differ("machine class", \.machine) { return (.machine, text) }
    if let text = differ("version of murphy", \.murphy) ?? differ("version of libcurl", \.libcurl) {
      return (.version, text)
    }
    guard let seed, stored.seed != seed else { return nil }
    return (.seed, "its seed is \(stored.seed), and this run has \(seed)")
  }
}
