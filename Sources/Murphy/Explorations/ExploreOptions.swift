import MurphyModel
import MurphyServer
import MurphyTarget

/// What is asked for of an exploration.
public struct ExploreOptions: Sendable {
  /// Where requests go to.
  public var target: Target
  /// Users who try things at once.
  public var users = 1
  /// The longest time.
  public var time: Duration = .seconds(60)
  /// The most requests.
  public var mostRequests = 20_000
  /// Of all draws; nil draws one.
  public var seed: UInt64?
  /// Only these operations; empty for all.
  public var only: [String] = []
  /// Kinds of finding that are not looked for.
  public var off: Set<FindingKind> = []
  /// How long an answer may take.
  public var timeout: Duration = .seconds(5)
  /// PEM file of the certificate authorities to trust.
  public var authorities: String?
  /// What users show in a TLS handshake; nil for nothing.
  package var certificate: ClientCertificate?
  /// Variables that hold credentials: `MURPHY_AUTH_<SCHEME>`, and of a second user `MURPHY_AUTH_<SCHEME>_OTHER`.
  public var environment: [String: String] = [:]
  /// Of an embedded target.
  public var reference = RunOptions().reference
  /// An earlier exploration of which only the cases are tried that showed something; nil tries everything.
  public var replayed: ReplayedExploration?
  /// Whether a target elsewhere than on this machine may be written to and sent nonsense.
  public var mayTestTarget = false

  /// An exploration of `target`.
  public init(target: Target) { self.target = target }
}
