import MurphyJudge
import MurphyModel

extension RunResult {
  /// The checks of the comparison with earlier runs.
  func regressionChecks(_ list: FindingList) -> [Check] {
    guard let regression else { return [] }
    let whole = "the run is not slower than the baseline"
    if let folder = regression.folder, regression.baselines.count < BaselineChoice.fewest {
      return [Check(.budget, whole, .notRequired, folder.beginning, subject: "the baseline")]
    }
    if regression.rows.isEmpty {
      return [
        Check(
          .budget, whole,
          regression.verdict == .fail ? .failed(trials: 0) : .notTested,
          regression.reasons.first?.withoutFullStop ?? "no operation was compared", subject: "the baseline")
      ]
    }
    return regression.rows.map { row in
      var check = Check(
        .budget, "\(row.operation) \(row.metric.rawValue) within \(row.text(row.margin)) of the baseline",
        CheckState(row.verdict, trials: row.requests), row.statement,
        subject: "\(row.operation) \(row.metric.rawValue)",
        findings: list.numbers(row.findings))
      check.isComparison = true
      return check
    }
  }

  /// What the run took from the folder of its baseline, and left there, in sentences; empty without such a folder.
  var baselineLines: [String] {
    guard let regression, let folder = regression.folder else { return [] }
    let compared = regression.baselines.count
    let first =
      switch compared {
      case 0 where folder.stored != nil: "No baseline yet: this result is the first of \(folder.path)."
      case ..<BaselineChoice.fewest: folder.beginning.capitalizedFirst + "."
      case folder.comparable: "Compared with the \(compared.text) comparable results in \(folder.path)."
      default:
        "Compared with the newest \(compared.text) of \(folder.comparable.text) comparable results in \(folder.path)."
      }
    let left = folder.leftOut.reduce(0) { $0 + $1.count }
    let reasons = folder.leftOut.map { "\($0.count.text) × \($0.reason.words)" }.joined(separator: ", ")
    return [
      first, folder.stored == nil ? "This result is not stored in the folder, because \(unstored(folder))." : nil,
      left > 0 ? "\(counted(left, "result")) left out: \(reasons)." : nil,
      folder.removed.map { "Murphy removed \(counted($0, "old result")) from the folder." },
    ].compactMap(\.self)
  }

  private func unstored(_ folder: BaselineFolder) -> String {
    if let failure = folder.failure { return "murphy cannot write into it (\(failure))" }
    return verdict == .fail ? "the run failed" : "the run is \(verdict.word)"
  }

  /// The differences for which results were left out, each with some of their files.
  var baselineDetails: [String] {
    (regression?.folder?.leftOut ?? []).flatMap { group in
      let same = group.files.grouped(by: \.detail).map { detail, files in
        "\(group.reason.words): \(detail): " + files.map(\.file).first(Self.filesShown).joined(separator: ", ")
      }
      let more = group.count - group.files.count
      return same + (more > 0 ? ["\(group.reason.words): \(more.text) more"] : [])
    }
  }

  private static let filesShown = 3
}

extension LeftOutResults.Reason {
  /// The reason after a count: `2 × another machine class`.
  fileprivate var words: String {
    switch self {
    case .unreadable: "unreadable"
    case .incomplete: "INVALID or incomplete"
    case .failed: "FAIL"
    case .repeated: "the same run twice"
    case .scenario: "another scenario"
    case .load: "another load"
    case .seed: "another seed"
    case .machine: "another machine class"
    case .version: "another version of murphy or libcurl"
    }
  }
}
