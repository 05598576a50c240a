import MurphyContract
import MurphyModel
import MurphyScenario

/// Merges findings of one kind that violate one rule: equal statuses over operations, one line of the contract that
/// many responses violate, one missing validation over parameters. A finding without its own rule is grouped by its
/// message.
package enum FindingGroups {
  /// Smaller groups remain single findings. Missing authentication is one mistake in all places.
  private static func fewest(_ kind: FindingKind) -> Int { kind == .exploreAuthIgnored ? 2 : 3 }
  private static let named = 6
  private static let listed = 60

  private struct Cause: Hashable {
    var kind: FindingKind
    var severity: Finding.Severity
    var text: String
  }

  /// The findings in their order, each group at the position of its first member.
  package static func grouped(_ findings: [Finding]) -> [Finding] {
    let groups = Dictionary(grouping: findings.filter { $0.sharedCause != nil }) { cause($0) }
      .filter { $0.value.count >= fewest($0.key.kind) }
    var reported: Set<Cause> = []
    return findings.compactMap { finding in
      guard finding.sharedCause != nil, let members = groups[cause(finding)] else { return finding }
      return reported.insert(cause(finding)).inserted ? group(members, cause(finding)) : nil
    }
  }

  private static func cause(_ finding: Finding) -> Cause {
    Cause(kind: finding.kind, severity: finding.severity, text: finding.sharedCause ?? "")
  }

  /// The evidence is that of the finding that was seen first.
  private static func group(_ members: [Finding], _ cause: Cause) -> Finding {
    let members = members.sorted { ($0.firstSeen, $0.headline) < ($1.firstSeen, $1.headline) }
    let operations = members.reduce(into: [String]()) { names, member in
      if let name = member.operation, !names.contains(name) { names.append(name) }
    }
    var whole = members.first { $0.evidence?.curl != nil } ?? members[0]
    whole.members = members.map(FindingMember.init)
    let message = lead(members[0])
    whole.cause = cause.text
    whole.operation = operations.count == 1 ? operations[0] : nil
    let shown = operations.prefix(named).joined(separator: ", ")
    let more = operations.count > named ? " and \(operations.count - named) more" : ""
    let places = members.count > operations.count ? "at \(members.count) places of " : "in "
    whole.message =
      "\(message), \(places)"
      + (operations.count == 1 ? "this operation" : "\(operations.count) operations: \(shown)\(more)")
    whole.details = members.prefix(listed).map { "\($0.headline) (\(MurphyModel.counted($0.count, "time")))" }
    if members.count > listed { whole.details.append("and \(members.count - listed) more") }
    whole.details += members.flatMap(\.details).reduce(into: [String]()) { if !$0.contains($1) { $0.append($1) } }
      .prefix(named)
    whole.count = members.reduce(0) { $0 + $1.count }
    whole.places = nil
    whole.firstSeen = members.map(\.firstSeen).min() ?? 0
    whole.lastSeen = members.map(\.lastSeen).max() ?? 0
    whole.load = load(members)
    (whole.found, whole.expectation) = (nil, nil)
    whole.fingerprint = Finding.fingerprint(of: [cause.kind.rawValue, "cause", cause.text])
    return whole
  }

  private static func lead(_ finding: Finding) -> String {
    guard let cause = finding.cause else { return finding.message }
    return switch finding.kind {
    case .exploreAuthIgnored: "requests \(cause) succeed, but the contract requires credentials"
    case .exploreInvalidAccepted: "values that the contract forbids by \"\(cause)\" are accepted"
    case .exploreValidRefused: "values that the contract allows by \"\(cause)\" are rejected"
    default: cause
    }
  }

  /// Counts each operation's requests once.
  private static func load(_ members: [Finding]) -> [LoadOccurrence] {
    guard var sum = members.first?.load, members.allSatisfy({ $0.load.count == sum.count }) else { return [] }
    var known: Set<String?> = [members[0].operation]
    for member in members.dropFirst() {
      let isNew = known.insert(member.operation).inserted
      for index in sum.indices {
        sum[index].occurrences += member.load[index].occurrences
        if isNew { sum[index].requests += member.load[index].requests }
      }
    }
    return sum
  }
}

extension Finding {
  /// `status 503 is not documented`; nil where a finding remains separate: one of the whole run, one that contradicts
  /// the expectation of a step, and one whose samples have a separate row.
  fileprivate var sharedCause: String? {
    guard members == nil, operation != nil, expectation == nil, kind.family != .budget, drift == nil else { return nil }
    return cause ?? message
  }
}

/// Finds the time from which on operations that had succeeded failed for the rest of the run, and the request after
/// which that began.
struct FailureOnset {
  let record: RunRecord
  let contract: Contract
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
      let failed = finding.isServerError ? \OperationCourse.Second.faults : \.errors
      return Self.tail(operation.course.seconds, failed).map { (operation.operation, $0.from, $0.count) }
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
      "All \(failing.reduce(0) { $0 + $1.count }.text) later requests of \(shown)\(more) failed from "
        + "\(Outage.seconds(begin)) on\(cause(isSeen ? begin : begin + 1)).", at: 0)
    finding.details.insert(contentsOf: failing.compactMap { record.aftermath[$0.name] }, at: 1)
    return finding
  }

  /// The failures after the last success of an operation, and the second in which they begin.
  fileprivate static func tail(
    _ seconds: [OperationCourse.Second], _ failed: KeyPath<OperationCourse.Second, UInt32>
  ) -> (from: Int, count: Int)? {
    guard let last = seconds.lastIndex(where: { $0.ends > $0[keyPath: failed] }),
      let from = seconds.indices.first(where: { $0 > last && seconds[$0][keyPath: failed] > 0 })
    else { return nil }
    // Those in the second of the last success may have occurred before it.
    let count = seconds[from...].reduce(0) { $0 + Int($1[keyPath: failed]) }
    return count >= fewest ? (from: seconds[last][keyPath: failed] > 0 ? last : from, count: count) : nil
  }

  private func cause(_ time: Double) -> String {
    // A POST may only read.
    let reading = Set(contract.operations.indices.filter { WriteRule.reads(contract.operations[$0]) })
    guard let write = record.responses.writes.last(before: time, without: reading),
      record.operations.indices.contains(write.operation)
    else { return "" }
    let operation = record.operations[write.operation]
    return "; the last successful write request before the first failure was \(operation.method) \(operation.path) "
      + "(status \(write.status)) at \(Outage.seconds(write.ended))"
  }
}

extension RunRecord {
  /// Operations that had succeeded, and of which all later requests failed without a response or with a status of 5xx.
  package var failedToTheEnd: [String] {
    operations.filter { FailureOnset.tail($0.course.seconds, \.faults) != nil }.map(\.operation)
  }
}
