import MurphyModel

/// R1, R6: the checks on a single response.
extension RateHeaderJudge {
  func judgeSyntax(_ trace: RateHeaderTrace) {
    // By operation, because another operation may have other quotas.
    var firstQuotas: [UInt32: [LimitQuota]] = [:]
    for event in trace.events {
      guard let response = response(event) else {
        if event.isRejection { noHint(event) }
        continue
      }
      addMistakes(response.mistakes, at: event)
      addMistakes(response.oddities, at: event, severity: .warning)
      if event.isRejection, !response.hintsRetry { noHint(event) }
      let problem = problem(event)
      judgeConsistency(event, response)
      if let problem { judgeProblem(event, response, problem) }
      // A server may announce a temporarily lower quota.
      guard !response.quotas.isEmpty, problem?.kind != .temporaryReducedCapacity else { continue }
      if let first = firstQuotas[event.operation], text(first) != text(response.quotas) {
        tally.add(.limitPolicyChanges, at: event) {
          "\(response.quotaHeader) says \(text(response.quotas)) \(moment(event.sent)), but said \(text(first)) "
            + "before. All responses should have the same value."
        }
      }
      firstQuotas[event.operation] = firstQuotas[event.operation] ?? response.quotas
      judgeQuotas(event, response)
    }
  }

  private func addMistakes(
    _ mistakes: [String], at event: RateHeaderTrace.Event, severity: Finding.Severity? = nil
  ) {
    for mistake in mistakes {
      tally.add(
        .limitHeaderSyntax, at: event, discriminator: String(mistake.prefix(while: { $0 != "`" })), severity: severity
      ) {
        mistake + "."
      }
    }
  }

  private func problem(_ event: RateHeaderTrace.Event) -> LimitProblem? {
    let body = log.observations[event.observation].body
    return event.isRejection && body >= 0 ? LimitProblem(log.bodies[Int(body)]) : nil
  }

