/// Kinds of findings about a limiter's decisions and key.
extension FindingRule {
  static let limitsRows: [Row] = [
    Row(
      .limitOverAdmission, .error, "A rate limit admitted more requests than it promises.",
      example: """
        voteLaw: admitted 31 requests of key 7d1f3f0e within 9.3s, from 12.100 s on: more than 30 per 10s, fixed \
        window, key x-device-id.
        """,
      remedy: """
        Look how the limiter counts: workers that count apart, a check and an increment that are two steps, or a \
        window that begins anew too early. If the promise is wrong, mend `allow`, `per` or `algorithm` of the limit.
        """),
    Row(
      .limitOverThrottling, .error, "A rate limit refused a request that it promises to admit.",
      example: """
        voteLaw: rejected a request of key 7d1f3f0e at 14.210 s when at most 12 other requests of the key could have \
        counted: 30 per 10s, fixed window, key x-device-id still had room.
        """,
      remedy: """
        See what else takes from the allowance: other operations, other clients of one key, refused or failed \
        requests. If that is meant, say it in the limit: `operations`, `key`, `count: { failed: yes, refused: yes }`.
        """),
    Row(
      .limitContradictory, .error, "No rate limit of the promised kind decides as this one did.",
      example: """
        voteLaw: admitted and rejected requests of key 7d1f3f0e between 10.020 s and 31.440 s in a way that 30 per \
        10s, fixed window, key x-device-id cannot.
        """,
      remedy: """
        Run `murphy limits` on the scenario: it finds out the algorithm, the allowance and the window. Then mend the \
        limiter, or write what it is as `algorithm`, `allow` and `per` of the limit (`algorithm: any` if it does not \
        matter).
        """),
    Row(
      .limitContradiction, .warning, "A limit of the scenario replaces a different limit of the contract.",
      example: """
        voteLaw: the scenario says 30 per 60s, fixed window, key x-device-id, the contract says 20 per 60s, any \
        algorithm, key x-device-id: only the scenario's is checked
        """,
      remedy: """
        Correct the scenario's `expect: limits:` or the contract's `x-ratelimit`, whichever is wrong. If both limits \
        hold, set `also: true` in the scenario's limit: then both are checked.
        """),
    Row(
      .limitLongWait, .error, "A client had to wait longer for readmission than the scenario allows.",
      example: "voteLaw: rejections ask for waits of up to 60s, expected at most 30s",
      remedy: """
        Shorten the limiter's window, or let it admit requests one by one again (a token bucket) in place of a whole \
        window at once. If users may wait that long, raise `longest-wait` of the limit.
        """),
    Row(
      .limitTerms, .error, "The probed limiter has another allowance, window or algorithm than the promised one.",
      example: "voteLaw: declared: 30 per 60s, fixed window, key x-device-id; measured: 60 per 60 s, sliding log",
      remedy: """
        Compare the limiter's configuration with the declaration. An allowance that is twice or four times as high \
        often has one counter in each worker: let them share one. Else declare what was found.
        """),
    Row(
      .limitUnlimited, .error, "A rate limit is promised, and no request of the probe was refused.",
      example: "voteLaw: declared: 30 per 60s, fixed window, key x-device-id; none of 180 requests was rejected",
      remedy: """
        Check that the limiter is switched on for this route and environment, and that the probe's address or \
        credentials are on no list of exceptions. If refusals have another status than 429, name it under `refusals`.
        """),
    Row(
      .limitRace, .error, "Requests that come together get more than the quota.",
      example: "voteLaw: concurrent requests got 7 admissions more than the quota",
      remedy: """
        If workers count apart, let them share one counter. Count and decide in one atomic step: `INCR` in Redis and \
        compare what it returns, a script, or one `UPDATE … RETURNING`. Reading the count first lets all requests \
        through that read before one has written.
        """),
    Row(
      .limitCountsRefused, .error, "Rejected requests use quota, but are declared not to.",
      example: "voteLaw: rejected requests use quota, but are declared not to",
      remedy: """
        Count a request only when it is admitted; else a client that tries again too early locks itself out. If that \
        is meant, say so in the limit: `count: { refused: yes }`.
        """),
    Row(
      .limitCountsFailed, .error, "Malformed requests use quota, but failed requests are declared not to.",
      example: "submitLaw: malformed requests use quota, but failed requests are declared not to",
      remedy: """
        Give the request back to the allowance when it ends as 4xx or 5xx, or count after validation. If failures are \
        to count, as for a login, say `count: { failed: yes }` in the limit.
        """),
    Row(
      .limitBypassXForwardedFor, .error,
      "A request with a spoofed X-Forwarded-For header is admitted after the quota is used up.",
      example: """
        listLaws: a request with a spoofed X-Forwarded-For is admitted after the quota is used up: clients can bypass the \
        limiter
        """,
      remedy: """
        Take the client's address from the connection, and from X-Forwarded-For only where a proxy of your own \
        appended it (count the trusted proxies from the right). Let the outermost proxy overwrite the field.
        """),
    Row(
      .limitBypassXRealIP, .error, "A request with a spoofed X-Real-IP header is admitted after the quota is used up.",
      example: """
        listLaws: a request with a spoofed X-Real-IP is admitted after the quota is used up: clients can bypass the limiter
        """,
      remedy: """
        Read X-Real-IP only in requests of a trusted proxy, and let that proxy set it always (`proxy_set_header \
        X-Real-IP $remote_addr` in nginx), so that nothing a client sends comes through.
        """),
    Row(
      .limitBypassForwarded, .error,
      "A request with a spoofed Forwarded header is admitted after the quota is used up.",
      example: """
        listLaws: a request with a spoofed Forwarded is admitted after the quota is used up: clients can bypass the limiter
        """,
      remedy: """
        Let the outermost proxy drop or replace the field Forwarded (RFC 7239 §8.1), and use only the element that it \
        has added as the client's address.
        """),
    Row(
      .limitKeySourceAddress, .error, "The limiter does not treat source addresses as the promised key says.",
      example: """
        voteLaw: another source address is admitted after the quota is used up, but the declared key is x-device-id
        """,
      remedy: """
        Take the address out of the limiter's key, or into it, as promised. If the address is to be part of it, write \
        it in the scenario: `key: [X-Device-ID, ip]`.
        """),
    Row(
      .limitKeyXForwardedFor, .error, "The limiter does not treat X-Forwarded-For as the promised key says.",
      example: """
        listLaws: another X-Forwarded-For is rejected after the quota is used up, but the declared key is \
        x-forwarded-for
        """,
      remedy: """
        See whether a proxy before the limiter replaces X-Forwarded-For, so that all clients look like one. If the key \
        is the address of the connection, write `key: ip` in the scenario.
        """),
    Row(
      .limitKeyXRealIP, .error, "The limiter does not treat X-Real-IP as the promised key says.",
      example: """
        listLaws: another X-Real-IP is rejected after the quota is used up, but the declared key is x-real-ip
        """,
      remedy: """
        See whether the limiter reads X-Real-IP at all: behind a proxy that sets it, the scenario should promise `key: \
        ip` and not the name of the header.
        """),
    Row(
      .limitKeyForwarded, .error, "The limiter does not treat Forwarded as the promised key says.",
      example: """
        listLaws: another Forwarded is rejected after the quota is used up, but the declared key is forwarded
        """,
      remedy: """
        Check that the limiter parses the field Forwarded (RFC 7239 §4) and counts by its `for=`. Many only know \
        X-Forwarded-For; then promise that header, or `key: ip`.
        """),
    Row(
      .limitKeyDeviceHeader, .error, "The limiter does not treat the device header as the promised key says.",
      example: """
        voteLaw: another X-Device-ID is rejected after the quota is used up, but the declared key is \
        x-device-id
        """,
      remedy: """
        Look which header the limiter reads, and whether a proxy removes it on the way. If devices are to share an \
        allowance, name in `key` what they share: `ip`, `token` or `global`.
        """),
    Row(
      .limitKeyAuthorization, .error, "The limiter does not treat credentials as the promised key says.",
      example: """
        submitLaw: another Authorization is rejected after the quota is used up, but the declared key is token
        """,
      remedy: """
        Run the limiter after authentication, and count by the user or token that it has found. If all users share one \
        counter, write `key: global` in the scenario.
        """),
    Row(
      .limitKeyRoute, .error, "The limiter counts spellings of one route apart.",
      example: "getLaw: another route is admitted after the quota is used up, but the declared key is x-device-id",
      remedy: """
        Normalise the path before the limiter counts: case, a slash at the end, `//`, percent-encoding. Count by the \
        route's template (`/laws/{id}`), not by the path as it was sent.
        """),
    Row(
      .limitKeyQuery, .error, "The limiter does not treat the query as the promised key says.",
      example: "listLaws: another query is admitted after the quota is used up, but the declared key is address",
      remedy: """
        Leave the query out of the limiter's key: any parameter that means nothing then gives a fresh allowance. \
        Caches in front of the limiter show the same: let them pass requests on to it.
        """),
    Row(
      .limitKeyMethod, .error, "The limiter does not treat the method as the promised key says.",
      example: "listLaws: another method is admitted after the quota is used up, but the declared key is address",
      remedy: """
        Count GET and HEAD of one route together. If each method has an allowance of its own on purpose, promise a \
        limit for each operation under `expect: limits:`.
        """),
  ]
}
