/// Kinds of findings about what refusals and their headers say.
extension FindingAdvice {
  static let limitWrongStatus = Self(
    example: "voteLaw: refusals have status 503; 429 is what clients understand (RFC 6585 §4)",
    remedy:
      "Answer 429 for too many requests, so that clients wait and monitoring does not count it as a fault of the "
      + "server. If the status must stay, name it in the limit: `refusals: [429, 503]`.")

  static let limitRefusalBody = Self(
    example: "voteLaw: A refusal is an HTML page (text/html): clients of an API decode what they get, and fail on it.",
    remedy:
      "Let the proxy that refuses write the API's own form of errors: in nginx `error_page 429` to a location that "
      + "returns JSON, with its `Content-Type`.")

  static let limitSlowRefusal = Self(
    example:
      "voteLaw: Refusals take 180ms at the 99th percentile of 288, with a budget of 100ms: being refused should be "
      + "cheap.",
    remedy:
      "Refuse before anything expensive happens: before authentication against a database, before the body is read. "
      + "Else raise `refusal-budget` of the limit.")

  static let limitSlowsNeighbours = Self(
    example:
      "voteLaw: Within a second after another key was refused, requests took 210ms in the median instead of 12ms.",
    remedy:
      "Look for what refused and admitted requests share: a lock around all counters, a pool of workers in which "
      + "refused requests wait, a log that is written in the request.")

  static let limitNoRetryHint = Self(
    example:
      "voteLaw: A refusal says nothing about when to come back: neither Retry-After nor a reset (RFC 6585 §4 allows "
      + "that, clients do not like it).",
    remedy:
      "Send `Retry-After` with the seconds until the next admission in every refusal. Without it clients guess, and "
      + "most of them guess too early.")

  static let limitHeaderSyntax = Self(
    example: "voteLaw: Retry-After is `1.5`, expected whole seconds or an HTTP date (RFC 9110 §10.2.3).",
    remedy:
      "Write the header in the form of its specification: whole seconds, rounded up, in `Retry-After` and "
      + "`RateLimit-Reset`; structured fields in `RateLimit` and `RateLimit-Policy`.")

  static let limitHeaderContradictsPolicy = Self(
    example:
      "voteLaw: RateLimit-Policy declares 60 per 60s; scenario promises 30 per 60s, fixed window, key x-device-id.",
    remedy:
      "Write the header from the configuration that the limiter itself reads, in place of a constant. If the header "
      + "is right, mend `allow` and `per` in the scenario or `x-ratelimit` in the contract.")

  static let limitBodyContradictsHeader = Self(
    example: "voteLaw: The refusal's body says to retry after 60s, its Retry-After header after 12s.",
    remedy:
      "Compute the wait once for each refusal, and write both from it. The body often holds the window's length where "
      + "it should hold the time that is left of it.")

  static let limitPolicyChanges = Self(
    example:
      "voteLaw: RateLimit-Policy says 60 per 60s at 12.4s and said 30 per 60s before; it should stay the same between "
      + "answers.",
    remedy:
      "Look for servers with different configuration behind one address, or for two limiters (a proxy's and the "
      + "API's) that both write the header: let one of them write it.")

  static let limitRemainingImpossible = Self(
    example: "voteLaw: A request was refused while RateLimit-Remaining says that 3 remain.",
    remedy:
      "Write the count that the decision was made on, never below 0, never above the limit, and 0 in a refusal. If "
      + "several limits hold, tell of the one that is the closest to refusing.")

  static let limitRemainingRepeats = Self(
    example:
      "voteLaw: Two admissions of key 7d1f3f0e in one window, sent at 12.1s and at 12.102s, both leave 17: one of "
      + "them was not counted.",
    remedy:
      "Two requests read the same count and both wrote the next one. Increment atomically and write into the header "
      + "what the increment returned; otherwise the limit lets too many through when load is high.")

  static let limitRemainingTooHigh = Self(
    example:
      "voteLaw: 22 remain for key 7d1f3f0e at 12.1s, when 12 of 30 requests and this one had counted in its first "
      + "window.",
    remedy:
      "Count the request itself before the header is written, and let all workers count in one place. A value from a "
      + "cache or from one worker of several promises more than will be admitted.")

  static let limitRemainingJumps = Self(
    example:
      "voteLaw: 9 of 30 remain for key 7d1f3f0e at 14.2s, when at most 12 requests can have counted: the counter "
      + "counts something else as well.",
    remedy:
      "Find what else counts under this key: other routes, preflights, refused or failed requests, other clients. If "
      + "it is meant, name it in the limit: `operations`, `count`, or a narrower `key`.")

  static let limitResetImplausible = Self(
    example: "voteLaw: X-RateLimit-Reset puts the reset 1795227h ahead, with windows of 60s: a wrong unit or clock.",
    remedy:
      "Check the unit: `RateLimit-Reset` is in seconds to go, and `X-RateLimit-Reset` in seconds (not milliseconds) "
      + "since 1970. Then check the server's clock against the `Date` that it sends.")

  static let limitRetryAfterTooShort = Self(
    example:
      "voteLaw: A refusal at 12.1s said to wait 1s; a request sent 1.4s after it was refused again, and nothing that "
      + "the policy counts was sent in between.",
    remedy:
      "Compute `Retry-After` from the end of the window that refused, and round it up to whole seconds. A constant of "
      + "1 makes obedient clients send refused requests again and again.")

  static let limitRetryAfterTooLong = Self(
    example: "voteLaw: A refusal at 12.1s said to wait 60s, and a request was admitted after 8.2s of waiting alone.",
    remedy:
      "Announce the time until the next request is admitted, not the length of the window; for a token bucket that is "
      + "the time to the next token.")

  static let limitRetryAfterDrift = Self(
    example:
      "voteLaw: Refusals at 12.1s and at 15.3s, with nothing in between that the policy counts, promise moments that "
      + "lie 3.2s further apart than rounding explains: they cannot all be the same release.",
    remedy:
      "Name the same moment in all refusals of a window: its end minus now. A constant `Retry-After`, or a window "
      + "that each refused request begins anew, moves it further away with each attempt.")

  static let limitRetryAfterBeforeReset = Self(
    example: "voteLaw: Retry-After says 5s, earlier than the 12s of RateLimit's `t`.",
    remedy:
      "Give `Retry-After` the value of `t` or a later one: a client that trusts the earlier of the two is refused "
      + "again.")
}