  /// The problem types of draft-ietf-httpapi-ratelimit-headers-10 §5, and their media type (RFC 9457 §3).
  private func judgeProblem(_ event: RateHeaderTrace.Event, _ response: LimitResponse, _ problem: LimitProblem) {
    if let type = response.contentType, !type.hasSuffix("problem+json") {
      tally.add(.limitBodyContradictsHeader, at: event, discriminator: "type", severity: .warning) {
        "The rejection's body has the problem type \(problem.kind.rawValue), but its Content-Type is \(type) instead "
          + "of application/problem+json (RFC 9457 §3)."
      }
    }
    if problem.isMalformed {
      tally.add(.limitBodyContradictsHeader, at: event, discriminator: "violated", severity: .warning) {
        "`violated-policies` in the rejection's body is not an array of strings."
      }
    }
    let names = response.quotas.compactMap(\.name)
    if !names.isEmpty, let unknown = problem.violated.first(where: { !names.contains($0) }) {
      tally.add(.limitBodyContradictsHeader, at: event, discriminator: "policy", severity: .warning) {
        "The rejection's body names the violated policy \"\(unknown)\", but RateLimit-Policy names only "
          + "\(names.map { "\"\($0)\"" }.joined(separator: ", "))."
      }
    }
  }

  private func noHint(_ event: RateHeaderTrace.Event) {
    tally.add(.limitNoRetryHint, at: event) {
      "A rejection does not say when to retry: it has neither Retry-After nor a reset (RFC 6585 §4 allows that)."
    }
  }

  private func judgeConsistency(_ event: RateHeaderTrace.Event, _ response: LimitResponse) {
    if event.isRejection { judgeBody(event) }
    guard let statement = statement(event) else { return }
    judgeNumber(event, statement)
    if event.role == .refused, let remaining = statement.guaranteed, remaining > 0, !shared, announced.count < 2,
      policy.cost == nil
    {
      // True if a window ended between the decision and the header: `judgePromises` proves the lie.
      tally.add(.limitRemainingImpossible, at: event, discriminator: "refused", severity: .warning) {
        "A request was rejected, although \(statement.dialect.rawValue) says that \(counted(remaining, "request")) "
          + "\(remaining == 1 ? "remains" : "remain")."
      }
    }
    if let limit = statement.limit, statement.dialect != .draft, !shared, limit != policy.allowance,
      policy.algorithm != .tokenBucket
    {
      tally.add(.limitHeaderContradictsPolicy, at: event, discriminator: "limit") {
        "\(statement.dialect.rawValue) says that the limit is \(announcedText(limit)); \(policy.declaredBy.rawValue) declares \(policy.text)."
      }
    }
    judgeReset(event, response, statement)
  }

  private func judgeNumber(_ event: RateHeaderTrace.Event, _ statement: LimitStatement) {
    guard let remaining = statement.remaining else { return }
    if remaining < 0 {
      tally.add(.limitRemainingImpossible, at: event, discriminator: "negative") {
        "\(statement.dialect.rawValue) says that \(remaining) requests remain, a negative number."
      }
    } else if let limit = statement.limit, remaining > limit,
      statement.dialect != .draft || policy.algorithm != .tokenBucket
    {
      tally.add(.limitRemainingImpossible, at: event, discriminator: "above") {
        "\(statement.dialect.rawValue) says that \(remaining) requests remain of \(limit)."
      }
    }
  }

  /// `20`; `5 or 20, by the response`
  private func announcedText(_ limit: Int) -> String {
    announced.count < 2 ? "\(limit)" : announced.map(String.init).joined(separator: " or ") + ", by the response"
  }

  /// A reset that is before the response, or later than the end of any window: a wrong unit or clock.
  private func judgeReset(
    _ event: RateHeaderTrace.Event, _ response: LimitResponse, _ statement: LimitStatement
  ) {
    let ahead: (low: Double, high: Double)
    switch statement.reset {
    case .delta(let seconds): ahead = (seconds, seconds)
    case .epoch(let moment):
      guard let date = response.date else { return }
      // `Date` is rounded down, and some servers renew it only once a second.
      ahead = (moment - date - 2, moment - date)
    case nil: return
    }
    let longest = statement.window.map { max($0, longestDeclared) } ?? longestWindow
    let isPast = ahead.high < -2 - tick
    func range(_ low: Double, _ high: Double) -> String { low < high ? "\(text(low)) to \(text(high))" : text(low) }
    if isPast || ahead.low > 2 * longest + 2 + tick {
      tally.add(.limitResetImplausible, at: event, discriminator: statement.dialect.rawValue) {
        isPast
          ? "\(statement.dialect.rawValue) announces a reset \(range(-ahead.high, -ahead.low)) in the past."
          : "\(statement.dialect.rawValue) announces a reset in \(range(ahead.low, ahead.high)), but the longest declared "
            + "window is \(text(longest))."
      }
    }
    // RateLimit draft: Retry-After should not be before the time given by `t`.
    if statement.dialect == .draft, statement.remaining == 0, event.role == .refused, let wait = wait(event),
      case .delta(let t) = statement.reset, wait.seconds + wait.uncertainty < t
    {
      tally.add(.limitRetryAfterBeforeReset, at: event) {
        "Retry-After is \(text(wait.seconds)), which is less than the `t` of RateLimit: \(text(t))."
      }
    }
  }

  private func judgeQuotas(_ event: RateHeaderTrace.Event, _ response: LimitResponse) {
    let quotas = response.quotas
    // With several limits, the header may announce only one.
    if quotas.contains(where: { $0.unit == .requests }),
      !overlapping.contains(where: { policy in quotas.contains { policy.isAnnounced(by: $0) } })
    {
      tally.add(.limitHeaderContradictsPolicy, at: event, discriminator: "policy") {
        "\(response.quotaHeader) declares \(text(quotas)); \(policy.declaredBy.rawValue) declares \(policy.text)."
      }
    }
  }

  private func judgeBody(_ event: RateHeaderTrace.Event) {
    let index = log.observations[event.observation].body
    guard index >= 0, let said = RetryHint.seconds(inBody: log.bodies[Int(index)]), let wait = wait(event),
      case let excess = (said - wait.seconds).magnitude - HeaderHarm.resolution - wait.uncertainty, excess > 0
    else { return }
    tally.add(
      .limitBodyContradictsHeader, at: event, severity: HeaderHarm.severity(ofWaitWrongBy: excess), strength: excess
    ) {
      "The rejection's body says to retry after \(text(said)), but its Retry-After header says \(text(wait.seconds))."
    }
  }

  private func text(_ quotas: [LimitQuota]) -> String {
    quotas.map(\.text).joined(separator: ", ")
  }
}
