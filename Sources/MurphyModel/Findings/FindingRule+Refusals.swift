/// Kinds of findings about rejections and their headers.
extension FindingRule {
  static let refusalsRows: [Row] = [
    Row(
      .limitWrongStatus, .warning, "A rejection by a rate limit has a status other than 429.",
      example: "voteLaw: rejections have status 503 (12 responses, none 429); clients expect 429 (RFC 6585 §4)",
      remedy: """
        Return 429 for too many requests. Then clients wait, and monitoring does not count the rejection as a server \
        error. If the status must stay, name it in the limit: `refusals: [429, 503]`.
        """),
    Row(
      .limitRefusalBody, .error, "A rejection by a rate limit has a body that clients of the API cannot decode.",
      example: """
        voteLaw: A rejection is an HTML page (text/html): clients that decode the API's own format cannot read it.
        """,
      remedy: """
        Configure the proxy that rejects requests to send errors in the API's own format. In nginx, point `error_page \
        429` to a location that returns JSON with its `Content-Type`.
        """),
    Row(
      .limitSlowRefusal, .error, "A rejection by a rate limit takes longer than its budget.",
      example: "voteLaw: Rejections take 180 ms at the 99th percentile of 288, with a budget of 100 ms.",
      remedy: """
        Reject before expensive work: before the server authenticates against a database, and before it reads the \
        body. If rejections may take longer, raise `refusal-budget` of the limit.
        """),
    Row(
      .limitSlowsNeighbours, .warning, "Other clients get slower responses after the limiter rejected one client.",
      example: """
        voteLaw: Within a second after another key was rejected, requests took 210 ms in the median instead of 12 ms.
        """,
      remedy: """
        Check what rejected and admitted requests share. Examples: a lock around all counters, a pool of workers in \
        which rejected requests wait, a log that the server writes during the request.
        """),
    Row(
      .limitNoRetryHint, .note, "A rejection by a rate limit does not say when the client may retry.",
      example: """
        voteLaw: A rejection does not say when to retry: it has neither Retry-After nor a reset (RFC 6585 §4 allows \
        that).
        """,
      remedy: """
        Send `Retry-After` in every rejection, with the seconds until the next admission. Without `Retry-After`, \
        clients guess the time, and most of them retry too early.
        """),
    Row(
      .limitHeaderSyntax, .error, "A rate-limit header does not have the syntax of its specification.",
      example: "voteLaw: Retry-After is `1.5`, expected whole seconds or an HTTP date (RFC 9110 §10.2.3).",
      remedy: """
        Write each rate-limit header in the format of its specification. `Retry-After` and `RateLimit-Reset` are whole \
        seconds, rounded up. `RateLimit` and `RateLimit-Policy` are structured fields.
        """),
    Row(
      .limitHeaderContradictsPolicy, .error,
      "A rate-limit header declares a different limit than the scenario or the contract.",
      example: """
        voteLaw: RateLimit-Policy declares 60 per 60 s; scenario declares 30 per 60 s, fixed window, key x-device-id.
        """,
      remedy: """
        Write the rate-limit header from the configuration that the limiter itself reads, and not from a constant. If \
        the header is right, fix `allow` and `per` in the scenario, or `x-ratelimit` in the contract.
        """),
    Row(
      .limitBodyContradictsHeader, .error, "The body and the headers of a rejection announce different waiting times.",
      example: "voteLaw: The rejection's body says to retry after 60 s, its Retry-After header after 12 s.",
      remedy: """
        Compute the waiting time once for each rejection, and write both the body and the headers from it. Check that \
        the body contains the remaining time, and not the length of the time window.
        """),
    Row(
      .limitPolicyChanges, .warning, "The rate-limit policy in the response headers changes between responses.",
      example: """
        voteLaw: RateLimit-Policy says 60 per 60 s at 12.4 s and said 30 per 60 s before; it should stay the same \
        between responses.
        """,
      remedy: """
        Check whether servers with different configuration share one address. Check whether two limiters, one in a \
        proxy and one in the API, write the header. Let only one of them write it.
        """),
    Row(
      .limitRemainingImpossible, .error, "A header announces an impossible number of remaining requests.",
      example: "voteLaw: A request was rejected while RateLimit-Remaining says that 3 remain.",
      remedy: """
        Announce the number that decided whether to admit the request: at least 0, at most the quota, and 0 in a \
        rejection. If several limits apply, announce the number of the limit that will reject first.
        """),
    Row(
      .limitRemainingRepeats, .error,
      "The responses to two admitted requests announce the same number of remaining requests.",
      example: """
        voteLaw: Two admissions of key 7d1f3f0e in one window, sent at 12.1 s and at 12.102 s, both leave 17: two \
        requests that count leave different numbers.
        """,
      remedy: """
        Increment the counter atomically, and write the returned value into the header. Otherwise two requests may \
        read the same count, and the limiter may admit too many requests under high load.
        """),
    Row(
      .limitRemainingTooHigh, .error, "A header announces more remaining requests than the limiter can admit.",
      example: """
        voteLaw: 22 remain for key 7d1f3f0e at 12.1 s, after 12 admitted requests and this one in its first window, of \
        30 allowed.
        """,
      remedy: """
        Count the request before you write the header. Let all worker processes share one counter: a number from a \
        cache or from one worker is too high.
        """),
    Row(
      .limitRemainingJumps, .warning,
      "The announced number of remaining requests decreases by more than the number of sent requests.",
      example: """
        voteLaw: 9 of 30 remain for key 7d1f3f0e at 14.2 s, although at most 12 requests of this key can have counted.
        """,
      remedy: """
        Check which other requests count for this limit key: other routes, preflight requests, rejected or failed \
        requests, other clients. If they should count, name them in the limit: `operations`, `count`, or a narrower \
        `key`.
        """),
    Row(
      .limitResetImplausible, .error, "The announced reset of a rate limit is more than one time window in the future.",
      example: """
        voteLaw: X-RateLimit-Reset puts the reset 107,713,620 min ahead, and the longest declared window is 60 s.
        """,
      remedy: """
        Check the unit. `RateLimit-Reset` is the number of seconds until the reset. `X-RateLimit-Reset` is in seconds \
        since 1970, not milliseconds. Then compare the server's clock with the `Date` header that the server sends.
        """),
    Row(
      .limitRetryAfterTooShort, .error,
      "A client waited for the time in Retry-After, and the limiter rejected it again.",
      example: """
        voteLaw: A rejection at 12.1 s said to wait 1 s; a request sent 1.4 s after it was rejected again, although \
        the key sent nothing in between that the policy counts.
        """,
      remedy: """
        Compute `Retry-After` from the end of the time window that rejected the request. Round the value up to whole \
        seconds. Do not send a constant: clients that follow it are rejected repeatedly.
        """),
    Row(
      .limitRetryAfterTooLong, .error, "Retry-After announces a longer wait than the limit requires.",
      example: """
        voteLaw: A rejection at 12.1 s said to wait 60 s, and a request of the same client was admitted 8.2 s after \
        it.
        """,
      remedy: """
        Announce the time until the limiter admits the next request, and not the length of the time window. For a \
        token bucket, announce the time until the next token.
        """),
    Row(
      .limitRetryAfterDrift, .error, "Retry-After announces a different end of the wait in each rejection.",
      example: """
        voteLaw: Rejections at 12.1 s and at 15.3 s, between which the key sent nothing that the policy counts, \
        announce times that are 3.2 s further apart than rounding explains: they cannot be one reset.
        """,
      remedy: """
        In all rejections of one time window, announce the same end: the end of the window minus the current time. Do \
        not send a constant `Retry-After`. Do not restart the time window when a request is rejected.
        """),
    Row(
      .limitRetryAfterBeforeReset, .warning, "Retry-After announces an earlier time than the announced reset.",
      example: "voteLaw: Retry-After says 5 s, earlier than the 12 s of RateLimit's `t`.",
      remedy: """
        Set `Retry-After` to the time of the reset or later. Otherwise a client that retries after `Retry-After` is \
        rejected again.
        """),
  ]
}
