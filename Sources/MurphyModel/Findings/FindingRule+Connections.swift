/// Kinds of findings about connections and missing responses.
extension FindingRule {
  static let connectionsRows: [Row] = [
    Row(
      .transportOutage, .error, "For a stretch of the run no request was answered.",
      example: "nothing answered from 11.9 s to 14.3 s: 46 requests got no response",
      remedy: """
        Look into the API's own log at that time: a restart, a crash, a pause of the whole process, a lock. `settings: \
        { abort-after: … }` says how long a silence may last before the load ends.
        """),
    Row(
      .transportStalled, .warning, timing: true,
      "For a stretch of the run nothing was answered; what waited was answered afterwards.",
      example: "nothing answered from 4 s to 10 s: 122 requests waited and were answered afterwards",
      remedy: """
        The process stood still and went on: garbage collection, a lock that all requests take, a disk that was full \
        or slow, a full pool of database connections. Compare the time with the API's metrics.
        """),
    Row(
      .transportRefused, .error, timing: true, "The target refused a connection.",
      example: "listLaws: the target refused the connection. Is it running, and is the port right?",
      remedy: """
        Check that the API runs and listens on the address and port of `target`. If it does under light load, its \
        queue of waiting connections is full: raise the listen backlog, or accept faster.
        """),
    Row(
      .transportUnreachable, .error, timing: true, "The target could not be reached.",
      example: "listLaws: the target cannot be reached: No route to host",
      remedy: """
        Check the network between this machine and the target: route, firewall, VPN, and whether an IPv6 address is \
        announced that does not answer. The rest of the message is what the system says.
        """),
    Row(
      .transportUnresolved, .error, timing: true, "The target's name has no address.",
      example: "listLaws: the target's name has no address: Could not resolve host: api.example.test",
      remedy: """
        Check the name in `target`, or in --target, and the name servers of this machine: `getent hosts NAME` should \
        print an address. In a container the name may only be known to another network.
        """),
    Row(
      .transportConnectTimeout, .error, timing: true, "A connection was not established in time.",
      example: "listLaws: no connection within 5s",
      remedy: """
        A firewall that drops packets, or a full queue of waiting connections on the target: under load raise its \
        backlog and let it accept faster. `settings: { connect-timeout: … }` allows for a longer wait.
        """),
    Row(
      .transportTimeout, .error, timing: true, "A response did not come in time.",
      example: "listLaws: no response within 30s",
      remedy: """
        Find where the request hangs: the slow query, the lock or the upstream call in the API's log at the finding's \
        time. If an operation may take that long, raise `settings: { timeout: … }`.
        """),
    Row(
      .transportUnanswered, .error, timing: true,
      "A request was still without a response when the run ended, after longer than the run waits.",
      example: "listLaws: no response had come when the run ended, more than 10s after the request was sent",
      remedy: """
        Treat it as a timeout: the API was still working, or has lost the request. To wait for longer after the last \
        arrival, raise `settings: { grace: … }`.
        """),
    Row(
      .transportClosed, .error, timing: true, "A connection was closed before a response began.",
      example: "submitLaw: the connection was closed before a response came",
      remedy: """
        Look for a worker that crashed or was killed (memory), a proxy that reset the connection, or a limit on the \
        request's size. The server's error log has an entry at the finding's time.
        """),
    Row(
      .transportClosedEarly, .error, timing: true,
      "A connection that was kept alive was closed sooner than it may be, and a request was lost.",
      example: """
        listLaws: the server closed a kept-alive connection before it answered a request, though it had been idle for \
        less than a second, and announces no keep-alive time; the request was sent again
        """,
      remedy: """
        Close idle connections only after the announced time, and finish what came before a worker is recycled or a \
        deployment stops it. Behind a balancer, let the API keep connections for longer than the balancer does.
        """),
    Row(
      .transportClosedIdle, .warning, timing: true,
      "A connection that had been idle was closed while a request was on its way.",
      example: """
        voteLaw: the server closed an idle connection just when the request was sent. The request is not idempotent \
        and was not sent again
        """,
      remedy: """
        Raise the server's keep-alive time above the pauses of users, and announce it with `Keep-Alive: timeout=N`. A \
        client can send such a request again where an idempotency key makes that safe.
        """),
    Row(
      .transportIncomplete, .error, timing: true, "A response ended early.",
      example: "listLaws: the response ended early: the connection was closed before the end of the body",
      remedy: """
        Look for an error while the body was written (an exception in a stream, a killed worker), or for a proxy whose \
        timeout or buffer ended it. Compare `Content-Length` with what the API writes.
        """),
    Row(
      .transportBodyLimit, .warning, "A body was longer than murphy reads.",
      example: "exportLaws: the body is longer than 8 MB and was cut off there; `settings: max-body` raises the limit",
      remedy: """
        Raise `settings: { max-body: … }` if responses may be that large, so that they are checked; otherwise page the \
        response or limit its size in the API.
        """),
    Row(
      .transportNotHTTP, .error, "What came was not HTTP.",
      example: "listLaws: what came is not HTTP: Received HTTP/0.9 when not allowed",
      remedy: """
        Check scheme and port of `target`: TLS on a plain port, or another protocol on it, looks like this. Else a \
        proxy or the server wrote bytes in front of the status line.
        """),
    Row(
      .transportEncryption, .error, timing: true, "A TLS connection failed, or its certificate was not accepted.",
      example: """
        listLaws: no trusted encrypted connection: self-signed certificate in certificate chain. The scenario names a \
        test authority in `settings: { tls: { ca-file: FILE } }`
        """,
      remedy: """
        Renew or complete the server's chain of certificates; for a test authority set `settings: { tls: { ca-file: \
        FILE } }`. If the server wants a client's certificate, name `cert` and `key` there.
        """),
    Row(
      .transportExhausted, .error, timing: true, "This machine had no port, file or memory left for a request.",
      example: """
        listLaws: this machine had no free port: Cannot assign requested address. Keep connections (`client: { \
        connections: reuse }`), widen net.ipv4.ip_local_port_range, or spread users over source addresses
        """,
      remedy: """
        It is the limit of the machine that murphy runs on, and decides nothing about the API. Do what the message \
        says for ports, open files or memory, or send less load from this machine.
        """),
    Row(
      .transportReconnects, .note, timing: true,
      "The server closes most connections, so that clients open new ones.",
      example: """
        1840 of 2100 requests (87.62%) had to open a new connection, for the server had closed the one of an earlier \
        response
        """,
      remedy: """
        Switch keep-alive on in the server or proxy, with a time longer than users pause (RFC 9112 §9.3). Each new \
        connection costs a round trip, and another for TLS. `connections: reused >= 90%` makes it a promise.
        """),
    Row(
      .transportOther, .error, timing: true, "A request failed for another reason.",
      example: "listLaws: Failed writing received data to disk/application (libcurl code 23)",
      remedy: """
        Read the message: it is libcurl's own, with its code (https://curl.se/libcurl/c/libcurl-errors.html). Repeat \
        the request with the finding's command to see whether it depends on load.
        """),
  ]
}
