import Foundation
import MurphyContract
import MurphyModel
import MurphySchema

/// The result of `murphy check NEW --against OLD`.
package struct ContractChanges: Encodable, Sendable {
  /// The name and version of the JSON.
  package static let currentFormat = "murphy-changes/1"

  /// A known client.
  package struct Client: Encodable, Sendable {
    /// The file that shows the use.
    var file: String
    /// `scenario`, `recording` or `result`
    var kind: String
    /// The number of operations of the old contract that it calls.
    var operations: Int
  }

  /// A place in one of the documents.
  package struct Place: Encodable, Sendable {
    var file: String
    var line: Int
    var column: Int
    /// The JSON Pointer of a part of a long line.
    var pointer: String?

    fileprivate init(_ mark: SourceMark) {
      (file, line, column, pointer) = (mark.file, mark.line, mark.column, mark.pointer)
    }

    var mark: SourceMark { SourceMark(file: file, line: line, column: column, pointer: pointer) }
  }

  /// One change.
  package struct Change: Encodable, Sendable {
    var severity: String
    var rule: String
    /// `GET /laws`; nil for the whole contract.
    var operation: String?
    /// `response 200 application/json, data[*].title`; nil for the whole operation.
    var part: String?
    /// Old and new values.
    var change: String
    /// The reason why the change is only possibly breaking.
    var reason: String?
    var old: Place?
    var new: Place?
    /// The files of the clients that use the part; nil without known clients.
    var usedBy: [String]?
    /// True if it concerns every client that calls the operation.
    fileprivate var concernsCallers: Bool

    private enum CodingKeys: CodingKey {
      case severity, rule, operation, part, change, reason, old, new, usedBy
    }

    /// True if clients are known, and none of them uses the part.
    var isUnused: Bool { usedBy?.isEmpty == true }
  }

  /// The name and version of the JSON.
  package var format = currentFormat
  /// `fail` if a breaking change is not allowed.
  package let verdict: Verdict
  /// The file of the old version.
  package let old: String
  /// The file of the new version.
  package let new: String
  /// One for each file of `--used-by`, or for each result in a folder.
  package let clients: [Client]
  /// True if breaking changes that no known client uses are allowed.
  package let allowsUnused: Bool
  /// The number of breaking changes, used and unused.
  package let breaking: Int
  /// Nil without known clients.
  package let breakingUnused: Int?
  /// The number of changes that cannot be decided.
  package let possiblyBreaking: Int
  /// The number of compatible changes.
  package let compatible: Int
  /// The number of changes that are not in `changes`, because there are too many; nil for none.
  package let unlisted: Int?
  /// Used breaking changes come first in each operation.
  package let changes: [Change]
  /// For each client with other requests than those of the old contract: how many.
  private(set) package var notes: [String] = []

  private enum CodingKeys: CodingKey {
    case format, verdict, old, new, clients, allowsUnused, breaking, breakingUnused, possiblyBreaking, compatible
    case unlisted, changes
  }

  /// Compares two documents.
  ///
  /// - Parameters:
  ///   - files: scenarios, recordings and results that show what clients use.
  ///   - allowsUnused: true if a breaking change passes that no client uses.
  /// - Throws: a `GateError` for a file that cannot be used.
  package init(
    from old: String, to new: String, usedBy files: [String] = [], allowsUnused: Bool = false, today: Date = Date()
  ) throws(GateError) {
    let contracts = (try Gate.contract(old), try Gate.contract(new))
    var clients: [KnownClient] = []
    for file in files { clients += try KnownClient.read(file, of: contracts.0) }
    let day = today.formatted(.iso8601.year().month().day())
    self.init(ContractDiff(from: contracts.0, to: contracts.1, today: day), clients, allowsUnused: allowsUnused)
  }

  init(_ diff: ContractDiff, _ clients: [KnownClient], allowsUnused: Bool) {
    let users = diff.users(among: clients.map(\.use))
    let list = zip(diff.changes, users).map { change, users in
      Change(
        severity: change.severity.rawValue, rule: change.rule, operation: change.operation,
        part: change.part.isEmpty ? nil : change.part, change: change.text, reason: change.reason,
        old: change.old.map(Place.init), new: change.new.map(Place.init),
        usedBy: clients.isEmpty ? nil : users.map { clients[$0].use.file }, concernsCallers: change.concernsCallers)
    }
    func count(_ severity: ContractChange.Severity) -> Int {
      list.count { $0.severity == severity.rawValue } + diff.unlisted[severity, default: 0]
    }
    let breaking = list.filter { $0.severity == ContractChange.Severity.breaking.rawValue }
    let unused = breaking.count { $0.isUnused }
    (old, new) = (diff.old.file, diff.new.file)
    self.clients = clients.map {
      Client(file: $0.use.file, kind: $0.use.kind.rawValue, operations: $0.use.operations.count)
    }
    self.allowsUnused = allowsUnused
    self.breaking = count(.breaking)
    breakingUnused = clients.isEmpty ? nil : unused
    (possiblyBreaking, compatible) = (count(.possiblyBreaking), count(.compatible))
    // Changes that are not listed count as used.
    verdict = self.breaking == (allowsUnused ? unused : 0) ? .pass : .fail
    unlisted = diff.unlisted.isEmpty ? nil : diff.unlisted.values.reduce(0, +)
    changes = Self.ordered(list)
    notes = clients.filter { $0.others > 0 }.map {
      "\($0.use.file): \($0.others) of its calls fit no operation of \(diff.old.file)."
    }
  }

  /// Grouped by operation, in the order of the document; the worst change first.
  private static func ordered(_ changes: [Change]) -> [Change] {
    var places: [String: Int] = [:]
    for change in changes where places[change.operation ?? ""] == nil { places[change.operation ?? ""] = places.count }
    let severities = ContractChange.Severity.allCases.map(\.rawValue)
    func rank(_ change: Change) -> (Int, Int, Int) {
      (
        places[change.operation ?? ""] ?? 0, severities.firstIndex(of: change.severity) ?? 0, change.isUnused ? 1 : 0
      )
    }
    return changes.enumerated().sorted { one, other in
      let ranks = (rank(one.element), rank(other.element))
      return ranks.0 == ranks.1 ? one.offset < other.offset : ranks.0 < ranks.1
    }.map(\.element)
  }
}

