import MurphyModel
import MurphyProbe
import MurphyReport
import MurphyServer

/// The options of an exploration.
package struct ExploreOptions: Sendable {
  package var target: Target
  /// The number of concurrent users. If nil, one user, and up to eight for an API with slow responses.
  package var users: Int?
  /// The time limit.
  package var time: Duration = .seconds(60)
  /// True if the whole time is used: random cases follow the planned cases.
  package var invents = false
  /// The exploration ends before it sends more.
  package var mostRequests = 20_000
  /// The seed of all random values; nil generates one.
  package var seed: UInt64?
  /// Only these operations; empty for all.
  package var only: [String] = []
  /// Operations that may be called even if they change data.
  package var operations: [String] = []
  /// Kinds of findings that are not searched for.
  package var off: Set<FindingKind> = []
  /// The timeout for a response.
  package var timeout: Duration = .seconds(5)
  /// PEM file of the certificate authorities to trust.
  package var authorities: String?
  /// The client certificate of users in a TLS handshake; nil for none.
  package var certificate: ClientCertificate?
  /// Headers of every request.
  package var headers: [HeaderField] = []
  /// The source of a token that the user's requests carry; nil for none.
  package var tokens: TokenSource?
  /// Variables with credentials: `MURPHY_AUTH_<SCHEME>`, and of a second user `MURPHY_AUTH_<SCHEME>_OTHER`.
  package var environment: [String: String] = [:]
  /// The options of an embedded target.
  package var reference = RunOptions().reference
  /// If set, only the cases of an earlier exploration that had findings are tested; nil tests everything.
  package var replayed: ReplayedExploration?
  /// True if a remote target may receive writes and invalid input.
  package var mayTestTarget = false

  package init(target: Target) { self.target = target }

  /// Options of the command line with values other than the defaults, except those of a run.
  var given: [(name: String, value: String)] {
    let usual = ExploreOptions(target: target)
    var given: [(name: String, value: String)] = []
    if time != usual.time || invents { given.append(("--max-seconds", time.notation)) }
    if mostRequests != usual.mostRequests { given.append(("--max-requests", String(mostRequests))) }
    if let users { given.append(("--users", String(users))) }
    if timeout != usual.timeout { given.append(("--timeout", timeout.notation)) }
    given += only.map { ("--only", $0) } + operations.map { ("--operation", $0) }
    given += off.map(\.rawValue).sorted().map { ("--off", $0) }
    return given + (replayed.map { [("--replay", $0.file)] } ?? [])
  }
}

/// The findings of an earlier exploration, to be tested again.
package struct ReplayedExploration: Sendable {
  let file: String
  /// The seed of all its random values.
  package let seed: UInt64
  /// The cases that had findings.
  let replayed: Replayed
  private let findings: [Finding]

  /// - Parameter file: the `result.json` of an exploration.
  /// - Throws: `GateError.usage` for another file.
  package init(_ file: String) throws(GateError) {
    let result: RunResult
    do {
      result = try ResultFile.read(file)
    } catch {
      throw .usage("murphy cannot repeat the test cases of \(file): \(error)")
    }
    guard let explored = result.explored else {
      throw .usage("\(file) is not a result of `murphy explore`, so it contains no test cases to repeat.")
    }
    self.file = file
    seed = result.run.seed
    findings = result.findings.filter { $0.severity > .note }.flatMap(\.ungrouped)
    let known = Set(explored.cases.map(\.fingerprint))
    let others = findings.filter { !known.contains($0.fingerprint) }.compactMap(\.operation)
    replayed = Replayed(cases: explored.cases, operations: Set(others))
  }

  /// `2 of 3 findings were reproduced.`, and a line for each of the others: a finding is fixed only if the operation's cases
  /// were decided.
  package func comparison(with result: RunResult) -> [String] {
    let again = Set(result.findings.flatMap(\.fingerprints))
    let gone = findings.filter { !again.contains($0.fingerprint) }
    return ["\(findings.count - gone.count) of \(findings.count) findings were reproduced."]
      + gone.map { finding in
        let row = result.explored?.operations.first { $0.operation == finding.operation }
        let isDecided = row.map { $0.trials > 0 && $0.undecided?.isEmpty != false } ?? (finding.operation == nil)
        return "\(isDecided ? "fixed" : "not reproduced, but not all cases were decided"): "
          + "\(finding.operation ?? "") \(finding.kind.rawValue): \(finding.message)"
      }
  }
}
