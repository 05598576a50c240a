import Synchronization

/// The faults of the limiter's decisions.
extension Fault {
  static let limiterFaults = [
    Fault(
      "limit-plus-one", .limits, "the limiter admits one request too many per time window",
      .before(\.limiterRule) { rule in (rule.allowance, rule.burst) = (rule.allowance + 1, rule.burst + 1) }),
    Fault(
      "limit-minus-one", .limits, "the limiter admits one request too few per time window",
      .before(\.limiterRule) { rule in
        (rule.allowance, rule.burst) = (max(rule.allowance - 1, 1), max(rule.burst - 1, 1))
      }),
    Fault(
      "limit-window-short", .limits, "time windows are a quarter shorter than documented",
      .before(\.limiterRule) { rule in rule.window = rule.window * 3 / 4 }),
    Fault(
      "limit-window-long", .limits, "time windows are a third longer than documented",
      .before(\.limiterRule) { rule in rule.window = rule.window * 4 / 3 }),
    Fault(
      "limit-key-global", .limits, "all clients share one counter", .at(\.limitKey) { _, _ in "everybody" }),
    Fault(
      "limit-key-address", .limits, "tokens and X-Device-ID are ignored: clients of one address share a counter",
      .before(\.limitKey) { caller in caller.client = nil }),
    Fault(
      "limit-key-path", .limits, "each path has its own counter, so that different ids bypass the limit",
      .at(\.limitKey) { caller, rest in try await rest(caller) + " " + caller.path }),
    Fault(
      "limit-per-connection", .limits, "each connection has its own counter, as with workers that share no memory",
      .at(\.limitKey) { caller, rest in try await rest(caller) + " " + caller.connection }),
    Fault(
      "limit-spoofable", .limits, "X-Forwarded-For is trusted: each new value is a new client",
      .at(\.limitKey) { caller, rest in
        if let forwarded = caller.forwarded { "address " + forwarded } else { try await rest(caller) }
      }),
    Fault(
      "limit-race", .limits, "requests are counted 10 ms after they are checked",
      .at(\.limiterDecision) { question, _ in
        let decision = question.limiter.peek(question.key, at: question.clock.now())
        if decision.isAdmitted {
          try await Task.sleep(for: .milliseconds(10))
          question.limiter.record(question.key, at: question.clock.now())
        }
        return decision
      }),
    Fault(
      "limit-per-process", .limits, "requests alternate between two counters, as behind a load balancer",
      .at(\.limiterDecision, keeping: Mutex((turns: 0, second: [ReferenceLimit: Limiter]()))) { state, question, rest in
        var question = question
        question.limiter = state.withLock { state in
          state.turns += 1
          guard state.turns % 2 == 1 else { return question.limiter }
          let limiter = state.second[question.limit] ?? Limiter(rule: question.limiter.rule)
          state.second[question.limit] = limiter
          return limiter
        }
        return try await rest(question)
      }),
    Fault(
      "limit-counts-refused", .limits,
      "rejected requests count towards the limit and extend the wait (no effect with fixed-aligned)",
      .at(\.limiterDecision) { question, rest in
        let decision = try await rest(question)
        guard decision?.isAdmitted == false else { return decision }
        return question.limiter.recordRefusal(question.key, at: question.clock.now())
      }),
    Fault(
      "limit-counts-failed", .limits, "invalid requests (400, 404) count towards the limit",
      .at(\.countsMistakes) { _, _ in true }),
    Fault(
      "limit-never-resets", .limits, "a client that was rejected once is always rejected",
      .at(\.limiterDecision, keeping: Mutex<Set<String>>([])) { refused, question, rest in
        guard let decision = try await rest(question) else { return nil }
        let staysOut = refused.withLock { refused in
          if !decision.isAdmitted { refused.insert(question.name) }
          return decision.isAdmitted && refused.contains(question.name)
        }
        return staysOut ? .refused(for: question.limiter.rule.window) : decision
      }),
    Fault(
      "limit-fresh-refused", .limits, "a new client is rejected for its first time window",
      .at(\.limiterDecision, keeping: Mutex<[String: Int64]>([:])) { firstSeen, question, rest in
        guard let decision = try await rest(question) else { return nil }
        let now = question.clock.now()
        let first = firstSeen.withLock { firstSeen in
          let first = firstSeen[question.name] ?? now
          firstSeen[question.name] = first
          return first
        }
        let wait = first + question.limiter.rule.window - now
        return wait > 0 ? .refused(for: wait) : decision
      }),
    Fault("limit-unlimited", .limits, "the limiter admits every request", .at(\.limiterDecision) { _, _ in nil }),
    Fault(
      "limit-slows-neighbours", .limits, "while one client is rejected, responses to others take 400 ms longer",
      .at(\.limiterDecision, keeping: Mutex<(key: String, time: Int64)?>(nil)) { last, question, rest in
        let decision = try await rest(question)
        let now = question.clock.now()
        let isSlowed = last.withLock { last in
          if decision?.isAdmitted == false { last = (question.key, now) }
          guard decision?.isAdmitted == true, let last else { return false }
          return last.key != question.key && now - last.time < 2_000_000_000
        }
        if isSlowed { try await Task.sleep(for: .milliseconds(400)) }
        return decision
      }),
  ]
}

