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
          "RateLimit-Policy says \(text(response.quotas)) \(moment(event.sent)) and said \(text(first)) before; it should stay the same between responses."
        }
      }
      firstQuotas[event.operation] = firstQuotas[event.operation] ?? response.quotas
      judgeQuotas(event, response.quotas)
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
        "The rejection's body has the problem type \(problem.kind.rawValue), its Content-Type is \(type), expected application/problem+json (RFC 9457 §3)."
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
        "The rejection's body names the violated policy \"\(unknown)\", and RateLimit-Policy names only \(names.map { "\"\($0)\"" }.joined(separator: ", "))."
      }
    }
  }

  private func noHint(_ event: RateHeaderTrace.Event) {
    tally.add(.limitNoRetryHint, at: event) {
      "A rejection does not say when to retry: it has neither Retry-After nor a reset (RFC 6585 §4 allows that)."
    }
  }

  private func judgeConsistency(_ event: RateHeaderTrace.Event, _ response: LimitResponse) {
    for counter in response.counters { judgeNumber(event, counter) }
    if event.isRejection { judgeBody(event) }
    guard let statement = statement(event) else { return }
    if event.role == .refused, let remaining = statement.guaranteed, remaining > 0, !shared, announced.count < 2 {
      // True if a window ended between the decision and the header: `judgePromises` proves the lie.
      tally.add(.limitRemainingImpossible, at: event, discriminator: "refused", severity: .warning) {
        "A request was rejected while \(statement.dialect.rawValue) says that \(remaining) \(remaining == 1 ? "remains" : "remain")."
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
    let ahead: Double
    switch statement.reset {
    case .delta(let seconds): ahead = seconds
    case .epoch(let moment):
      guard let date = response.date else { return }
      ahead = moment - date
    case nil: return
    }
    let longest = longestWindow
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
    if quotas.contains(where: { $0.unit == .requests }),
      !overlapping.contains(where: { policy in quotas.contains { policy.isAnnounced(by: $0) } })
    {
      tally.add(.limitHeaderContradictsPolicy, at: event, discriminator: "policy") {
        "RateLimit-Policy declares \(text(quotas)); \(policy.declaredBy.rawValue) declares \(policy.text)."
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
      "The rejection's body says to retry after \(text(said)), its Retry-After header after \(text(wait.seconds))."
    }
  }

  private func text(_ quotas: [LimitQuota]) -> String {
    quotas.map(\.text).joined(separator: ", ")
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

/// R5: `remaining` that repeats within a window, falls by more than was sent, or exceeds the number that is then
/// admitted.
extension RateHeaderJudge {
  func judgeRemaining(_ trace: RateHeaderTrace) {
    guard knowsCounter else { return }
    judgeRepeats(trace)
    judgeJumps(trace)
    judgeExcess(trace)
    judgePromises(trace)
  }

  /// Two admissions of one fixed window that leave the same number remaining. An update was lost, which proves a race
  /// before any limit is exceeded.
  private func judgeRepeats(_ trace: RateHeaderTrace) {
    guard policy.algorithm == .fixed || policy.algorithm == .fixedAligned,
      !trace.events.contains(where: { $0.role == .possible })
    else { return }
    struct Seen {
      var event: RateHeaderTrace.Event
      var low: Double
      var high: Double
    }
    var seen: [Int: Seen] = [:]
    for event in trace.events where event.role == .certain {
      guard let statement = statement(event), let remaining = statement.guaranteed, remaining > 0,
        let reset = statement.reset
      else { continue }
      // The end of this window on the client's clock, or on the server's where the header gives it.
      let end: (low: Double, high: Double)
      switch reset {
      case .delta(let seconds): end = (event.sent - tick + seconds - 1, event.settled + seconds + 1)
      case .epoch(let moment): end = (moment - 1, moment + 1)
      }
      if let other = seen[remaining], other.event.operation == event.operation,
        max(end.high - other.low, other.high - end.low) < policy.window.inSeconds * (1 - LimitTerms.usualDrift)
      {
        let together = event.sent <= other.event.settled
        tally.add(
          .limitRemainingRepeats, at: event, severity: HeaderHarm.severity(ofRepeat: together)
        ) {
          "Two admissions of key \(trace.key) in one window, sent \(moment(other.event.sent)) and \(moment(event.sent)), both leave \(remaining): two requests that count leave different numbers."
            + (together ? " They were in flight together: the number was right if the server read it after both." : "")
        }
      }
      seen[remaining] = Seen(event: event, low: end.low, high: end.high)
    }
  }

  /// More remain than the certain admissions in the key's first window leave.
  private func judgeExcess(_ trace: RateHeaderTrace) {
    guard keepsPolicy, trace.startsQuiet, policy.algorithm == .fixed || policy.algorithm == .slidingLog,
      let first = trace.events.first
    else { return }
    let end = first.sent - tick + policy.window.inSeconds * (1 - LimitTerms.usualDrift)
    for event in trace.events where event.role == .certain && event.settled < end {
      guard let statement = statement(event), let remaining = statement.guaranteed,
        statement.limit ?? policy.allowance == policy.allowance
      else { continue }
      let before = trace.admissions(before: event.sent)
      guard remaining > policy.allowance - 1 - before else { continue }
      tally.add(.limitRemainingTooHigh, at: event) {
        "\(remaining) remain for key \(trace.key) \(moment(event.sent)), after \(before) admitted requests and this one in its first window, of \(policy.allowance) allowed."
      }
    }
  }

  /// A rejection, although fewer requests can have counted since a response than it announced as remaining.
  ///
  /// Time alone never reduces the number that a limiter would admit, with any algorithm, so this needs no window. r
  /// remain when A is decided, and at most k other requests are decided between A and B; k < r, and B is rejected.
  private func judgePromises(_ trace: RateHeaderTrace) {
    let promises = trace.events.compactMap { event -> (event: RateHeaderTrace.Event, remaining: Int)? in
      guard event.role == .certain || event.role == .refused, let remaining = statement(event)?.guaranteed,
        remaining > 0
      else { return nil }
      return (event, remaining)
    }
    .sorted { $0.event.settled < $1.event.settled }
    guard !promises.isEmpty else { return }
    let answered = promises.map(\.event.settled)
    let sent = trace.events.map(\.sent)
    let settled = trace.events.map(\.settled).sorted()
    for event in trace.events where event.role == .refused {
      let index = answered.count(below: event.sent) - 1
      guard index >= 0 else { continue }
      let (promise, remaining) = promises[index]
      let between = sent.count(upTo: event.settled + tick) - settled.count(below: promise.sent - tick) - 2
      guard between < remaining else { continue }
      let kind: FindingKind = promise.role == .refused ? .limitRemainingImpossible : .limitRemainingTooHigh
      tally.add(kind, at: event, discriminator: "refused") {
        "\(remaining) remained for key \(trace.key) \(moment(promise.sent)), and the request \(moment(event.sent)) was rejected, although at most \(between) others of this key can have counted since."
      }
    }
  }

  /// Fewer remain than the requests that can have counted explain.
  private func judgeJumps(_ trace: RateHeaderTrace) {
    guard trustsStart else { return }
    let span = policy.algorithm == .slidingCounter || policy.algorithm == .any ? 2.0 : 1.0
    let window = policy.window.inSeconds * (1 + LimitTerms.usualDrift) * span + tick + LimitTerms.slack
    // Every request, with any result: a rejected one may also have been counted by a careless limiter, and the
    // throttling checks cover that.
    let sent = trace.events.map(\.sent)
    let settled = trace.events.map(\.settled).sorted()
    for event in trace.events where event.role == .certain {
      guard let statement = statement(event), let remaining = statement.guaranteed, let limit = statement.limit,
        statement.dialect != .draft
      else { continue }
      let possible = sent.count(upTo: event.settled + tick) - settled.count(below: event.sent - window)
      if remaining + possible + 1 < limit {
        tally.add(.limitRemainingJumps, at: event) {
          "\(remaining) of \(limit) remain for key \(trace.key) \(moment(event.sent)), although at most \(possible) requests of this key can have counted."
        }
      }
    }
  }
}
