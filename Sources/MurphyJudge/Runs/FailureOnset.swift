import MurphyModel

/// Finds the time from which on operations that had succeeded failed for the rest of the run, and the request after
/// which that began.
struct FailureOnset {
  let record: RunRecord
  /// True if requests are made to fail, and failed ones are repeated: then a single operation proves nothing.
  let provokesFailures: Bool
  /// Fewer failures may be chance, and so may operations where requests are made to fail.
  private static let fewest = 3

  /// The finding, with an additional line where all later requests of its operations failed.
  func explained(_ finding: Finding) -> Finding {
    guard finding.severity == .error, finding.kind == .budgetErrors || (finding.isServerError && finding.firstSeen > 0)
    else { return finding }
    let names = Set(finding.operations.compactMap(\.self))
    let failing = record.operations.compactMap { operation -> (name: String, from: Int, count: Int)? in
      guard names.isEmpty || names.contains(operation.operation) else { return nil }
      return tail(operation.course.seconds, finding).map { (operation.operation, $0.from, $0.count) }
    }
    guard let second = failing.map(\.from).min(), !provokesFailures || failing.count >= Self.fewest else {
      return finding
    }
    let isSeen = finding.isServerError && Int(saturating: finding.firstSeen) >= second
    let begin = isSeen ? finding.firstSeen : Double(second)
    let shown = failing.prefix(4).map(\.name).joined(separator: ", ")
    let more = failing.count > 4 ? " and \(failing.count - 4) more" : ""
    var finding = finding
    finding.details.insert(
      "All \(failing.reduce(0) { $0 + $1.count }) later requests of \(shown)\(more) failed from "
        + "\(Outage.seconds(begin)) on\(cause(isSeen ? begin : begin + 1)).", at: 0)
    return finding
  }

  /// The failures after the last success of an operation, and the second in which they begin.
  private func tail(_ seconds: [OperationCourse.Second], _ finding: Finding) -> (from: Int, count: Int)? {
    let failed = finding.isServerError ? \OperationCourse.Second.faults : \.errors
    guard let last = seconds.lastIndex(where: { $0.ends > $0[keyPath: failed] }),
      let from = seconds.indices.first(where: { $0 > last && seconds[$0][keyPath: failed] > 0 })
    else { return nil }
    // Those in the second of the last success may have occurred before it.
    let count = seconds[from...].reduce(0) { $0 + Int($1[keyPath: failed]) }
    return count >= Self.fewest ? (from: seconds[last][keyPath: failed] > 0 ? last : from, count: count) : nil
  }

  private func cause(_ time: Double) -> String {
    guard let write = record.answers.writes.last(before: time), record.operations.indices.contains(write.operation)
    else { return "" }
    let operation = record.operations[write.operation]
    return "; the last successful write request before the first failure was \(operation.method) \(operation.path) "
      + "(status \(write.status)) at \(Outage.seconds(write.ended))"
  }
}
