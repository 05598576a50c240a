/// The faults of every system in rejections and in the headers that report limits.
extension Fault {
  static let refusalFaults = [
    Fault(
      "limit-html", .limits, "rejections are HTML pages",
      .after(\.refusal) { _, answer in
        let page = Answer.html(.tooManyRequests, title: "429 Too Many Requests")
        (answer.status, answer.body) = (page.status, page.body)
        answer.headers[.contentType] = page.headers[.contentType]
      }),
    Fault(
      "limit-503", .limits, "rejections have status 503",
      .after(\.refusal) { _, answer in answer.status = .serviceUnavailable }),
    Fault(
      "retry-after-short", .limits, "Retry-After is half of the wait",
      .retryAfter { refusal in max(1, Int(refusal.decision.wait / 2_000_000_000)) }),
    Fault(
      "retry-after-long", .limits, "Retry-After is twice the wait plus 3 s",
      .retryAfter { refusal in refusal.retryAfter * 2 + 3 }),
    Fault(
      "retry-after-constant", .limits, "Retry-After is always the whole window",
      .retryAfter { refusal in max(1, Int((Double(refusal.rule.window) / 1e9).rounded(.up))) }),
    Fault(
      "retry-after-milliseconds", .limits, "Retry-After is in milliseconds",
      .retryAfter { refusal in Int(refusal.decision.wait / 1_000_000) + 1 }),
    Fault(
      "retry-after-missing", .limits, "rejections have no Retry-After",
      .after(\.refusal) { _, answer in answer.headers[.retryAfter] = nil }),
    Fault(
      "retry-after-fraction", .limits, "Retry-After has a decimal fraction",
      .after(\.refusal) { _, answer in answer.headers[.retryAfter]?.append(".5") }),
    Fault(
      "retry-after-mismatch", .limits, "retry_after in the body is 7 more than Retry-After",
      .at(\.refusal) { refusal, rest in
        let honest = try await rest(refusal)
        var later = refusal
        later.retryAfter += 7
        var answer = try await rest(later)
        answer.headers[.retryAfter] = honest.headers[.retryAfter]
        return answer
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
      "bare-error", .contract, "errors (400, 404, 413, 415, 429) leave out message",
      .after(\.error) { _, answer in answer.change { $0.remove("message") } })
  ]
}
