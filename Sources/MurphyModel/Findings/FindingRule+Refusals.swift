/// Kinds of findings about rejections and their headers.
extension FindingRule {
  static let refusalsRows: [Row] = [
    Row(
      .limitWrongStatus, .warning, "A rejection by a rate limit has a status other than 429.",
      example: "voteLaw: rejections have status 503 (12 responses, none 429); clients expect 429 (RFC 6585 §4)",
      remedy: """
        Return 429 for too many requests, so that clients wait, and monitoring does not count the rejection as a \
        server error. If you cannot change the status, declare the status in the limit, for example `refusals: [429, \
        503]`.
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
      .limitSlowRefusal, .error, "Rejections by a rate limit take longer than the declared budget for rejections.",
      example: """
        voteLaw: The 99th percentile of the service time of 288 rejections is 180 ms, but the budget is 100 ms.
        """,
      remedy: """
        Reject a request before the server authenticates against a database, and before the server reads the body. If \
        rejections may take longer, raise `refusal-budget:` of the limit.
        """),
    Row(
      .limitSlowsNeighbours, .warning, "After the limiter rejects one client, other clients get slower responses.",
      example: """
        voteLaw: In the second after a rejection of another key, the median service time of requests was 210 ms \
        instead of 12 ms.
        """,
      remedy: """
        Check which resource rejected and admitted requests share. Possible resources are a lock around all counters, \
        a pool of workers, and a log that the server writes during the request.
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
        code. If the header is right, fix the declared limit: `allow:` and `per:` in the scenario, or `x-ratelimit` in \
        the contract.
        """),
    Row(
      .limitBodyContradictsHeader, .error, "The body and the headers of a rejection contradict each other.",
      example: "voteLaw: The rejection's body says to retry after 60 s, but its Retry-After header says 12 s.",
      remedy: """
        For each rejection, compute the waiting time once, and write the result into the body and the headers. Check \
        that the body contains the remaining waiting time, and not the length of the time window.
        """),
    Row(
      .limitPolicyChanges, .warning, "The rate-limit policy in the response headers changes between responses.",
      example: """
        voteLaw: RateLimit-Policy says 60 per 60 s at 12.4 s, but said 30 per 60 s before. All responses should have \
        the same value.
        """,
      remedy: """
        Check whether servers with different configurations share one address. Check whether two limiters write the \
        rate-limit headers, for example one in a proxy and one in the API. Let only one limiter write the rate-limit \
        headers.
        """),
    Row(
      .limitRemainingImpossible, .error, "A rate-limit header announces an impossible number of remaining requests.",
      example: "voteLaw: A request was rejected, although RateLimit-Remaining says that 3 requests remain.",
      remedy: """
        Announce the number of remaining requests that the limiter used for its decision. The announced number must be \
        from 0 to the quota, and 0 in a rejection. If several limits apply, announce the remaining requests of the \
        limit that will reject first.
        """),
    Row(
      .limitRemainingRepeats, .error,
      "The responses to two admitted requests announce the same number of remaining requests.",
      example: """
        voteLaw: Two admitted requests of key 7d1f3f0e in one window, sent at 12.1 s and at 12.102 s, both report that \
        17 requests remain. Each admitted request should reduce this number.
        """,
      remedy: """
        Increment the counter atomically, and compute the header from the returned value. If two concurrent requests \
        read the same count, the limiter may admit too many requests under high load.
        """),
    Row(
      .limitRemainingTooHigh, .error,
      "A rate-limit header announces more remaining requests than the limiter can admit.",
      example: """
        voteLaw: 22 requests remain for key 7d1f3f0e at 12.1 s, but the quota is 30, and 13 requests were admitted in \
        the key's first window.
        """,
      remedy: """
        Count a request before you write the rate-limit header of its response. Let all worker processes share one \
        counter, because a number from a cache or from a single worker process is too high.
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
        requests, other clients. To declare which requests count, write `operations:` or `count:` in the limit, or \
        change `key:`.
        """),
    Row(
      .limitResetImplausible, .error, "The announced reset of a rate limit is more than one time window in the future.",
      example: """
        voteLaw: X-RateLimit-Reset announces a reset in 107,713,620 min, but the longest declared window is 60 s.
        """,
      remedy: """
        Check the unit of the announced reset. `RateLimit-Reset` is the number of seconds until the reset. \
        `X-RateLimit-Reset` is in seconds since 1970, and not in milliseconds. If the unit is right, compare the \
        server's clock with the `Date` header that the server sends.
        """),
    Row(
      .limitRetryAfterTooShort, .error,
      "A client waited for the time in Retry-After, but the limiter rejected the client's next request.",
      example: """
        voteLaw: A rejection at 12.1 s said to wait 1 s, but a request 1.4 s later was rejected again. In between, the \
        key sent no request that the policy counts. The wait is too short by at least 0.4 s.
        """,
      remedy: """
        Compute `Retry-After` from the end of the time window that rejected the request, and round up to whole \
        seconds. A constant `Retry-After` is wrong, because clients that wait for a constant time are rejected \
        repeatedly.
        """),
    Row(
      .limitRetryAfterTooLong, .error, "Retry-After announces a longer wait than the limit requires.",
      example: """
        voteLaw: A rejection at 12.1 s said to wait 60 s, but a request of the same client was admitted 8.2 s after \
        it.
        """,
      remedy: """
        In `Retry-After`, announce the time until the limiter admits the next request, and not the length of the time \
        window. For a token bucket, announce the time until the bucket gets its next token.
        """),
    Row(
      .limitRetryAfterDrift, .error,
      "In one time window, the Retry-After headers of several rejections announce different ends of the wait.",
      example: """
        voteLaw: Rejections at 12.1 s and at 15.3 s announce times that differ by 3.2 s more than rounding explains. \
        In between, the key sent no request that the policy counts, so both should announce the same reset.
        """,
      remedy: """
        Compute `Retry-After` as the end of the time window minus the current time, so that all rejections announce \
        the same end. Do not send a constant `Retry-After`. Do not restart the time window when a request is rejected.
        """),
    Row(
      .limitRetryAfterBeforeReset, .warning,
      "Retry-After announces an earlier time than the rate-limit reset in the same response.",
      example: "voteLaw: Retry-After is 5 s, which is less than the `t` of RateLimit: 12 s.",
      remedy: """
        Set `Retry-After` to the time until the reset, or to a longer time. A client that retries before the reset is \
        rejected again.
        """),
  ]
}
