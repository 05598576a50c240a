import MurphyHTTP
import MurphyModel
import MurphyServer

/// The result of `murphy limits`: one entry for each probed limit.
public struct LimitsResult: Sendable, Codable, Hashable {
  /// The name of the scenario.
  package var scenario: String
  /// The URL of the API.
  package var target: String
  /// The version of murphy.
  package var version: String
  /// Fail if a check was contradicted, no data if one was not decided, otherwise pass.
  public var verdict: Verdict
  /// The reasons for the verdict.
  public var reasons: [String]
  /// One for each probed limit, in the order of the declarations.
  package var limits: [ProbedLimit]
  /// True if the user ended it early.
  package var isCutShort: Bool
}

extension LimitsResult {
  /// The result of a crashed process: no limit is known.
  package init(crashed scenario: String, because reason: String) {
    self.init(
      scenario: scenario, target: "", version: ProductVersion.text, verdict: .invalid, reasons: [reason], limits: [],
      isCutShort: true)
  }

  /// Fail if any check was contradicted, no data if any was not decided, otherwise pass.
  init(scenario: String, target: String, limits: [ProbedLimit], isCutShort: Bool) {
    let verdicts = limits.map(\.verdict)
    let verdict: Verdict =
      verdicts.contains(.fail) ? .fail : isCutShort || verdicts.contains(.noData) || limits.isEmpty ? .noData : .pass
    self.init(
      scenario: scenario, target: target, version: ProductVersion.text, verdict: verdict,
      reasons: limits.filter { $0.verdict == verdict }.grouped(by: \.reason).map { reason, limits in
        limits.map(\.name).joined(separator: ", ") + ": " + reason
      }, limits: limits, isCutShort: isCutShort)
    let isNamed = limits.contains { $0.verdict == verdict && $0.report.facts.contains(.ended(.byUser)) }
    if isCutShort, !isNamed { reasons.append("the user stopped the probe before it was complete") }
  }
}

/// The options of `murphy limits`.
public struct LimitsOptions: Sendable {
  /// Replaces the scenario's target.
  public var target: Target?
  /// Only the limits of this operation, by operationId.
  public var operation: String?
  /// True if declarations are ignored: a black box.
  public var isBlackBox = false
  /// Requests per limit.
  public var maxRequests = 5000
  /// The maximum time of all probes together.
  public var time: Duration = .seconds(600)
  /// Allowance and key only, within one window.
  package var isQuick = false
  /// True if a probe ends when its first requests contradict the declaration, without measuring the real limit.
  package var endsWhenContradicted = false
  /// True if a target on another machine may be tested.
  public var mayTestTarget = false
  /// True if the key's dimensions, races and failed requests are tested too.
  package var asksFollowUps = true
  /// PEM file of trusted authorities.
  package var authorities: String?
  /// The client certificate of users in a TLS handshake; nil for none.
  package var certificate: ClientCertificate?
  /// Environment variables that the scenario and the contract's security schemes may read.
  public var environment: [String: String] = [:]
  /// Options of the embedded reference API.
  public var reference = ReferenceOptions()
  /// The seed of the clients; nil for clients that no earlier probe used.
  public var seed: UInt64?

  /// Every declared limit of the scenario's own target, with all questions.
  public init() {}
}
