import MurphyModel

/// R1, R6: the checks on a single response.
extension RateHeaderJudge {
  func judgeSyntax(_ trace: RateHeaderTrace) {
    // By operation, because another operation may have other quotas.
    var firstQuotas: [UInt32: [LimitQuota]] = [:]
    for event in trace.events {
      guard let answer = answer(event) else {
        if event.role == .refused { noHint(event) }
        continue
      }
      for mistake in answer.mistakes {
        tally.add(.limitHeaderSyntax, at: event, discriminator: String(mistake.prefix(while: { $0 != "`" }))) {
          mistake + "."
        }
      }
      if event.role == .refused, !answer.hintsRetry { noHint(event) }
      judgeConsistency(event, answer)
      if !answer.quotas.isEmpty {
        if let first = firstQuotas[event.operation], first != answer.quotas {
          tally.add(.limitPolicyChanges, at: event) {
            "RateLimit-Policy says \(text(answer.quotas)) \(moment(event.sent)) and said \(text(first)) before; it should stay the same between responses."
          }
        }
        firstQuotas[event.operation] = firstQuotas[event.operation] ?? answer.quotas
        judgeQuotas(event, answer.quotas)
      }
    }
  }

  private func noHint(_ event: RateHeaderTrace.Event) {
    tally.add(.limitNoRetryHint, at: event) {
      "A rejection does not say when to retry: it has neither Retry-After nor a reset (RFC 6585 §4 allows that)."
    }
  }

  private func judgeConsistency(_ event: RateHeaderTrace.Event, _ answer: LimitAnswer) {
    for statement in answer.statements {
      if let remaining = statement.guaranteed {
        if remaining < 0 {
          tally.add(.limitRemainingImpossible, at: event, discriminator: "negative") {
            "\(statement.dialect.rawValue) says that \(remaining) requests remain, a negative number."
          }
        } else if let limit = statement.limit, remaining > limit {
          tally.add(.limitRemainingImpossible, at: event, discriminator: "above") {
            "\(statement.dialect.rawValue) says that \(remaining) requests remain of \(limit)."
          }
        } else if event.role == .refused, remaining > 0, !shared, announced.count < 2 {
          tally.add(.limitRemainingImpossible, at: event, discriminator: "refused") {
            "A request was rejected while \(statement.dialect.rawValue) says that \(remaining) \(remaining == 1 ? "remains" : "remain")."
          }
        }
      }
      if let limit = statement.limit, !shared, limit != policy.allowance, policy.algorithm != .tokenBucket,
        policy.algorithm != .any || answer.statements.count == 1
      {
        tally.add(.limitHeaderContradictsPolicy, at: event, discriminator: "limit") {
          "\(statement.dialect.rawValue) says that the limit is \(announcedText(limit)); \(policy.declaredBy.rawValue) declares \(policy.text)."
        }
      }
      judgeReset(event, answer, statement)
    }
    if event.role == .refused { judgeBody(event) }
  }

  /// `20`; `5 or 20, by the response`
  private func announcedText(_ limit: Int) -> String {
    announced.count < 2 ? "\(limit)" : announced.map(String.init).joined(separator: " or ") + ", by the response"
  }

  /// A reset that is before the response, or later than the end of any window: a wrong unit or clock.
  private func judgeReset(
    _ event: RateHeaderTrace.Event, _ answer: LimitAnswer, _ statement: LimitStatement
  ) {
    let ahead: Double
    switch statement.reset {
    case .delta(let seconds): ahead = seconds
    case .epoch(let moment):
      guard let date = answer.date else { return }
      ahead = moment - date
    case nil: return
    }
    let longest = max(longestWindow, answer.quotas.compactMap(\.window).map(Double.init).max() ?? 0)
    if ahead < -2 - tick || ahead > 2 * longest + 2 + tick {
      tally.add(.limitResetImplausible, at: event, discriminator: statement.dialect.rawValue) {
        "\(statement.dialect.rawValue) puts the reset \(text(ahead)) ahead, and the longest declared window is \(text(longest))."
      }
    }
    // RateLimit draft: Retry-After should not be before the time given by `t`.
    if statement.dialect == .draft, statement.remaining == 0, event.role == .refused, let wait = wait(event),
      case .delta(let t) = statement.reset, wait.seconds + wait.uncertainty < t
    {
      tally.add(.limitRetryAfterBeforeReset, at: event) {
        "Retry-After says \(text(wait.seconds)), earlier than the \(text(t)) of RateLimit's `t`."
      }
    }
  }

  private func judgeQuotas(_ event: RateHeaderTrace.Event, _ quotas: [LimitQuota]) {
    // With several limits, the header may announce only one.
    if !overlapping.contains(where: { policy in quotas.contains { policy.isAnnounced(by: $0) } }) {
      tally.add(.limitHeaderContradictsPolicy, at: event, discriminator: "policy") {
        "RateLimit-Policy declares \(text(quotas)); \(policy.declaredBy.rawValue) declares \(policy.text)."
      }
    }
  }

  private func judgeBody(_ event: RateHeaderTrace.Event) {
    let index = log.observations[event.observation].body
    guard index >= 0, let said = RetryHint.seconds(inBody: log.bodies[Int(index)]), let wait = wait(event),
      (said - wait.seconds).magnitude > 1 + wait.uncertainty
    else { return }
    tally.add(.limitBodyContradictsHeader, at: event) {
      "The rejection's body says to retry after \(text(said)), its Retry-After header after \(text(wait.seconds))."
    }
  }

  private func text(_ quotas: [LimitQuota]) -> String {
    quotas.map { quota in quota.window.map { "\(quota.quota) per \($0)s" } ?? "\(quota.quota)" }
      .joined(separator: ", ")
  }
}

extension LimitPolicy {
  /// True if a quota of `RateLimit-Policy` is this limit.
  fileprivate func isAnnounced(by quota: LimitQuota) -> Bool {
    guard let seconds = quota.window else { return quota.quota == allowance }
    let announced = Double(quota.quota) / Double(seconds)
    // This header cannot express windows that are shorter than a second, or not whole.
    let windowFits = (Double(seconds) - window.inSeconds).magnitude < 1
    return (quota.quota == allowance && windowFits)
      || (algorithm == .tokenBucket && (announced - rate.perSecond).magnitude < 0.01 * announced)
  }
}

/// The retry time in the body of a rejection.
enum RetryHint {
  private static let names = ["\"retry_after\"", "\"retryAfter\"", "\"retry-after\""]

  /// The number after a field of one of the usual names, seconds; nil if there is none.
  static func seconds(inBody body: String) -> Double? {
    for name in names {
      guard let range = body.firstRange(of: name) else { continue }
      let rest = body[range.upperBound...].drop { $0 == " " || $0 == ":" || $0 == "\n" || $0 == "\t" }
      let number = rest.prefix { $0.isNumber || $0 == "." || $0 == "-" }
      if let value = Double(number) { return value }
    }
    return nil
  }
}
