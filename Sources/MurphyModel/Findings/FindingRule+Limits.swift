/// Kinds of findings about a limiter's decisions and key.
extension FindingRule {
  static let limitsRows: [Row] = [
    Row(
      .limitOverAdmission, .error, "A limiter admitted more requests than the declared rate limit allows.",
      example: """
        voteLaw: admitted 31 requests within 9.3 s, more than 30 per 10 s, fixed window, key x-device-id (key \
        7d1f3f0e, from 12.100 s on).
        """,
      remedy: """
        Check whether the limiter has one counter per worker process, or checks and increments its counter in two \
        separate steps. Check whether its time window restarts too early. If the declared limit is wrong, fix \
        `allow:`, `per:` or `algorithm:` of the limit.
        """),
    Row(
      .limitOverThrottling, .error, "A limiter rejected a request that the declared rate limit allows.",
      example: """
        voteLaw: rejected a request after at most 12 counted requests; the limit is 30 per 10 s, fixed window, key \
        x-device-id (key 7d1f3f0e, at 14.210 s).
        """,
      remedy: """
        If one request too few is admitted, check whether the limiter compares with > or >=. Otherwise find out which \
        other requests use the quota. To declare which requests use quota, write `operations:`, `key:` or `count: { failed: yes, \
        refused: yes }` in the limit.
        """),
    Row(
      .limitContradictory, .error,
      "No limiter with the declared quota, time window and algorithm would make the observed decisions.",
      example: """
        voteLaw: admitted and rejected requests in a way that is impossible under 30 per 10 s, fixed window, key \
        x-device-id (key 7d1f3f0e, from 10.020 s to 31.440 s).
        """,
      remedy: """
        Run `murphy limits` on the scenario to measure the algorithm, the quota and the time window. Fix the limiter, \
        or declare the measured `algorithm:`, `allow:` and `per:` in the limit. If the algorithm of the limiter does \
        not matter, write `algorithm: any`.
        """),
    Row(
      .limitContradiction, .warning,
      "The scenario and the contract declare different rate limits, and murphy checks only the scenario's limit.",
      example: """
        voteLaw: the scenario says 30 per 60 s, fixed window, key x-device-id, but the contract says 20 per 60 s, any \
        algorithm, key x-device-id: murphy checks only the scenario's limit
        """,
      remedy: """
        Correct the wrong limit, which is either `expect: limits:` in the scenario or `x-ratelimit` in the contract. \
        If the API has both limits, write `also: true` in the scenario's limit, so that murphy checks both limits.
        """),
    Row(
      .limitLongWait, .error, "Retry-After in a rejection announces a longer wait than the scenario allows.",
      example: "voteLaw: rejections require waits of up to 60 s, but the scenario allows at most 30 s",
      remedy: """
        Shorten the time window of the limiter, or use a token bucket, which admits single requests continuously. If \
        users may wait longer after a rejection, raise `longest-wait:` of the limit.
        """),
    Row(
      .limitTerms, .error, "The measured quota, time window or algorithm of a limiter differs from its declaration.",
      example: "voteLaw: declared: 30 per 60 s, fixed window, key x-device-id; measured: 60 per 60 s, sliding log",
      remedy: """
        Compare the configuration of the limiter with the declared limit. If the measured quota is a multiple of the \
        declared quota, check whether each worker process has its own counter. If the limiter is right, declare the \
        measured values in the limit.
        """),
    Row(
      .limitUnlimited, .error, "A rate limit is declared, but the limiter rejected no request of the test.",
      example: """
        voteLaw: declared: 30 per 60 s, fixed window, key x-device-id; none of 180 responses had the status of a \
        rejection
        """,
      remedy: """
        Check that the limiter is enabled for the tested route and environment. Check that no list of exceptions \
        contains murphy's address or credentials. If rejections have a status other than 429, name the status under \
        `refusals:` of the limit.
        """),
    Row(
      .limitRace, .error, "If clients send requests concurrently, the limiter admits more requests than its quota.",
      example: "voteLaw: concurrent requests exceeded the quota by 7 admissions",
      remedy: """
        Let all worker processes share one counter. Count and decide in one atomic step, such as one `UPDATE … \
        RETURNING`, or `INCR` in Redis with a comparison. Do not read the counter before the increment.
        """),
    Row(
      .limitCountsRefused, .error, "Rejected requests use up quota, but the declared limit says that they use none.",
      example: "voteLaw: rejected requests use quota, but the declaration says that they do not",
      remedy: """
        Count a request only if the limiter admits the request, because otherwise a client that retries too early is \
        rejected repeatedly. If rejected requests should use up quota, declare `count: { refused: yes }` in the limit.
        """),
    Row(
      .limitCountsFailed, .error,
      "Malformed requests use up quota, but the declared limit says that failed requests use none.",
      example: "submitLaw: malformed requests use quota, but the declaration says that failed requests do not",
      remedy: """
        Do not count a request with a 4xx or 5xx response, or count a request only after its validation. If failed \
        requests, such as failed logins, should use up quota, declare `count: { failed: yes }` in the limit.
        """),
    Row(
      .limitBypassXForwardedFor, .error,
      "The limiter admits a request with a spoofed X-Forwarded-For header after the quota is used up.",
      example: """
        listLaws: a request with a spoofed X-Forwarded-For is admitted after the quota is used up: clients can bypass \
        the limiter
        """,
      remedy: """
        Use the address of the connection as the client's address. In X-Forwarded-For, trust only the addresses that \
        your own proxies appended at the end. Configure the outermost proxy to overwrite X-Forwarded-For.
        """),
    Row(
      .limitBypassXRealIP, .error,
      "The limiter admits a request with a spoofed X-Real-IP header after the quota is used up.",
      example: """
        listLaws: a request with a spoofed X-Real-IP is admitted after the quota is used up: clients can bypass the \
        limiter
        """,
      remedy: """
        Read X-Real-IP only in requests from a trusted proxy. Configure the proxy to replace the X-Real-IP header of a \
        client. In nginx, write `proxy_set_header X-Real-IP $remote_addr`.
        """),
    Row(
      .limitBypassForwarded, .error,
      "The limiter admits a request with a spoofed Forwarded header after the quota is used up.",
      example: """
        listLaws: a request with a spoofed Forwarded is admitted after the quota is used up: clients can bypass the \
        limiter
        """,
      remedy: """
        Configure the outermost proxy to remove or replace the Forwarded header (RFC 7239 §8.1). As the client's \
        address, use only the element of the Forwarded header that the outermost proxy added.
        """),
    Row(
      .limitKeySourceAddress, .error,
      "The limiter and the declared rate limit disagree on whether each source address has its own quota.",
      example: """
        voteLaw: another source address is admitted after the quota is used up, but the declared key is x-device-id
        """,
      remedy: """
        Decide whether each source address should have its own quota, and fix the limiter or the declared limit. For \
        one quota per address, declare `ip` in the key, for example `key: [X-Device-ID, ip]`. For one quota for \
        several addresses, remove `ip` from `key:`.
        """),
    Row(
      .limitKeyXForwardedFor, .error,
      "The limiter and the declared rate limit disagree on whether each X-Forwarded-For value has its own quota.",
      example: """
        listLaws: another X-Forwarded-For is rejected after the quota is used up, but the declared key is \
        x-forwarded-for
        """,
      remedy: """
        Check whether a proxy in front of the limiter replaces X-Forwarded-For, so that all clients have the same \
        value. If the limiter counts by the address of the connection, declare `key: ip` in the limit.
        """),
    Row(
      .limitKeyXRealIP, .error,
      "The limiter and the declared rate limit disagree on whether each X-Real-IP value has its own quota.",
      example: "listLaws: another X-Real-IP is rejected after the quota is used up, but the declared key is x-real-ip",
      remedy: """
        Check whether the limiter reads X-Real-IP. If a proxy sets X-Real-IP to the client's address, declare `key: \
        ip` in the limit instead of the header's name.
        """),
    Row(
      .limitKeyForwarded, .error,
      "The limiter and the declared rate limit disagree on whether each Forwarded value has its own quota.",
      example: "listLaws: another Forwarded is rejected after the quota is used up, but the declared key is forwarded",
      remedy: """
        Check that the limiter parses the Forwarded header (RFC 7239 §4) and counts by the value after `for=`. If the \
        limiter reads only X-Forwarded-For, declare `key: X-Forwarded-For` or `key: ip` in the limit.
        """),
    Row(
      .limitKeyDeviceHeader, .error,
      "The limiter and the declared rate limit disagree on whether each value of the device header has its own quota.",
      example: """
        voteLaw: another X-Device-ID (device header) is rejected after the quota is used up, but the declared key is \
        x-device-id
        """,
      remedy: """
        Check which header the limiter reads, and whether a proxy removes that header. If several devices should share \
        a quota, declare `key: ip`, `key: token` or `key: global` in the limit.
        """),
    Row(
      .limitKeyAuthorization, .error,
      "The limiter and the declared rate limit disagree on whether each client's credentials have their own quota.",
      example: "submitLaw: another Authorization is rejected after the quota is used up, but the declared key is token",
      remedy: """
        Run the limiter after authentication, and count requests by the authenticated user or token. If all users \
        share one counter of the limiter, declare `key: global` in the limit.
        """),
    Row(
      .limitKeyRoute, .error, "The limiter counts requests for different spellings of one route separately.",
      example: "getLaw: another route is admitted after the quota is used up, but the declared key is x-device-id",
      remedy: """
        Before the limiter counts, normalise the path: upper and lower case, a trailing slash, `//`, and \
        percent-encoding. Count requests by the template of the route, such as `/laws/{id}`, and not by the path of \
        the request.
        """),
    Row(
      .limitKeyQuery, .error,
      "The limiter and the declared rate limit disagree on whether each query string has its own quota.",
      example: "listLaws: another query is admitted after the quota is used up, but the declared key is address",
      remedy: """
        Remove the query string from the key by which the limiter counts. Otherwise, any new parameter in the query \
        string gives a client a new quota. If a cache in front of the limiter answers requests, configure the cache to \
        forward the requests to the limiter.
        """),
    Row(
      .limitKeyMethod, .error,
      "The limiter and the declared rate limit disagree on whether each HTTP method has its own quota.",
      example: "listLaws: another method is admitted after the quota is used up, but the declared key is address",
      remedy: """
        Count GET and HEAD requests of one route together. If each HTTP method should have its own quota, declare one \
        limit for each operation under `expect: limits:`.
        """),
  ]
}
