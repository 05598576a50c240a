/// Kinds of findings about connections and missing responses.
extension FindingRule {
  static let connectionsRows: [Row] = [
    Row(
      .transportOutage, .error, "No request got a response for part of the run.",
      example: "no responses from 11.9 s to 14.3 s: 46 requests got no response",
      remedy: """
        Check the API's log for that time: a restart, a crash, a pause of the whole process, a lock. `settings: { \
        abort-after: … }` sets how long the API may be silent before the load ends.
        """),
    Row(
      .transportStalled, .warning, timing: true,
      "No request got a response for part of the run; waiting requests were answered afterwards.",
      example: "no responses from 4 s to 10 s: 122 requests waited and were answered afterwards",
      remedy: """
        The process paused and resumed. Usual reasons: garbage collection, a lock that all requests take, a disk that \
        was full or slow, a full pool of database connections. Compare the time with the API's metrics.
        """),
    Row(
      .transportRefused, .error, timing: true, "The target refused a connection.",
      example: "listLaws: the target refused the connection. Is it running, and is the port right?",
      remedy: """
        Check that the API runs and listens on the address and port of `target`. If it accepts connections under \
        light load, its queue of waiting connections is full: raise the listen backlog, or accept connections faster.
        """),
    Row(
      .transportUnreachable, .error, timing: true, "The target could not be reached.",
      example: "listLaws: the target cannot be reached: No route to host",
      remedy: """
        Check the network between this machine and the target: route, firewall, VPN, and whether an IPv6 address is \
        announced that does not respond. The rest of the message is the system's error.
        """),
    Row(
      .transportUnresolved, .error, timing: true, "The target's host name could not be resolved to an address.",
      example: "listLaws: the target's name has no address: Could not resolve host: api.example.test",
      remedy: """
        Check the name in `target`, or in --target, and the name servers of this machine: `getent hosts NAME` should \
        print an address. In a container, a name may only be known in another network.
        """),
    Row(
      .transportConnectTimeout, .error, timing: true, "A connection was not established in time.",
      example: "listLaws: no connection within 5 s",
      remedy: """
        Possible reasons: a firewall that drops packets, or a full queue of waiting connections on the target. Under \
        load raise its backlog and let it accept faster. `settings: { connect-timeout: … }` allows a longer wait.
        """),
    Row(
      .transportTimeout, .error, timing: true, "A response was not received in time.",
      example: "listLaws: no response within 30 s",
      remedy: """
        Find where the request hangs: check the API's log at the finding's time for the slow query, the lock or the \
        upstream call. If an operation may take that long, raise `settings: { timeout: … }`.
        """),
    Row(
      .transportUnanswered, .error, timing: true,
      "A request that was sent long before the end of the run had no response when the run ended.",
      example: "listLaws: no response had been received when the run ended, more than 10 s after the request was sent",
      remedy: """
        Treat it as a timeout: the API was still working, or has lost the request. To wait for longer after the last \
        arrival, raise `settings: { grace: … }`.
        """),
    Row(
      .transportClosed, .error, timing: true, "A connection was closed before a response began.",
      example: "submitLaw: the connection was closed before a response was received",
      remedy: """
        Look for a worker that crashed or was killed (memory), a proxy that reset the connection, or a limit on the \
        request's size. The server's error log has an entry at the finding's time.
        """),
    Row(
      .transportClosedEarly, .error, timing: true,
      "The server closed a kept-alive connection too early, and a request was lost.",
      example: """
        listLaws: the server closed a kept-alive connection before it answered a request, though it had been idle for \
        less than a second, and announces no keep-alive time; the request was sent again
        """,
      remedy: """
        Close idle connections only after the announced time. Finish the requests that were received before a worker \
        is recycled or a deployment stops it. Behind a balancer, let the API keep connections for longer than the \
        balancer does.
        """),
    Row(
      .transportClosedIdle, .warning, timing: true,
      "The server closed an idle connection while a request was being sent on it.",
      example: """
        voteLaw: the server closed an idle connection just when the request was sent. The request is not idempotent \
        and was not sent again
        """,
      remedy: """
        Raise the server's keep-alive time above the pauses of users, and announce it with `Keep-Alive: timeout=N`. A \
        client can repeat such a request if an idempotency key makes that safe.
        """),
    Row(
      .transportIncomplete, .error, timing: true, "A response ended early.",
      example: "listLaws: the response ended early: the connection was closed before the end of the body",
      remedy: """
        Look for an error while the body was written (an exception in a stream, a killed worker), or for a proxy whose \
        timeout or buffer ended it. Compare `Content-Length` with what the API writes.
        """),
    Row(
      .transportBodyLimit, .warning, "A response body exceeded the size limit of murphy.",
      example: "exportLaws: the body is longer than 8 MB and was cut off there; `settings: max-body` raises the limit",
      remedy: """
        If responses may be that large, raise `settings: { max-body: … }`, so that they are checked. Otherwise split \
        the response into pages, or limit its size in the API.
        """),
    Row(
      .transportNotHTTP, .error, "The received bytes were not HTTP.",
      example: "listLaws: the received bytes are not HTTP: Received HTTP/0.9 when not allowed",
      remedy: """
        Check scheme and port of `target`: TLS on a plain port, or another protocol on it, has this effect. Otherwise \
        a proxy or the server wrote bytes before the status line.
        """),
    Row(
      .transportEncryption, .error, timing: true, "A TLS connection failed, or its certificate was not accepted.",
      example: """
        listLaws: the TLS certificate of the target is not trusted: self-signed certificate in certificate chain. \
        Trust its authority with --cacert FILE, or `settings: { tls: { ca-file: FILE } }`
        """,
      remedy: """
        Renew or complete the server's certificate chain; for a test authority use `--cacert FILE`, or set `settings: \
        { tls: { ca-file: FILE } }`. If the server requires a client certificate, use `--cert` and `--key`.
        """),
    Row(
      .transportExhausted, .error, timing: true, "This machine had no port, file or memory left for a request.",
      example: """
        listLaws: this machine had no free port: Cannot assign requested address. Keep connections (`client: { \
        connections: reuse }`), widen net.ipv4.ip_local_port_range, or spread users over source addresses
        """,
      remedy: """
        This is a limit of the machine that murphy runs on, and says nothing about the API. Follow the message for \
        ports, open files or memory, or send less load from this machine.
        """),
    Row(
      .transportReconnects, .note, timing: true, "The server closes most connections, so that clients open new ones.",
      example: """
        1840 of 2100 requests (87.62%) had to open a new connection, because the server had closed the connection of \
        an earlier response
        """,
      remedy: """
        Enable keep-alive in the server or proxy, with a time longer than users pause (RFC 9112 §9.3). Each new \
        connection costs a round trip, and another for TLS. `connections: reused >= 90%` makes it a check.
        """),
    Row(
      .transportOther, .error, timing: true, "A request failed for another reason.",
      example: "listLaws: Failed writing received data to disk/application (libcurl code 23)",
      remedy: """
        Read the message: it is libcurl's own, with its code (https://curl.se/libcurl/c/libcurl-errors.html). Run the \
        finding's command to see whether the failure depends on load.
        """),
  ]
}
