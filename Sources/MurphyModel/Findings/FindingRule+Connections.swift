/// Kinds of findings about connections and missing responses.
extension FindingRule {
  static let connectionsRows: [Row] = [
    Row(
      .transportOutage, .error, "During part of the run, no request got a response.",
      example: "no responses from 11.9 s to 14.3 s: 46 requests got no response",
      remedy: """
        Check the API's log for that time: a restart, a crash, a pause of the whole process, a lock. To let the API be \
        silent for longer before the load ends, raise `settings: { abort-after: … }`.
        """),
    Row(
      .transportStalled, .warning, timing: true,
      "During part of the run, no request got a response. Afterwards the API responded to the waiting requests.",
      example: "no responses from 4 s to 10 s: 122 requests waited and were answered afterwards",
      remedy: """
        Compare the time with the API's metrics. Usual causes of such a pause: garbage collection, a lock that all \
        requests take, a slow or full disk, a full pool of database connections.
        """),
    Row(
      .transportRefused, .error, timing: true, "The target refused a connection.",
      example: "listLaws: the target refused the connection. Is it running, and is the port right?",
      remedy: """
        Check that the API runs and listens on the address and port of `target`. If the target accepts connections \
        under light load, its queue of new connections is full: raise the listen backlog, or accept connections \
        faster.
        """),
    Row(
      .transportUnreachable, .error, timing: true, "The target could not be reached.",
      example: "listLaws: the target cannot be reached: No route to host",
      remedy: """
        Check the network between this machine and the target: route, firewall, VPN. If the target has an IPv6 \
        address, check that this address responds. The end of the message is the error of the operating system.
        """),
    Row(
      .transportUnresolved, .error, timing: true, "The host name of the target has no address.",
      example: "listLaws: the target's name has no address: Could not resolve host: api.example.test",
      remedy: """
        Check the host name in `target` or `--target`. Check the name servers of this machine: `getent hosts NAME` \
        should print an address. In a container, check that its network knows the host name.
        """),
    Row(
      .transportConnectTimeout, .error, timing: true, "The target did not accept a connection in time.",
      example: "listLaws: no connection within 5 s",
      remedy: """
        Check for a firewall that drops packets. If the error occurs only under load, raise the listen backlog of the \
        target, or accept connections faster. To wait for longer, raise `settings: { connect-timeout: … }`.
        """),
    Row(
      .transportTimeout, .error, timing: true, "A request got no response in time.",
      example: "listLaws: no response within 30 s",
      remedy: """
        Check the API's log at the time of the finding: look for a slow query, a lock, or a slow request to another \
        service. If an operation may take that long, raise `settings: { timeout: … }`.
        """),
    Row(
      .transportUnanswered, .error, timing: true,
      "A request had no response when the run ended, although it was sent long before.",
      example: "listLaws: no response had been received when the run ended, more than 10 s after the request was sent",
      remedy: """
        Treat this finding as a timeout: the API was still working, or it lost the request. To wait for longer after \
        the last arrival of a session, raise `settings: { grace: … }`.
        """),
    Row(
      .transportClosed, .error, timing: true, "A connection was closed before its response began.",
      example: "submitLaw: the connection was closed before a response was received",
      remedy: """
        Check the server's error log at the time of the finding. Look for a worker process that crashed or ran out of \
        memory. Check whether a proxy reset the connection, and whether the request was too large.
        """),
    Row(
      .transportClosedEarly, .error, timing: true,
      "The server closed a keep-alive connection too early, and a request was lost.",
      example: """
        listLaws: the server closed a kept-alive connection before it answered a request, though it had been idle for \
        less than a second, and announces no keep-alive time; the request was sent again
        """,
      remedy: """
        Close idle connections only after the announced time. Finish the received requests before a deployment stops a \
        worker process. Behind a load balancer, give the API a longer keep-alive time than the load balancer has.
        """),
    Row(
      .transportClosedIdle, .warning, timing: true,
      "The server closed an idle connection while murphy sent a request on it.",
      example: """
        voteLaw: the server closed an idle connection just when the request was sent. The request is not idempotent \
        and was not sent again
        """,
      remedy: """
        Raise the server's keep-alive time above the pauses of users, and announce it with `Keep-Alive: timeout=N`. \
        Support an idempotency key, so that clients can repeat such a request safely.
        """),
    Row(
      .transportIncomplete, .error, timing: true, "A response ended before its body was complete.",
      example: "listLaws: the response ended early: the connection was closed before the end of the body",
      remedy: """
        Look for an error while the server wrote the body: an exception in a stream, or a killed worker process. Check \
        the timeout and the buffer of the proxy. Compare `Content-Length` with the length that the API writes.
        """),
    Row(
      .transportBodyLimit, .warning, "A response body exceeded murphy's size limit.",
      example: "exportLaws: the body is longer than 8 MB and was cut off there; `settings: max-body` raises the limit",
      remedy: """
        If responses may be that large, raise `settings: { max-body: … }`: then murphy checks the whole body. \
        Otherwise split the response into pages, or limit its size in the API.
        """),
    Row(
      .transportNotHTTP, .error, "The received bytes were not HTTP.",
      example: "listLaws: the received bytes are not HTTP: Received HTTP/0.9 when not allowed",
      remedy: """
        Check scheme and port of `target`: the port may expect TLS or another protocol. If both are right, check \
        whether a proxy or the server writes bytes before the status line.
        """),
    Row(
      .transportEncryption, .error, timing: true, "A TLS connection failed, or murphy did not accept the certificate.",
      example: """
        listLaws: the TLS certificate of the target is not trusted: self-signed certificate in certificate chain. \
        Trust its authority with --cacert FILE, or `settings: { tls: { ca-file: FILE } }`
        """,
      remedy: """
        Renew or complete the server's certificate chain. To trust a test authority, use `--cacert FILE`, or set \
        `settings: { tls: { ca-file: FILE } }`. If the server requires a client certificate, use `--cert` and `--key`.
        """),
    Row(
      .transportExhausted, .error, timing: true,
      "The machine on which murphy runs had no free port, file or memory for a request.",
      example: """
        listLaws: this machine had no free port: Cannot assign requested address. Keep connections (`client: { \
        connections: reuse }`), widen net.ipv4.ip_local_port_range, or spread users over source addresses
        """,
      remedy: """
        Follow the message for ports, open files or memory, or send less load from this machine. The finding is about \
        the machine on which murphy runs, and not about the API.
        """),
    Row(
      .transportReconnects, .note, timing: true, "The server closes most connections, so clients must open new ones.",
      example: """
        1840 of 2100 requests (87.62%) had to open a new connection, because the server had closed the connection of \
        an earlier response
        """,
      remedy: """
        Enable keep-alive in the server or proxy, for longer than users pause (RFC 9112 §9.3). Each new connection \
        costs one round trip, and TLS costs another one. To require reuse, declare `connections: reused >= 90%`.
        """),
    Row(
      .transportOther, .error, timing: true, "A request failed for a reason that no other kind of finding describes.",
      example: "listLaws: Failed writing received data to disk/application (libcurl code 23)",
      remedy: """
        Look up the message and its code in the list of libcurl errors \
        (https://curl.se/libcurl/c/libcurl-errors.html). Run the command of the finding to see whether the failure \
        depends on load.
        """),
  ]
}
