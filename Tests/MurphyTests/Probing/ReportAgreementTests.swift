import Foundation
import Murphy
import MurphyHTTP
import MurphyJudge
import MurphyModel
import MurphyServer
import Testing

/// No sentence of a probe's report contradicts another, whatever the limiter does and whatever is declared of it.
///
/// `MURPHY_SIMULATIONS=full` tries every fault under every declared key; by default each fault meets every algorithm.
@Suite struct ReportAgreementTests {
  private static let isWhole = ProcessInfo.processInfo.environment["MURPHY_SIMULATIONS"] == "full"

  typealias Behaviour = SimulatedAPI.Behaviour

  static let keys: [LimitKey] = [
    .header("x-device-id"), .sourceAddress, .global, .token, LimitKey([.sourceAddress, .header("x-device-id")]),
  ]

  /// What a limiter may do wrong: the names of the reference API's faults.
  static let faults = [
    "none", "limit-plus-one", "limit-minus-one", "limit-window-short", "limit-window-long", "limit-key-path",
    "limit-spoofable", "limit-per-process", "limit-counts-refused", "limit-counts-failed", "limit-unlimited",
    "retry-after-long",
  ]

  static func apply(_ fault: String, to behaviour: inout Behaviour, _ rule: inout LimiterRule) {
    switch fault {
    case "limit-plus-one": (rule.allowance, rule.burst) = (rule.allowance + 1, rule.burst + 1)
    case "limit-minus-one": (rule.allowance, rule.burst) = (rule.allowance - 1, rule.burst - 1)
    case "limit-window-short": rule.window = rule.window * 3 / 4
    case "limit-window-long": rule.window = rule.window * 4 / 3
    case "limit-key-path": behaviour.countsPath = true
    case "limit-spoofable": behaviour.believesForwarded = true
    case "limit-per-process": behaviour.isSplit = true
    case "limit-counts-refused": behaviour.countsRefused = true
    case "limit-counts-failed": behaviour.countsFailed = true
    case "limit-unlimited": behaviour.isUnlimited = true
    case "retry-after-long": behaviour.retryFactor = 3
    default: break
    }
  }

  static let algorithms: [(server: LimiterAlgorithm, declared: LimitAlgorithm)] = [
    (.fixed, .fixed), (.fixedAligned, .fixedAligned), (.slidingLog, .slidingLog), (.slidingCounter, .slidingCounter),
    (.tokenBucket, .tokenBucket),
  ]

  private static func subject() -> ProbeSubject {
    var subject = ProbeSubject(
      operation: "voteLaw",
      base: HTTPRequest(
        method: "POST", target: "/laws/9/vote",
        headers: [HeaderField("X-Device-ID", "me"), HeaderField("Authorization", "Bearer me")]))
    subject.hasOtherAddresses = true
    subject.otherDevices = (0..<64).map { [HeaderField("X-Device-ID", "other-\($0)")] }
    subject.otherTokens = (0..<64).map { HeaderField("Authorization", "Bearer other-\($0)") }
    subject.otherTargets = (1...8).map { "/laws/\($0)/vote" }
    subject.keyHeaders = ["authorization", "x-device-id"]
    subject.invalid = subject.base
    return subject
  }

  /// The whole way of `murphy limits`, without its network.
  private static func probed(
    _ rule: LimiterRule, _ behaviour: Behaviour, _ declared: LimitPolicy, seed: UInt64
  ) async throws -> ProbedLimit {
    let subject = subject()
    var options = ProbeOptions(
      declared: declared, dimensions: subject.dimensions, triesInvalid: true, triesRace: true)
    options.deviceHeaders = subject.deviceHeaderNames
    var api = SimulatedAPI(rule, behaviour, subject, seed: seed)
    var prober = Prober(operation: subject.operation, options: options)
    let report = try await prober.run(on: &api)
    var log = api.log
    log.requests = api.requests.map { CurlRequest($0, SecretMask(), TransportOptions()) }
    let outcome = ProbeSession.Log(report: report, log: log, variants: api.variants, responses: api.responses)
    var judging = LimitJudgeOptions()
    judging.startsQuiet = true
    judging.sharesClock = true
    judging.tick = .milliseconds(1)
    return ProbedLimit(ProbeChoice(operation: 0, policy: declared, name: "votes"), outcome, judging)
  }

