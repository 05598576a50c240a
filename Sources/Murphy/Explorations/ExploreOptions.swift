import MurphyModel
import MurphyServer
import MurphyTarget

/// What is asked for of an exploration.
package struct ExploreOptions: Sendable {
  /// Where requests go to.
  package var target: Target
  /// Users who try things at once.
  package var users = 1
  /// The longest time.
  package var time: Duration = .seconds(60)
  /// The most requests.
  package var mostRequests = 20_000
  /// Of all draws; nil draws one.
  package var seed: UInt64?
  /// Only these operations; empty for all.
  package var only: [String] = []
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

  /// An exploration of `target`.
  package init(target: Target) { self.target = target }
}
