/// Kinds of findings about rejections and their headers.
extension FindingRule {
  static let refusalsRows: [Row] = [
    Row(
      .limitWrongStatus, .warning, "A rejection has another status than 429.",
      example: "voteLaw: rejections have status 503 (12 responses, none 429); clients expect 429 (RFC 6585 §4)",
      remedy: """
        Return 429 for too many requests, so that clients wait and monitoring does not count it as a server error. If \
        the status must stay, name it in the limit: `refusals: [429, 503]`.
        """),
    Row(
      .limitRefusalBody, .error, "A rejection has a body that clients of the API cannot decode.",
      example: """
        voteLaw: A rejection is an HTML page (text/html): clients that decode the API's own format cannot read it.
        """,
      remedy: """
        Let the proxy that rejects write errors in the API's own format: in nginx `error_page 429` to a location that \
        returns JSON, with its `Content-Type`.
        """),
    Row(
      .limitSlowRefusal, .error, "A rejection takes longer than its budget.",
      example: "voteLaw: Rejections take 180 ms at the 99th percentile of 288, with a budget of 100 ms.",
      remedy: """
        Reject before anything expensive happens: before authentication against a database, before the body is read. \
        Otherwise raise `refusal-budget` of the limit.
        """),
    Row(
      .limitSlowsNeighbours, .warning, "Other clients get slower responses after one client was rejected.",
      example: """
        voteLaw: Within a second after another key was rejected, requests took 210 ms in the median instead of 12 ms.
        """,
      remedy: """
        Look for what rejected and admitted requests share: a lock around all counters, a pool of workers in which \
        rejected requests wait, a log that is written in the request.
        """),
    Row(
      .limitNoRetryHint, .note, "A rejection does not say when to retry.",
      example: """
        voteLaw: A rejection does not say when to retry: it has neither Retry-After nor a reset (RFC 6585 §4 allows \
        that).
        """,
      remedy: """
        Send `Retry-After` with the seconds until the next admission in every rejection. Without it clients guess, and \
        most of them guess too early.
        """),
    Row(
      .limitHeaderSyntax, .error, "A rate-limit header does not have the syntax of its specification.",
      example: "voteLaw: Retry-After is `1.5`, expected whole seconds or an HTTP date (RFC 9110 §10.2.3).",
      remedy: """
        Write the header in the form of its specification: whole seconds, rounded up, in `Retry-After` and \
        `RateLimit-Reset`; structured fields in `RateLimit` and `RateLimit-Policy`.
        """),
    Row(
      .limitHeaderContradictsPolicy, .error,
      "A rate-limit header declares another limit than the scenario or the contract.",
      example: """
        voteLaw: RateLimit-Policy declares 60 per 60 s; scenario declares 30 per 60 s, fixed window, key x-device-id.
        """,
      remedy: """
        Write the header from the configuration that the limiter itself reads, instead of a constant. If the header is \
        right, fix `allow` and `per` in the scenario or `x-ratelimit` in the contract.
        """),
    Row(
      .limitBodyContradictsHeader, .error, "The body and the headers of a rejection announce different waiting times.",
      example: "voteLaw: The rejection's body says to retry after 60 s, its Retry-After header after 12 s.",
      remedy: """
        Compute the wait once for each rejection, and write both from it. The body often has the window's length where \
        it should have the remaining time.
        """),
    Row(
      .limitPolicyChanges, .warning, "The declared policy changes between responses.",
      example: """
        voteLaw: RateLimit-Policy says 60 per 60 s at 12.4 s and said 30 per 60 s before; it should stay the same \
        between responses.
        """,
      remedy: """
        Look for servers with different configuration behind one address, or for two limiters (a proxy's and the \
        API's) that both write the header: let one of them write it.
        """),
    Row(
      .limitRemainingImpossible, .error, "The number of remaining requests is impossible.",
      example: "voteLaw: A request was rejected while RateLimit-Remaining says that 3 remain.",
      remedy: """
        Report as remaining the count that was used to accept or reject the request. It is never below 0 or above the \
        limit, and it is 0 in a rejection. If several limits apply, report the limit that will reject first.
        """),
    Row(
      .limitRemainingRepeats, .error, "Two admitted requests report the same number of remaining requests.",
      example: """
        voteLaw: Two admissions of key 7d1f3f0e in one window, sent at 12.1 s and at 12.102 s, both leave 17: two \
        requests that count leave different numbers.
        """,
      remedy: """
        Two requests may have read the same count, or the header is written from a count that another request changed. \
        Increment atomically and write the returned value into the header; otherwise the limit may admit too many \
        under high load.
        """),
    Row(
      .limitRemainingTooHigh, .error, "The announced number of remaining requests is too high.",
      example: """
        voteLaw: 22 remain for key 7d1f3f0e at 12.1 s, after 12 admitted requests and this one in its first window, of \
        30 allowed.
        """,
      remedy: """
        Count the request itself before the header is written, and let all workers count in one place. A value from a \
        cache or from one worker of several is higher than the number that will be admitted.
        """),
    Row(
      .limitRemainingJumps, .warning,
      "The number of remaining requests decreases by more than the requests that were sent.",
      example: """
        voteLaw: 9 of 30 remain for key 7d1f3f0e at 14.2 s, although at most 12 requests of this key can have counted.
        """,
      remedy: """
        Find what else counts under this key: other routes, preflights, rejected or failed requests, other clients. If \
        it is intended, name it in the limit: `operations`, `count`, or a narrower `key`.
        """),
    Row(
      .limitResetImplausible, .error, "The announced reset is more than one window length in the future.",
      example: """
        voteLaw: X-RateLimit-Reset puts the reset 107,713,620 min ahead, and the longest declared window is 60 s.
        """,
      remedy: """
        Check the unit: `RateLimit-Reset` is the number of remaining seconds; `X-RateLimit-Reset` is in seconds (not \
        milliseconds) since 1970. Then check the server's clock against the `Date` that it sends.
        """),
    Row(
      .limitRetryAfterTooShort, .error, "A client that waited for the time in Retry-After was rejected again.",
      example: """
        voteLaw: A rejection at 12.1 s said to wait 1 s; a request sent 1.4 s after it was rejected again, although \
        the key sent nothing in between that the policy counts.
        """,
      remedy: """
        Compute `Retry-After` from the end of the window that rejected the request, and round it up to whole seconds. \
        With a constant of 1, clients that follow it are rejected repeatedly.
        """),
    Row(
      .limitRetryAfterTooLong, .error, "Retry-After announces a longer wait than the limit needs.",
      example: """
        voteLaw: A rejection at 12.1 s said to wait 60 s, and a request of the same client was admitted 8.2 s after \
        it.
        """,
      remedy: """
        Announce the time until the next request is admitted, not the length of the window; for a token bucket that is \
        the time to the next token.
        """),
    Row(
      .limitRetryAfterDrift, .error, "Retry-After announces another time with each rejection.",
      example: """
        voteLaw: Rejections at 12.1 s and at 15.3 s, between which the key sent nothing that the policy counts, \
        announce times that are 3.2 s further apart than rounding explains: they cannot be one reset.
        """,
      remedy: """
        Announce the same time in all rejections of a window: the end of the window minus the current time. With a \
        constant `Retry-After`, or a window that each rejected request restarts, the announced time is later with \
        each attempt.
        """),
    Row(
      .limitRetryAfterBeforeReset, .warning, "Retry-After ends before the announced reset.",
      example: "voteLaw: Retry-After says 5 s, earlier than the 12 s of RateLimit's `t`.",
      remedy: """
        Give `Retry-After` the value of `t` or a later one: a client that trusts the earlier of the two is rejected \
        again.
        """),
  ]
}
