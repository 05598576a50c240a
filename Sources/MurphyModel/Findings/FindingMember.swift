/// A finding that is shown as a part of another one with the same cause.
package struct FindingMember: Sendable, Codable, Hashable {
  /// The operationId.
  package var operation: String?
  /// The sentence of the finding, with secrets masked.
  package var message: String
  /// The number of times that it was found.
  package var count: Int
  /// Seconds since the run's start.
  package var firstSeen: Double
  /// Equal in every run for the same defect.
  package var fingerprint: String

  package init(_ finding: Finding) {
    operation = finding.operation
    message = finding.message
    count = finding.count
    firstSeen = finding.firstSeen
    fingerprint = finding.fingerprint
  }
}

extension Finding {
  /// The operations with the finding, each once; nil for the whole run.
  package var operations: [String?] {
    guard let members else { return [operation] }
    var seen: Set<String?> = []
    return members.map(\.operation).filter { seen.insert($0).inserted }
  }

  /// Its fingerprint and those of its members.
  package var fingerprints: [String] { [fingerprint] + (members ?? []).map(\.fingerprint) }

  /// The findings that it groups, each separately; a single finding returns itself.
  package var ungrouped: [Finding] {
    guard let members else { return [self] }
    return members.map { member in
      var single = self
      (single.operation, single.message, single.count) = (member.operation, member.message, member.count)
      (single.firstSeen, single.fingerprint, single.members) = (member.firstSeen, member.fingerprint, nil)
      return single
    }
  }

  /// True if the API reported its own failure.
  package var isServerError: Bool {
    kind == .exploreServerError || (kind == .contractStatus && message.hasPrefix("status 5"))
  }
}