  @Test(arguments: algorithms.indices, keys)
  func `no sentence contradicts another`(_ number: Int, _ declaredKey: LimitKey) async throws {
    let algorithm = Self.algorithms[number]
    let turn = try #require(Self.keys.firstIndex(of: declaredKey)) + number
    for (index, fault) in Self.faults.enumerated() {
      guard fault == "none" || Self.isWhole || (index + turn).isMultiple(of: Self.keys.count) else { continue }
      // Faults of the counting under one key each; the sound limiter under all.
      let keys = fault == "none" ? Self.keys : [Self.keys[(index + number) % Self.keys.count], declaredKey]
      for key in keys {
        var behaviour = Behaviour(key: key)
        var rule = LimiterRule(algorithm: algorithm.server, allowance: 20, window: 4_000_000_000)
        Self.apply(fault, to: &behaviour, &rule)
        let declared = LimitPolicy(
          name: "votes", operations: ["voteLaw"], algorithm: algorithm.declared, allowance: 20, window: .seconds(4),
          key: declaredKey, counts: LimitCounting(failed: .no, refused: .no))
        let found = try await Self.probed(rule, behaviour, declared, seed: UInt64(index + 1))
        let name = "\(algorithm.declared.text), \(fault), key \(key.text), declared \(declaredKey.text)"
        check(found, name)
        checkTruth(found, behaviour, name)
        if fault == "none" {
          #expect(
            (found.verdict == .pass) == (key == declaredKey),
            "\(name): \(found.report.sentences) \(found.findings.map(\.message))")
        }
      }
    }
  }

  /// Facts against facts, and the findings and the judge's row against them.
  private func check(_ found: ProbedLimit, _ name: String) {
    let facts = found.report.facts
    for (index, one) in facts.enumerated() {
      for other in facts[..<index] {
        #expect(!one.contradicts(other), "\(name): \"\(other.sentence)\" beside \"\(one.sentence)\"")
      }
    }
    let kinds = Set(found.findings.filter { $0.severity == .error }.map(\.kind))
    let isConfirmed = facts.contains { if case .declared(_, .confirmed) = $0 { true } else { false } }
    let denials = kinds.filter { kind in
      ProbeDimension.allCases.map(\.keyKind).contains(kind)
        || [.limitOverAdmission, .limitOverThrottling, .limitTerms, .limitUnlimited, .limitContradictory, .limitRace]
          .contains(kind)
    }
    #expect(!isConfirmed || denials.isEmpty, "\(name): confirmed beside \(denials)")
    if isConfirmed || found.verdict == .pass, let row = found.row {
      #expect([.consistent, .inconclusive].contains(row.verdict), "\(name): confirmed beside \(row.sentence)")
    }
    let isRefuted = facts.contains { if case .declared(_, .contradicted) = $0 { true } else { false } }
    #expect(!isRefuted || found.verdict == .fail, "\(name): refuted, and the verdict is \(found.verdict)")
    if found.report.contradictsTerms, let row = found.row {
      #expect(row.verdict != .consistent, "\(name): refuted beside \(row.sentence)")
    }
    let areTermsConfirmed = facts.contains {
      if case .declared(_, .otherKey) = $0 { true } else { false }
    }
    let counted = kinds.intersection([.limitOverAdmission, .limitOverThrottling, .limitTerms])
    #expect(!areTermsConfirmed || counted.isEmpty, "\(name): the terms are confirmed beside \(counted)")
  }

  /// Who counts as whom is what the limiter really does, and its honest `Retry-After` is not accused.
  private func checkTruth(_ found: ProbedLimit, _ behaviour: Behaviour, _ name: String) {
    for case .key(let key) in found.report.facts {
      let truth: Bool =
        switch ProbeDimension(rawValue: key.dimension) {
        case .sourceAddress: behaviour.key.parts.contains(.sourceAddress)
        case .device: behaviour.key.parts.contains(.header("x-device-id"))
        case .token: behaviour.key.parts.contains(.token)
        case .forwardedFor: behaviour.believesForwarded
        case .route: behaviour.countsPath
        default: false
        }
      switch key.outcome {
      case .separate, .bypass: #expect(truth, "\(name): \(found.report.sentences)")
      case .same: #expect(!truth, "\(name): \(found.report.sentences)")
      case .open: break
      }
    }
    if behaviour.retryFactor == 1, !behaviour.isSplit {
      let lies = found.findings.map(\.kind).filter { $0 == .limitRetryAfterTooLong }
      #expect(lies.isEmpty || found.report.contradictsTerms, "\(name): \(found.findings.map(\.message))")
    }
  }
}
