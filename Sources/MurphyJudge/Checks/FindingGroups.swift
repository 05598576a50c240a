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
    whole.firstSeen = members.map(\.firstSeen).min() ?? .zero
    whole.lastSeen = members.map(\.lastSeen).max() ?? .zero
    whole.load = load(members)
    (whole.found, whole.expectation) = (nil, nil)
    whole.fingerprint = Finding.fingerprint(of: [cause.kind.rawValue, "cause", cause.text])
    return whole
  }

  private static func lead(_ finding: Finding) -> String {
    guard let cause = finding.cause else { return finding.message }
    return switch finding.kind {
    // A keyword of the schema is one word; the cause of a case about HTTP is a sentence.
    case .exploreInvalidAccepted where cause.contains(" "): cause
    case .exploreAuthIgnored: "requests \(cause) succeed, but the contract requires credentials"
    case .exploreInvalidAccepted: "the API accepts values that violate the contract's \"\(cause)\""
    case .exploreValidRefused: "the API rejects values that satisfy the contract's \"\(cause)\""
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