extension ContractChanges {
  /// The totals and the verdict in a line, then one line for each change.
  package var text: String {
    var lines = [summary]
    var operation: String??
    for change in changes {
      if operation != .some(change.operation) {
        lines += ["", change.operation ?? "The whole contract"]
        operation = change.operation
      }
      lines.append("  " + line(change))
    }
    if let unlisted { lines += ["", "\(unlisted) more changes are not listed."] }
    if verdict == .fail, breaking == breakingUnused {
      lines += [
        "", "No known client uses what these changes break. To accept such changes, use --allow breaking:unused.",
      ]
    }
    lines += ["", verdict.word]
    return lines.joined(separator: "\n")
  }

  private var summary: String {
    var words = "\(new) against \(old): \(verdict.word), \(breaking) breaking"
    if let breakingUnused, breaking > 0 {
      words += " (\(breakingUnused) used by no known client\(allowsUnused && breakingUnused > 0 ? ", allowed" : ""))"
    }
    return words + ", \(possiblyBreaking) possibly breaking, \(counted(compatible, "compatible change"))"
  }

  private func line(_ change: Change) -> String {
    let severity =
      change.severity.replacingScalars("-", with: " ")
      + (change.isUnused && change.severity != "compatible" ? " (unused)" : "")
    let places = [change.old, change.new].compactMap { $0?.mark.text }.joined(separator: " → ")
    var words =
      "\(severity)  \(change.rule)  " + [change.part, change.change].compactMap(\.self).joined(separator: ": ")
    if let reason = change.reason { words += " (\(reason))" }
    words += "  \(places)"
    guard let users = change.usedBy, change.severity != "compatible" else { return words }
    // The severity already states that no client uses it.
    return users.isEmpty ? words : words + "  " + use(change, users)
  }

  /// `received by app.har`: a recording does not show what its client reads.
  private func use(_ change: Change, _ users: [String]) -> String {
    let kinds = Dictionary(clients.map { ($0.file, $0.kind) }, uniquingKeysWith: { first, _ in first })
    let isResponse = change.part?.hasPrefix("response") == true
    let groups = Dictionary(grouping: users) { user in
      if kinds[user] == "result" || change.concernsCallers { return "called by" }
      guard isResponse else { return "sent by" }
      return kinds[user] == "recording" ? "received by" : "read by"
    }
    return groups.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value.joined(separator: ", "))" }.joined(
      separator: "; ")
  }
}
