/// Kinds of findings about rejections and their headers.
extension FindingRule {
  static let refusalsRows: [Row] = [
    Row(
      .limitWrongStatus, .warning, "A rejection by a rate limit has a status other than 429.",
      example: "voteLaw: rejections have status 503 (12 responses, none 429); clients expect 429 (RFC 6585 §4)",
      remedy: """
        Return 429 for too many requests. Then clients wait, and monitoring does not count the rejection as a server \
        error. If you cannot change the status, declare the status in the limit, for example `refusals: [429, 503]`.
        """),
    Row(
      .limitRefusalBody, .warning,
      "A rejection by a rate limit has a body that clients of the API cannot decode.",
      example: """
        voteLaw: A rejection is an HTML page (text/html): clients that decode the API's own format cannot read it.
        """,
      remedy: """
        Configure the proxy that rejects requests to send errors in the API's own format. In nginx, point `error_page \
        429` to a location that returns JSON with its `Content-Type`.
        """),
    Row(
      .limitSlowRefusal, .error, "Rejections by a rate limit take longer than the declared budget.",
      example: """
        voteLaw: The 99th percentile of the service time of 288 rejections is 180 ms, but the budget is 100 ms.
        """,
      remedy: """
        Reject a request before expensive work: before the server authenticates against a database, and before it \
        reads the body. If rejections may take longer, raise `refusal-budget:` of the limit.
        """),
    Row(
      .limitSlowsNeighbours, .warning, "Other clients get slower responses after the limiter rejected one client.",
      example: """
        voteLaw: In the second after a rejection of another key, the median service time of requests was 210 ms \
        instead of 12 ms.
        """,
      remedy: """
        Check what rejected and admitted requests share. It may be a lock around all counters, or a pool of workers in \
        which rejected requests wait. It may also be a log that the server writes during the request.
        """),
    Row(
      .limitNoRetryHint, .note, "A rejection by a rate limit does not say when the client may retry.",
      example: """
        voteLaw: A rejection does not say when to retry: it has neither Retry-After nor a reset (RFC 6585 §4 allows \
        that).
        """,
      remedy: """
        Send `Retry-After` in every rejection, with the number of seconds until the limiter admits the next request. \
        Without `Retry-After`, clients guess the time, and most clients retry too early.
        """),
    Row(
      .limitHeaderSyntax, .error, "A rate-limit header does not have the syntax of its specification.",
      example: "voteLaw: Retry-After is `1.5`, expected whole seconds or an HTTP date (RFC 9110 §10.2.3).",
      remedy: """
        Write each rate-limit header in the format of its specification. The values of `Retry-After` and \
        `RateLimit-Reset` are whole seconds, rounded up. `RateLimit` and `RateLimit-Policy` are structured fields (RFC \
        9651).
        """),
    Row(
      .limitHeaderContradictsPolicy, .error,
      "A rate-limit header declares a different limit than the scenario or the contract.",
      example: """
        voteLaw: RateLimit-Policy declares 60 per 60 s; scenario declares 30 per 60 s, fixed window, key x-device-id.
        """,
      remedy: """
        Write the rate-limit header from the configuration that the limiter reads, and not from a constant in the \
        code. If the header is right, fix `allow:` and `per:` in the scenario, or `x-ratelimit` in the contract.
        """),
    Row(
      .limitBodyContradictsHeader, .error, "The body and the headers of a rejection contradict each other.",
      example: "voteLaw: The rejection's body says to retry after 60 s, but its Retry-After header says 12 s.",
      remedy: """
        Compute the waiting time once for each rejection, and write this time into the body and the headers. Check \
        that the body contains the remaining time, and not the length of the time window.
        """),
    Row(
      .limitPolicyChanges, .warning, "The rate-limit policy in the response headers changes between responses.",
      example: """
        voteLaw: RateLimit-Policy says 60 per 60 s at 12.4 s, but said 30 per 60 s before. All responses should have \
        the same value.
        """,
      remedy: """
        Check whether servers with different configurations share one address. Check whether two limiters write the \
        header, one in a proxy and one in the API. Let only one limiter write the header.
        """),
    Row(
      .limitRemainingImpossible, .error, "A header announces an impossible number of remaining requests.",
      example: "voteLaw: A request was rejected, although RateLimit-Remaining says that 3 requests remain.",
      remedy: """
        Announce the number of remaining requests that the limiter used for its decision. The number is from 0 to the \
        quota, and it is 0 in a rejection. If several limits apply, announce the number of the limit that will reject \
        first.
        """),
    Row(
      .limitRemainingRepeats, .error,
      "The responses to two admitted requests announce the same number of remaining requests.",
      example: """
        voteLaw: Two admitted requests of key 7d1f3f0e in one window, sent at 12.1 s and at 12.102 s, both report that \
        17 requests remain. Each admitted request should reduce this number.
        """,
      remedy: """
        Increment the counter atomically, and write the returned value into the header. Otherwise two requests can \
        read the same count. Then the limiter may admit too many requests under high load.
        """),
    Row(
      .limitRemainingTooHigh, .error, "A header announces more remaining requests than the limiter can admit.",
      example: """
        voteLaw: 22 requests remain for key 7d1f3f0e at 12.1 s, but the quota is 30, and 13 requests were admitted in \
        the key's first window.
        """,
      remedy: """
        Count the request before you write the header. Let all worker processes share one counter: a number from a \
        cache or from a single worker process is too high.
        """),
    Row(
      .limitRemainingJumps, .warning,
      "The announced number of remaining requests decreases by more than the number of sent requests.",
      example: """
        voteLaw: 9 of 30 requests remain for key 7d1f3f0e at 14.2 s, although at most 12 requests of this key can have \
        counted.
        """,
      remedy: """
        Check which other requests count for this limit key: other routes, preflight requests, rejected or failed \
        requests, other clients. If they should count, declare them in the limit with `operations:` or `count:`, or \
        change `key:`.
        """),
    Row(
      .limitResetImplausible, .error, "The announced reset of a rate limit is more than one time window in the future.",
      example: """
        voteLaw: X-RateLimit-Reset announces a reset in 107,713,620 min, but the longest declared window is 60 s.
        """,
      remedy: """
        Check the unit of the announced reset. `RateLimit-Reset` is the number of seconds until the reset. \
        `X-RateLimit-Reset` is in seconds since 1970, and not in milliseconds. Then compare the server's clock with \
        the `Date` header that the server sends.
        """),
    Row(
      .limitRetryAfterTooShort, .error,
      "A client waited for the time in Retry-After, but the limiter rejected the client's next request.",
      example: """
        voteLaw: A rejection at 12.1 s said to wait 1 s, but a request 1.4 s later was rejected again. In between, the \
        key sent no request that the policy counts.
        """,
      remedy: """
        Compute `Retry-After` from the end of the time window that rejected the request, and round up to whole \
        seconds. Do not send a constant: clients that wait for a constant time are rejected repeatedly.
        """),
    Row(
      .limitRetryAfterTooLong, .error, "Retry-After announces a longer wait than the limit requires.",
      example: """
        voteLaw: A rejection at 12.1 s said to wait 60 s, but a request of the same client was admitted 8.2 s after \
        it.
        """,
      remedy: """
        Announce the time until the limiter admits the next request, and not the length of the time window. For a \
        token bucket, announce the time until the bucket gets its next token.
        """),
    Row(
      .limitRetryAfterDrift, .error,
      "The rejections of one time window announce different ends of the wait in Retry-After.",
      example: """
        voteLaw: Rejections at 12.1 s and at 15.3 s announce times that differ by 3.2 s more than rounding explains. \
        In between, the key sent no request that the policy counts, so both should announce the same reset.
        """,
      remedy: """
        Announce the same end of the wait in all rejections of one time window: `Retry-After` is the end of the window \
        minus the current time. Do not send a constant `Retry-After`. Do not restart the window when a request is \
        rejected.
        """),
    Row(
      .limitRetryAfterBeforeReset, .warning, "Retry-After announces an earlier time than the announced reset.",
      example: "voteLaw: Retry-After is 5 s, which is less than the `t` of RateLimit: 12 s.",
      remedy: """
        Set `Retry-After` to the time of the reset or later. Otherwise a client that retries after `Retry-After` is \
        rejected again.
        """),
  ]
}
