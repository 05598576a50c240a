/// Kinds of findings about a limiter's decisions and key.
extension FindingRule {
  static let limitsRows: [Row] = [
    Row(
      .limitOverAdmission, .error, "A rate limit admitted more requests than declared.",
      example: """
        voteLaw: admitted 31 requests within 9.3 s, more than 30 per 10 s, fixed window, key x-device-id (key \
        7d1f3f0e, from 12.100 s on).
        """,
      remedy: """
        Check how the limiter counts: separate counters per worker, a check and an increment that are two steps, or a \
        window that restarts too early. If the declaration is wrong, fix `allow`, `per` or `algorithm` of the limit.
        """),
    Row(
      .limitOverThrottling, .error, "A rate limit rejected a request that it declares to admit.",
      example: """
        voteLaw: rejected a request with quota left: the limit is 30 per 10 s, fixed window, key x-device-id, and at \
        most 12 other requests of the key could have counted (key 7d1f3f0e, at 14.210 s).
        """,
      remedy: """
        Check what else consumes the quota: other operations, other clients of one key, rejected or failed requests. \
        If that is intended, declare it in the limit: `operations`, `key`, `count: { failed: yes, refused: yes }`.
        """),
    Row(
      .limitContradictory, .error, "Observed decisions do not match the declared rate-limit algorithm.",
      example: """
        voteLaw: admitted and rejected requests in a way that 30 per 10 s, fixed window, key x-device-id cannot (key \
        7d1f3f0e, from 10.020 s to 31.440 s).
        """,
      remedy: """
        Run `murphy limits` on the scenario: it measures the algorithm, the quota and the window. Then fix the \
        limiter, or write what was measured as `algorithm`, `allow` and `per` of the limit (`algorithm: any` if it \
        does not matter).
        """),
    Row(
      .limitContradiction, .warning,
      "The scenario and the contract declare different values for a limit; the scenario's value is used.",
      example: """
        voteLaw: the scenario says 30 per 60 s, fixed window, key x-device-id, the contract says 20 per 60 s, any \
        algorithm, key x-device-id: only the scenario's is checked
        """,
      remedy: """
        Correct the scenario's `expect: limits:` or the contract's `x-ratelimit`, whichever is wrong. If both limits \
        apply, set `also: true` in the scenario's limit: then both are checked.
        """),
    Row(
      .limitLongWait, .error, "A rejected client had to wait longer for its next admission than the scenario allows.",
      example: "voteLaw: rejections ask for waits of up to 60 s, expected at most 30 s",
      remedy: """
        Shorten the limiter's window, or let it admit single requests continuously (a token bucket) instead of a whole \
        window at once. If users may wait that long, raise `longest-wait` of the limit.
        """),
    Row(
      .limitTerms, .error, "The tested limiter has a different quota, window or algorithm than declared.",
      example: "voteLaw: declared: 30 per 60 s, fixed window, key x-device-id; measured: 60 per 60 s, sliding log",
      remedy: """
        Compare the limiter's configuration with the declaration. A quota that is twice or four times as high often \
        has one counter in each worker: let them share one. Otherwise declare the measured values.
        """),
    Row(
      .limitUnlimited, .error, "A rate limit is declared, but no request of the test was rejected.",
      example: "voteLaw: declared: 30 per 60 s, fixed window, key x-device-id; none of 180 requests was rejected",
      remedy: """
        Check that the limiter is enabled for this route and environment, and that murphy's address or credentials \
        are on no list of exceptions. If rejections have another status than 429, name it under `refusals`.
        """),
    Row(
      .limitRace, .error, "The limiter admits more concurrent requests than its quota.",
      example: "voteLaw: concurrent requests got 7 admissions more than the quota",
      remedy: """
        If workers count separately, let them share one counter. Count and decide in one atomic step: `INCR` in Redis \
        and a comparison of its result, a script, or one `UPDATE … RETURNING`. If the count is read first, all \
        requests that read it before a write are admitted.
        """),
    Row(
      .limitCountsRefused, .error, "Rejected requests use quota, but are declared not to.",
      example: "voteLaw: rejected requests use quota, but are declared not to",
      remedy: """
        Count a request only when it is admitted; otherwise a client that retries too early locks itself out. If that \
        is intended, declare it in the limit: `count: { refused: yes }`.
        """),
    Row(
      .limitCountsFailed, .error, "Malformed requests use quota, but failed requests are declared not to.",
      example: "submitLaw: malformed requests use quota, but failed requests are declared not to",
      remedy: """
        Do not count a request that ends with 4xx or 5xx, or count only after validation. If failures should count, \
        as for a login, write `count: { failed: yes }` in the limit.
        """),
    Row(
      .limitBypassXForwardedFor, .error,
      "A request with a spoofed X-Forwarded-For header is admitted after the quota is used up.",
      example: """
        listLaws: a request with a spoofed X-Forwarded-For is admitted after the quota is used up: clients can bypass \
        the limiter
        """,
      remedy: """
        Take the client's address from the connection, and from X-Forwarded-For only where your own proxy appended it \
        (count the trusted proxies from the right). Let the outermost proxy overwrite the header.
        """),
    Row(
      .limitBypassXRealIP, .error, "A request with a spoofed X-Real-IP header is admitted after the quota is used up.",
      example: """
        listLaws: a request with a spoofed X-Real-IP is admitted after the quota is used up: clients can bypass the \
        limiter
        """,
      remedy: """
        Read X-Real-IP only in requests of a trusted proxy, and let that proxy always set it (`proxy_set_header \
        X-Real-IP $remote_addr` in nginx), so that it replaces any value from the client.
        """),
    Row(
      .limitBypassForwarded, .error,
      "A request with a spoofed Forwarded header is admitted after the quota is used up.",
      example: """
        listLaws: a request with a spoofed Forwarded is admitted after the quota is used up: clients can bypass the \
        limiter
        """,
      remedy: """
        Let the outermost proxy drop or replace the Forwarded header (RFC 7239 §8.1), and use only the element that it \
        has added as the client's address.
        """),
    Row(
      .limitKeySourceAddress, .error, "The limiter's use of source addresses does not match the declared key.",
      example: """
        voteLaw: another source address is admitted after the quota is used up, but the declared key is x-device-id
        """,
      remedy: """
        Add the address to the limiter's key or remove it, as declared. If the address should be part of the key, \
        write it in the scenario: `key: [X-Device-ID, ip]`.
        """),
    Row(
      .limitKeyXForwardedFor, .error, "The limiter's use of X-Forwarded-For does not match the declared key.",
      example: """
        listLaws: another X-Forwarded-For is rejected after the quota is used up, but the declared key is \
        x-forwarded-for
        """,
      remedy: """
        Check whether a proxy before the limiter replaces X-Forwarded-For, so that all clients have one value. If the \
        key is the address of the connection, write `key: ip` in the scenario.
        """),
    Row(
      .limitKeyXRealIP, .error, "The limiter's use of X-Real-IP does not match the declared key.",
      example: "listLaws: another X-Real-IP is rejected after the quota is used up, but the declared key is x-real-ip",
      remedy: """
        Check whether the limiter reads X-Real-IP at all: behind a proxy that sets it, the scenario should declare \
        `key: ip` and not the name of the header.
        """),
    Row(
      .limitKeyForwarded, .error, "The limiter's use of Forwarded does not match the declared key.",
      example: "listLaws: another Forwarded is rejected after the quota is used up, but the declared key is forwarded",
      remedy: """
        Check that the limiter parses the Forwarded header (RFC 7239 §4) and counts by its `for=`. Many limiters only \
        know X-Forwarded-For; then declare that header, or `key: ip`.
        """),
    Row(
      .limitKeyDeviceHeader, .error, "The limiter's use of the device header does not match the declared key.",
      example: """
        voteLaw: another X-Device-ID is rejected after the quota is used up, but the declared key is x-device-id
        """,
      remedy: """
        Check which header the limiter reads, and whether a proxy removes it. If devices should share a quota, name in \
        `key` what they share: `ip`, `token` or `global`.
        """),
    Row(
      .limitKeyAuthorization, .error, "The limiter's use of credentials does not match the declared key.",
      example: "submitLaw: another Authorization is rejected after the quota is used up, but the declared key is token",
      remedy: """
        Run the limiter after authentication, and count by the authenticated user or token. If all users share one \
        counter, write `key: global` in the scenario.
        """),
    Row(
      .limitKeyRoute, .error, "The limiter counts different spellings of one route separately.",
      example: "getLaw: another route is admitted after the quota is used up, but the declared key is x-device-id",
      remedy: """
        Normalise the path before the limiter counts: case, a trailing slash, `//`, percent-encoding. Count by the \
        route's template (`/laws/{id}`), not by the path as it was sent.
        """),
    Row(
      .limitKeyQuery, .error, "The limiter's use of the query does not match the declared key.",
      example: "listLaws: another query is admitted after the quota is used up, but the declared key is address",
      remedy: """
        Remove the query from the limiter's key: otherwise any meaningless parameter gives a new quota. Caches in \
        front of the limiter have the same effect: let them pass requests on to it.
        """),
    Row(
      .limitKeyMethod, .error, "The limiter's use of the method does not match the declared key.",
      example: "listLaws: another method is admitted after the quota is used up, but the declared key is address",
      remedy: """
        Count GET and HEAD of one route together. If each method has its own quota on purpose, declare a limit for \
        each operation under `expect: limits:`.
        """),
  ]
}
