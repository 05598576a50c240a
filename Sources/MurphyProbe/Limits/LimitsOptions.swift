import MurphyModel
import MurphyServer
import MurphyTarget

/// What `murphy limits` is asked for.
public struct LimitsOptions: Sendable {
  /// Replaces the scenario's target.
  public var target: Target?
  /// Only the limits of this operation, by operationId.
  public var operation: String?
  /// Whether nothing that is declared is believed: a black box.
  public var isBlackBox = false
  /// Requests per limit.
  public var maxRequests = 5000
  /// Seconds per limit.
  public var maxSeconds = 600.0
  /// Allowance and key only, within one window.
  public var isQuick = false
  /// The word that a target elsewhere than on this machine may be tested.
  public var mayTestTarget = false
  /// Whether the key's dimensions, races and failed requests are tried too.
  public var asksFollowUps = true
  /// PEM file of trusted authorities.
  public var authorities: String?
  /// Environment variables that the scenario and the contract's security schemes may read.
  public var environment: [String: String] = [:]
  /// Options of the embedded reference API.
  public var reference = ReferenceOptions()
  /// Draws who the clients are; nil for clients that no earlier probe used.
  public var seed: UInt64?

  /// Every declared limit of the scenario's own target, with all questions.
  public init() {}
}
