import MurphyContract
import MurphyModel
import MurphyProbe
import MurphyScenario

/// The significance of an exploration without findings: rejected credentials or a lack of time make it inconclusive.
struct ExploreConclusiveness {
  private let rows: [ExploredOperation]
  private let document: Contract
  private let environment: [String: String]
  private let board: ExploreState
  private let missing: [String]
  private let target: String

  /// - Parameters:
  ///   - missing: variables of required credentials that are not set.
  ///   - target: the URL of the target.
  init(
    _ board: ExploreState, _ missing: [String], _ document: Contract, _ environment: [String: String], target: String
  ) {
    self.target = target
    self.board = board
    self.missing = missing
    self.document = document
    self.environment = environment
    rows = board.rows
  }

  /// The reason why it ended early, in a sentence; empty if all cases were tested.
  var cut: [String] {
    guard let cut = board.cut else {
      guard board.isOutOfRequests else { return [] }
      return [
        "--max-requests ended the random test cases after \(counted(board.requests, "request")), before --max-seconds. Murphy ran "
          + "all planned test cases."
      ]
    }
    let left = board.left
    return [
      "\(cut.rawValue) ended the exploration after \(counted(board.requests, "request"))"
        + (left.of == 0
          ? ", before a request succeeded. Murphy ran no test case."
          : ". Murphy did not run \(counted(left.count, "planned test case")).")
    ]
  }

  /// The sentence on a target that has none of the document's paths; nil if it has some. Items of the requests may not
  /// exist, so a path without parameters must be missing to prove it.
  var nowhere: String? {
    let called = self.called
    let isEmpty = !called.isEmpty && rows.allSatisfy { !$0.succeeded && ($0.statuses.isEmpty || $0.statuses == [404]) }
    guard isEmpty || isElsewhere else { return nil }
    return BasePath.sentence(called, document, target: target)
  }

  private var called: [BasePath.Called] {
    rows.compactMap { row in
      document.index(of: row.operation).flatMap {
        row.statuses.isEmpty ? nil : BasePath.Called(path: document.operations[$0].path, statuses: row.statuses)
      }
    }
  }

  private var isElsewhere: Bool { BasePath.isWrong(called) }

  /// The reasons why the absence of findings is not significant; empty if it is.
  var doubts: [String] {
    if let nowhere { return [nowhere] }
    var doubts: [String] = []
    let untried = rows.filter { $0.cases.values.reduce(0, +) == 0 && $0.trials == 0 }
    if board.cut != nil, !untried.isEmpty {
      doubts.append(
        cut.joined()
          + " Murphy did not decide any test case of \(Self.names(untried)). Raise the limit, or select fewer "
          + "operations with --only.")
    }
    let few = rows.filter { ($0.succeeded && $0.isMostlyUndecided) || (!$0.succeeded && $0.status == 429) }
    if doubts.isEmpty, let first = few.first {
      let others = few.count > 1 ? " Also: \(Self.names(Array(few.dropFirst())))." : ""
      doubts.append(
        first.succeeded
          ? "Murphy decided too few test cases of \(first.operation): \(first.decision).\(others)"
          : "A rate limit rejected the minimal valid request to \(first.operation).\(others)")
    }
    let secured = rows.filter { isSecured($0) }
    let anonymous = anonymous
    if !anonymous.isEmpty {
      let statuses = Set(anonymous.map(\.status)).sorted().map(String.init).joined(separator: " or ")
      let unset = Set(anonymous.flatMap { missing(of: $0) }).sorted().joined(separator: ", ")
      doubts.append(
        "\(Self.names(anonymous)) returned \(statuses) for every request. Environment variables that are not set: "
          + "\(unset)." + advice(anonymous))
    }
    let known = Set(anonymous.map(\.operation))
    let rejected = secured.filter { !$0.succeeded && !known.contains($0.operation) }
    let shutOut = rejected.filter { $0.status == 401 }
    let forbidden = rejected.filter { $0.status == 403 }
    if !shutOut.isEmpty {
      doubts.append("\(Self.names(shutOut)) returned 401 for every request. \(credentials)" + advice(shutOut))
    } else if !forbidden.isEmpty, forbidden.count == secured.count {
      doubts.append("\(Self.names(forbidden)) returned 403 for every request. \(credentials)" + advice(forbidden))
    }
    if doubts.isEmpty, board.cut == nil, !rows.isEmpty, !rows.contains(where: \.succeeded) {
      let statuses = Set(rows.map(\.status))
      doubts.append(
        """
        No minimal valid request succeeded. The statuses were \
        \(statuses.sorted().map(String.init).joined(separator: ", ")).
        """)
    }
    return doubts
  }

