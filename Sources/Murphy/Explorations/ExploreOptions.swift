import MurphyModel
import MurphyServer

/// What is asked for of an exploration.
package struct ExploreOptions: Sendable {
  package var target: Target
  /// Users who try things at once.
  package var users = 1
  /// The longest time.
  package var time: Duration = .seconds(60)
  package var mostRequests = 20_000
  /// Of all draws; nil draws one.
  package var seed: UInt64?
  /// Only these operations; empty for all.
  package var only: [String] = []
  /// Operations that may be called whatever they change.
  package var operations: [String] = []
  /// Kinds of finding that are not looked for.
  package var off: Set<FindingKind> = []
  /// How long an answer may take.
  package var timeout: Duration = .seconds(5)
  /// PEM file of the certificate authorities to trust.
  package var authorities: String?
  /// What users show in a TLS handshake; nil for nothing.
  package var certificate: ClientCertificate?
  /// Variables that hold credentials: `MURPHY_AUTH_<SCHEME>`, and of a second user `MURPHY_AUTH_<SCHEME>_OTHER`.
  package var environment: [String: String] = [:]
  /// Of an embedded target.
  package var reference = RunOptions().reference
  /// An earlier exploration of which only the cases are tried that showed something; nil tries everything.
  package var replayed: ReplayedExploration?
  /// Whether a target elsewhere than on this machine may be written to and sent nonsense.
  package var mayTestTarget = false

  package init(target: Target) { self.target = target }

  /// Options of the command line whose values are not the usual ones, those of a run aside.
  var given: [(name: String, value: String)] {
    let usual = ExploreOptions(target: target)
    var given: [(name: String, value: String)] = []
    if time != usual.time { given.append(("--max-seconds", time.text)) }
    if mostRequests != usual.mostRequests { given.append(("--max-requests", String(mostRequests))) }
    if users != usual.users { given.append(("--users", String(users))) }
    if timeout != usual.timeout { given.append(("--timeout", timeout.text)) }
    given += only.map { ("--only", $0) } + operations.map { ("--operation", $0) }
    given += off.map(\.rawValue).sorted().map { ("--off", $0) }
    return given + (replayed.map { [("--replay", $0.file)] } ?? [])
  }
}
