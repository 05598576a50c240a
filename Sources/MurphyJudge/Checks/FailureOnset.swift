import Foundation
import MurphyContract
import MurphyModel
import MurphyScenario

/// Finds the time from which on operations that had succeeded failed for the rest of the run, and the request after
/// which that began.
struct FailureOnset {
  let record: RunRecord
  let contract: Contract
  /// True if requests are made to fail, and failed ones are repeated: then a single operation proves nothing.
  let provokesFailures: Bool
  /// Fewer failures may be chance, and so may operations where requests are made to fail.
  static let fewest = 3
  /// The maximum probability of the failures if the operation had failed as often as before.
  static let chance = 0.01

  /// The failures after the last success of an operation.
  struct Tail {
    var operation: String
    /// Seconds since the run's start.
    var from: Double
    var count: Int
    /// Nil for merged shards.
    var change: FailureChange?
  }

  /// The failures behind a finding; empty if it has another reason.
  func tails(behind finding: Finding) -> [Tail] {
    guard finding.severity == .error, mayFollow(finding) else { return [] }
    let names = finding.kind.family == .traffic ? [] : Set(finding.operations.compactMap(\.self))
    let failed: KeyPath<OperationCourse.Second, UInt32> = finding.kind == .budgetErrors ? \.errors : \.faults
    let tails = record.operations.indices.compactMap { index -> Tail? in
      guard names.isEmpty || names.contains(record.operations[index].operation) else { return nil }
      return record.tail(index, failed)
    }
    guard !provokesFailures || tails.count >= Self.fewest, isMost(tails, of: finding, names) else { return [] }
    return tails.sorted { $0.from < $1.from }
  }

  /// True if the failures are at least half of those behind the finding.
  private func isMost(_ tails: [Tail], of finding: Finding, _ names: Set<String>) -> Bool {
    let isCheck = finding.kind.family == .budget || finding.kind.family == .traffic
    let errors = record.operations.reduce(0) { sum, operation in
      guard names.isEmpty || names.contains(operation.operation) else { return sum }
      return sum + (isCheck ? operation.errors : operation.outcomes.serverError + operation.outcomes.transport)
    }
    let sessions = finding.kind.family == .traffic ? record.sessions.reduce(0) { $0 + $1.failedTotal } : 0
    return tails.reduce(0) { $0 + $1.count } * 2 >= max(errors, sessions)
  }

  /// True if failing operations can cause the finding.
  private func mayFollow(_ finding: Finding) -> Bool {
    switch finding.kind {
    case .budgetErrors, .trafficCompleted, .trafficSessions: true
    case .transportClosed, .transportClosedEarly, .transportIncomplete, .transportRefused, .transportTimeout,
      .transportUnanswered:
      finding.operation != nil
    default: finding.isServerError && finding.firstSeen > .zero
    }
  }

  /// The findings with the first one that failing operations explain in front, and the cause in its message.
  func leading(_ findings: [Finding]) -> (findings: [Finding], lead: Finding?) {
    guard let index = findings.firstIndex(where: { !tails(behind: $0).isEmpty }) else { return (findings, nil) }
    var findings = findings
    var lead = findings[index]
    let failing = tails(behind: lead)
    let sentence = self.sentence(failing, lead)
    let name = Self.names(failing)
    // The headline of a finding begins with the name of its operation.
    let begin = lead.operation == name ? String(sentence.dropFirst(name.count + 1)) : sentence
    lead.message = "\(begin): \(lead.message)"
    let aftermath = failing.compactMap { record.aftermath[$0.operation] }
    lead.details = [Self.counted(failing)] + aftermath.flatMap(\.sentences) + lead.details
    if lead.evidence == nil, let curl = aftermath.compactMap(\.curl).first { lead.evidence = Evidence(curl: curl) }
    lead.cause = sentence
    findings.remove(at: index)
    findings.insert(lead, at: findings.prefix { $0.kind == .transportOutage }.count)
    return (findings, lead)
  }

