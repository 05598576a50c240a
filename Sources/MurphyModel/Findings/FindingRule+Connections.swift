/// Kinds of findings about connections and missing responses.
extension FindingRule {
  static let connectionsRows: [Row] = [
    Row(
      .transportOutage, .error, "During a part of the run, no request got a response.",
      example: "no response from 11.9 s to 14.3 s: 46 requests got no response (connection refused)",
      remedy: """
        Look in the API's log for a restart, a crash, a pause or a lock during the outage. Murphy ends the load after \
        an outage of the length `settings: { abort-after: … }`. If longer outages are allowed, raise `abort-after`.
        """),
    Row(
      .transportStalled, .warning, timing: true,
      "During a part of the run, the API sent no response, but responded to the waiting requests afterwards.",
      example: "no responses from 4 s to 10 s: 122 requests waited and were answered afterwards",
      remedy: """
        In the API's metrics, look for a garbage collection or a lock at the time of the pause. Also check whether a \
        disk was slow or full, and whether all database connections were in use.
        """),
    Row(
      .transportRefused, .error, timing: true, "The target refused a TCP connection.",
      example: "listLaws: the target refused the connection. Is the target running, and is the port correct?",
      remedy: """
        Check that the API runs, and that it listens on the address and port of `target:`. If the target refuses \
        connections only under high load, its queue of new connections (listen backlog) is full. Raise the target's \
        listen backlog, or accept connections faster.
        """),
    Row(
      .transportUnreachable, .error, timing: true, "Murphy could not reach the target over the network.",
      example: "listLaws: the target cannot be reached: No route to host",
      remedy: """
        Check the routes, the firewall and the VPN between murphy's machine and the target. If the target has an IPv6 \
        address, check that the API responds on the IPv6 address. The message of the finding ends with the error of \
        the operating system.
        """),
    Row(
      .transportUnresolved, .error, timing: true,
      "Murphy could not resolve the host name of the target to an IP address.",
      example: "listLaws: cannot resolve the host name of the target: Could not resolve host: api.example.test",
      remedy: """
        Check the host name in `target:` or `--target`. On murphy's machine, run `getent hosts` with the host name, \
        and check that the command prints an address. If murphy runs in a container, check that the container's name \
        server knows the host name.
        """),
    Row(
      .transportConnectTimeout, .error, timing: true, "The target did not accept a connection within the time limit.",
      example: "listLaws: no connection within 5 s",
      remedy: """
        Check whether a firewall drops packets to the target. If connections time out only under high load, raise the \
        target's listen backlog, or accept connections faster. To wait longer for a connection, raise `settings: { \
        connect-timeout: … }`.
        """),
    Row(
      .transportTimeout, .error, timing: true, "A request got no complete response within the time limit.",
      example: "listLaws: no response within 30 s",
      remedy: """
        In the API's log at the time of the finding, look for the cause of the slow response. Usual causes of a \
        timeout are a slow query, a lock, and a slow request to another service. If an operation may take longer, \
        raise `settings: { timeout: … }`.
        """),
    Row(
      .transportUnanswered, .error, timing: true,
      "A request had no response at the end of the run, although it was sent long before the end.",
      example: "listLaws: no response had been received when the run ended, more than 10 s after the request was sent",
      remedy: """
        Treat this finding as a timeout: the API was still working on the request, or had lost the request. To give \
        requests more time after the end of the load, raise `settings: { grace: … }`.
        """),
    Row(
      .transportClosed, .error, timing: true,
      "A connection was closed after a request was sent, and before the response began.",
      example: "submitLaw: the connection was closed before a response was received",
      remedy: """
        Look in the server's error log at the time of the finding. Check whether a worker process crashed or ran out \
        of memory. Check whether a proxy reset the connection, and whether the request was too large for the server.
        """),
    Row(
      .transportClosedEarly, .error, timing: true,
      "The server closed a keep-alive connection too early, and a request on the connection was lost.",
      example: """
        listLaws: the server closed a kept-alive connection before it responded to a request, although the connection \
        had been idle for less than 1 s (the server announces no keep-alive time); murphy sent the request again
        """,
      remedy: """
        Close an idle connection only after the announced keep-alive time. Before a deployment stops a worker process, \
        let the process finish all received requests. If the API is behind a load balancer, give the API a longer \
        keep-alive time than the load balancer has.
        """),
    Row(
      .transportClosedIdle, .warning, timing: true,
      "The server closed an idle connection while murphy sent a request on it.",
      example: """
        voteLaw: the server closed an idle connection while murphy sent the request. The request is not idempotent, so \
        murphy did not send it again
        """,
      remedy: """
        Set the server's keep-alive time longer than the pauses between a user's requests. Announce the keep-alive \
        time in the header `Keep-Alive: timeout=N`. Support an idempotency key, so that clients can safely repeat a \
        lost request.
        """),
    Row(
      .transportIncomplete, .error, timing: true, "A response ended before its body was complete.",
      example: "listLaws: the response ended early: the connection was closed before the end of the body",
      remedy: """
        Look for an error that occurred while the server wrote the body, such as an exception or a killed worker \
        process. Check the timeout and the buffer size of each proxy. Compare `Content-Length` with the number of \
        bytes that the API writes.
        """),
    Row(
      .transportBodyLimit, .warning, "A response body exceeded murphy's size limit.",
      example: """
        exportLaws: the body is longer than 8 MB, so murphy did not read the rest; to raise the limit, set `settings: \
        max-body`
        """,
      remedy: """
        If larger response bodies are allowed, raise `settings: { max-body: … }`, so that murphy checks the whole \
        body. To get smaller bodies, split the response into pages, or limit the size of the body in the API.
        """),
    Row(
      .transportNotHTTP, .error, "The bytes that murphy received were not an HTTP response.",
      example: "listLaws: the received bytes are not HTTP: Received HTTP/0.9 when not allowed",
      remedy: """
        Check the scheme and the port of `target:`. The port of the target may expect TLS or another protocol. If \
        scheme and port are right, check whether a proxy or the server sends bytes before the status line.
        """),
    Row(
      .transportEncryption, .error, timing: true,
      "A TLS connection failed, or murphy did not accept the server's certificate.",
      example: """
        listLaws: the TLS certificate of the target is not trusted: self-signed certificate in certificate chain. To \
        trust its certificate authority, use --cacert FILE, or `settings: { tls: { ca-file: FILE } }`
        """,
      remedy: """
        Renew the server's certificate, or complete its certificate chain. To trust a test authority, use `--cacert \
        FILE`, or set `settings: { tls: { ca-file: FILE } }`. If the server requires a client certificate, name its \
        files with `--cert` and `--key`.
        """),
    Row(
      .transportExhausted, .error, timing: true,
      "The machine on which murphy runs had no free port, no free file descriptor or too little memory.",
      example: """
        listLaws: this machine had no free port: Cannot assign requested address. Reuse connections (`client: { \
        connections: reuse }`), widen net.ipv4.ip_local_port_range, or spread users over several source addresses
        """,
      remedy: """
        Follow the advice in the finding's message, or send less load from this machine. The cause of this finding is \
        the machine on which murphy runs, and not the API.
        """),
    Row(
      .transportReconnects, .note, timing: true,
      "The server closes most connections after a response, so clients must open new connections.",
      example: """
        1,840 of 2,100 requests (87.62%) had to open a new connection, because the server had closed the earlier \
        connection
        """,
      remedy: """
        Enable keep-alive in the server or proxy, for longer than the pauses between a user's requests (RFC 9112 \
        §9.3). Each new connection costs one round trip, and TLS costs another round trip. To require reused \
        connections, write `connections: reused >= 90%` under `expect:`.
        """),
    Row(
      .transportOther, .error, timing: true, "A request failed for a reason that no other kind of finding describes.",
      example: "listLaws: Failed writing received data to disk/application (libcurl code 23)",
      remedy: """
        Look up the message of the finding and its code in the list of libcurl errors \
        (https://curl.se/libcurl/c/libcurl-errors.html). Run the command of the finding to see whether the request \
        also fails without load.
        """),
  ]
}
