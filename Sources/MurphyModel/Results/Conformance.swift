/// How the answers of one operation came out against the contract; together they are all of its answers.
package struct Conformance: Sendable, Codable, Hashable {
  /// Answers in which everything that the contract says of them was checked and holds.
  package var conformant: Int
  /// Answers with at least one violation.
  package var violating: Int
  /// Answers without a violation of which something could not be checked, by reason, most frequent first.
  package var unchecked: [ReasonCount]

  package init(conformant: Int = 0, violating: Int = 0, unchecked: [ReasonCount] = []) {
    self.conformant = conformant
    self.violating = violating
    self.unchecked = unchecked
  }

  /// All answers.
  package var answers: Int { conformant + violating + uncheckedTotal }
  /// Answers that could not be checked.
  package var uncheckedTotal: Int { unchecked.reduce(0) { $0 + $1.count } }

  /// Adds the counts of another loop.
  package static func += (sum: inout Conformance, other: Conformance) {
    sum.conformant += other.conformant
    sum.violating += other.violating
    for entry in other.unchecked {
      if let index = sum.unchecked.firstIndex(where: { $0.reason == entry.reason }) {
        sum.unchecked[index].count += entry.count
      } else {
        sum.unchecked.append(entry)
      }
    }
    sum.unchecked.sort { ($1.count, $0.reason) < ($0.count, $1.reason) }
  }
}