  /// `addItem failed from 0.3 s on, directly after POST /items {"quantity":7} (201)`
  private func sentence(_ tails: [Tail], _ finding: Finding) -> String {
    let first = tails[0].from
    let isSeen = tails[0].change == nil && finding.isServerError && finding.firstSeen.inSeconds >= first
    let from = isSeen ? finding.firstSeen.inSeconds : first
    let begin = "\(Self.names(tails)) failed from \(Outage.seconds(from)) on"
    if let proved = tails.lazy.compactMap({ record.aftermath[$0.operation]?.cause }).first {
      return "\(begin), \(proved)"
    }
    guard let change = tails[0].change else {
      // The time is exact to a second.
      return begin + lastWrite(before: isSeen ? from : from + 1)
    }
    if let failed = change.failed, failed.status == nil { return "\(begin), first \(failed.sentence)" }
    // A POST may only read. An earlier write is not a likely cause.
    let suspect = change.suspects.last { !contract.operations.indices.contains($0.operation) || !reads($0.operation) }
    guard let suspect, from - suspect.ended < Self.recently else { return begin }
    return "\(begin), directly after \(suspect.sentence)"
  }

  /// The time in seconds before a failure in which a write is a likely cause.
  private static let recently = 2.0

  private func reads(_ index: Int) -> Bool { WriteRule.reads(contract.operations[index]) }

  private func lastWrite(before time: Double) -> String {
    let reading = Set(contract.operations.indices.filter(reads))
    guard let write = record.responses.writes.last(before: time, without: reading),
      record.operations.indices.contains(write.operation)
    else { return "" }
    let operation = record.operations[write.operation]
    return ", after \(operation.method) \(operation.path) (\(write.status))"
  }

  private static func names(_ tails: [Tail]) -> String {
    let shown = tails.prefix(4).map(\.operation).joined(separator: ", ")
    return tails.count > 4 ? "\(shown) and \(tails.count - 4) more" : shown
  }

  private static func counted(_ tails: [Tail]) -> String {
    "After that time, no request of \(names(tails)) succeeded: "
      + "\(MurphyModel.counted(tails.reduce(0) { $0 + $1.count }, "request")) failed."
  }
}

extension RunRecord {
  /// Operations that had succeeded, and of which no later request succeeded: they got no response or a status of 5xx.
  package var failedToTheEnd: [String] {
    operations.indices.compactMap { tail($0, \.faults)?.operation }
  }

  /// The failures after the last success of an operation; nil if chance may explain them.
  fileprivate func tail(_ index: Int, _ failed: KeyPath<OperationCourse.Second, UInt32>) -> FailureOnset.Tail? {
    let (name, seconds) = (operations[index].operation, operations[index].course.seconds)
    let tail =
      changes.first { $0.operation == index }.flatMap { change in
        change.failed.map {
          FailureOnset.Tail(operation: name, from: $0.ended, count: change.failures, change: change)
        }
      } ?? Self.tail(name, seconds, failed)
    guard let tail, tail.count >= FailureOnset.fewest else { return nil }
    let ends = seconds.reduce(0.0) { $0 + Double($1.ends) } - Double(tail.count)
    let failures = seconds.reduce(0.0) { $0 + Double($1[keyPath: failed]) } - Double(tail.count)
    let rate = (max(failures, 0) + 1) / (max(ends, 0) + 2)
    return pow(rate, Double(tail.count)) < FailureOnset.chance ? tail : nil
  }

  /// The failures in the seconds after that of the last success.
  private static func tail(
    _ name: String, _ seconds: [OperationCourse.Second], _ failed: KeyPath<OperationCourse.Second, UInt32>
  ) -> FailureOnset.Tail? {
    guard let last = seconds.lastIndex(where: { $0.ends > $0[keyPath: failed] }),
      let from = seconds.indices.first(where: { $0 > last && seconds[$0][keyPath: failed] > 0 })
    else { return nil }
    // Those in the second of the last success may have occurred before it.
    let count = seconds[from...].reduce(0) { $0 + Int($1[keyPath: failed]) }
    return FailureOnset.Tail(
      operation: name, from: Double(seconds[last][keyPath: failed] > 0 ? last : from), count: count, change: nil)
  }
}