extension LimitQuestion {
  /// The client and the limit.
  fileprivate var name: String { "\(limit.name) \(key)" }
}

extension LimiterDecision {
  fileprivate static func refused(for wait: Int64) -> LimiterDecision {
    LimiterDecision(isAdmitted: false, wait: wait, remaining: 0, reset: wait)
  }
}

/// The faults of every system in rejections and in the headers that report limits.
extension Fault {
  static let refusalFaults = [
    Fault(
      "limit-html", .limits, "rejections are HTML pages",
      .after(\.refusal) { _, response in
        let page = ServerResponse.html(.tooManyRequests, title: "429 Too Many Requests")
        (response.status, response.body) = (page.status, page.body)
        response.headers[.contentType] = page.headers[.contentType]
      }),
    Fault(
      "limit-503", .limits, "rejections have status 503",
      .after(\.refusal) { _, response in response.status = .serviceUnavailable }),
    Fault(
      "retry-after-short", .limits, "Retry-After is half of the wait",
      .retryAfter { refusal in max(1, Int(refusal.decision.wait / 2_000_000_000)) }),
    Fault(
      "retry-after-long", .limits, "Retry-After is twice the wait plus 3 s",
      .retryAfter { refusal in refusal.retryAfter * 2 + 3 }),
    Fault(
      "retry-after-constant", .limits, "Retry-After is always the whole time window",
      .retryAfter { refusal in max(1, Int((Double(refusal.rule.window) / 1e9).rounded(.up))) }),
    Fault(
      "retry-after-milliseconds", .limits, "Retry-After is in milliseconds",
      .retryAfter { refusal in Int(refusal.decision.wait / 1_000_000) + 1 }),
    Fault(
      "retry-after-missing", .limits, "rejections have no Retry-After",
      .after(\.refusal) { _, response in response.headers[.retryAfter] = nil }),
    Fault(
      "retry-after-fraction", .limits, "Retry-After has a decimal fraction",
      .after(\.refusal) { _, response in response.headers[.retryAfter]?.append(".5") }),
    Fault(
      "retry-after-mismatch", .limits, "retry_after in the body is 7 s more than Retry-After",
      .at(\.refusal) { refusal, rest in
        let honest = try await rest(refusal)
        var later = refusal
        later.retryAfter += 7
        var response = try await rest(later)
        response.headers[.retryAfter] = honest.headers[.retryAfter]
        return response
      }),
    Fault(
      "rate-headers-limit", .limits,
      "the rate headers report twice the quota (x-ratelimit if no format is set)",
      .rateFields {
        $0.rule.allowance *= 2; $0.rule.burst *= 2
      }),
    Fault(
      "rate-headers-remaining", .limits,
      "the rate headers count down only on every second request (x-ratelimit if no format is set)",
      .rateFields { $0.decision.remaining -= $0.decision.remaining % 2 }),
    Fault(
      "rate-headers-reset", .limits,
      "the rate headers report the reset in milliseconds (x-ratelimit if no format is set)",
      .rateFields {
        $0.decision.reset *= 1000; $0.decision.wait *= 1000
      }),
  ]
}

extension Effect {
  /// Changes the seconds to wait in rejections, in header and body.
  fileprivate static func retryAfter(_ seconds: @escaping @Sendable (Refusal) -> Int) -> Effect {
    .before(\.refusal) { refusal in
      refusal.retryAfter = seconds(refusal)
    }
  }

  /// Changes the reported decisions. It uses `x-ratelimit` if the server is configured to report nothing.
  fileprivate static func rateFields(_ change: @escaping @Sendable (inout RateStatement) -> Void) -> Effect {
    .before(\.rateFields) { statement in
      if statement.dialect == .none { statement.dialect = .xRateLimit }
      change(&statement)
    }
  }
}

/// The faults of every system in responses to invalid requests.
extension Fault {
  static let errorFaults = [
    Fault(
      "bare-error", .contract, "errors (400, 404, 413, 415, 429) omit message",
      .after(\.error) { _, response in response.change { $0.remove("message") } })
  ]
}