  /// Operations that rejected every request and have no credentials in the environment.
  private var anonymous: [ExploredOperation] {
    guard board.login == nil else { return [] }
    return rows.filter { !$0.succeeded && [401, 403].contains($0.status) && !missing(of: $0).isEmpty }
  }

  /// Environment variables for the operation's credentials that are not set.
  private func missing(of row: ExploredOperation) -> [String] {
    let needed = document.index(of: row.operation).map {
      document.credentials(operation: $0, environment: environment).missing
    }
    return needed?.filter(missing.contains) ?? []
  }

  /// Without findings about the rejection of requests without credentials: the required credentials are missing. At a
  /// wrong address, no response says anything about the contract.
  func relevant(of findings: [Finding]) -> [Finding] {
    if isElsewhere { return findings.filter { $0.kind.family != .contract } }
    let anonymous = Set(anonymous.map(\.operation))
    return findings.filter { finding in
      guard finding.kind == .contractStatus, let operation = finding.operation, anonymous.contains(operation) else {
        return true
      }
      return finding.status != 401 && finding.status != 403
    }
  }

  private func isSecured(_ row: ExploredOperation) -> Bool {
    guard let index = document.index(of: row.operation) else { return false }
    return document.operations[index].security.contains { !$0.schemes.isEmpty }
  }

  /// What the first rejected operation needs, and what its response says.
  private func advice(_ rows: [ExploredOperation]) -> String {
    let rejections = board.rejections
    for row in rows {
      guard let index = document.index(of: row.operation), let rejection = rejections[index] else { continue }
      return " " + document.advice(rejection.says, operation: index, isSent: rejection.isSent, environment: environment)
    }
    return ""
  }

  /// What operations that rejected every request need, and what their responses say: a sentence for each cause.
  var rejections: [String] {
    let known = board.rejections
    var seen: Set<[String]> = []
    return Array(
      rows.compactMap { row -> String? in
        guard !row.succeeded, [401, 403].contains(row.status), let index = document.index(of: row.operation),
          let rejection = known[index]
        else { return nil }
        let schemes = document.operations[index].security.first?.schemes ?? []
        guard seen.insert([rejection.says.reason?.rawValue ?? ""] + schemes).inserted else { return nil }
        return "\(row.operation) returned \(row.status). "
          + document.advice(rejection.says, operation: index, isSent: rejection.isSent, environment: environment)
      }.prefix(2))
  }

  private var credentials: String {
    let set = document.credentialVariables.filter { !(environment[$0] ?? "").isEmpty }
    if !set.isEmpty { return "The API rejects the credentials in \(set.joined(separator: ", "))." }
    if let login = board.login { return "Murphy used the credentials of \(login)." }
    return missing.isEmpty
      ? "The API rejects the credentials."
      : "Environment variables that are not set: \(missing.joined(separator: ", "))."
  }

  private static func names(_ rows: [ExploredOperation]) -> String {
    rows.map(\.operation).listed(3)
  }
}

/// The findings that the run's own judges duplicate: an exploration has reduced and reproduced them.
struct ExploredFindings {
  private let serverErrors: Set<String>

  init(_ found: [Finding]) {
    serverErrors = Set(found.filter { $0.kind == .exploreServerError }.compactMap(\.operation))
  }

  /// The engine's findings with new information.
  func kept(of findings: [Finding]) -> [Finding] {
    findings.filter { finding in
      guard let operation = finding.operation else { return true }
      switch finding.kind {
      // These deviations are intended.
      case .contractUndocumentedOperation: return false
      case .contractStatus where finding.isServerError: return !serverErrors.contains(operation)
      // If it is not reproduced, it is not evidence. If it is, it is reported as `explore.no-answer`.
      case .transportClosed, .transportClosedEarly, .transportClosedIdle, .transportTimeout, .transportUnanswered,
        .transportIncomplete:
        return false
      default: return true
      }
    }
  }
}

extension [String] {
  /// `a, b and 3 more`
  func listed(_ most: Int, separator: String = ", ") -> String {
    prefix(most).joined(separator: separator) + (count > most ? " and \(count - most) more" : "")
  }
}
