/// Kinds of findings about the rules of HTTP.
extension FindingRule {
  static let httpRows: [Row] = [
    Row(
      .transportLengthAndEncoding, .error, "A response has both Content-Length and Transfer-Encoding (RFC 9112 §6.3).",
      example: """
        listLaws: the response has both Content-Length and Transfer-Encoding, so clients may disagree on its end (RFC \
        9112 §6.3)
        """,
      remedy: """
        Remove `Content-Length` from chunked responses, so that only one header marks the end of the body. Fix this \
        fault before you put a shared proxy in front of the API. If a proxy and a client disagree about the end of a \
        response, request smuggling is possible.
        """),
    Row(
      .transportContentLength, .error, "The value of Content-Length is not a single integer (RFC 9112 §6.3).",
      example: """
        listLaws: Content-Length is not a single integer, so the end of the response is unknown (RFC 9112 §6.3)
        """,
      remedy: """
        Look for two programs that both write `Content-Length`, or for a proxy that joins two values with a comma. Let \
        the program that writes the body also compute `Content-Length`.
        """),
    Row(
      .transportTransferEncoding, .error,
      "A response has a Transfer-Encoding that the request did not allow, or unreadable chunks (RFC 9112 §6.1, §7.1).",
      example: """
        listLaws: Transfer-Encoding is not exactly `chunked`, and the request did not allow other codings (RFC 9112 \
        §6.1, §7.4)
        """,
      remedy: """
        Declare a compression in `Content-Encoding`, and never in `Transfer-Encoding`. Let the HTTP server write \
        `Transfer-Encoding: chunked` and the chunk sizes. Do not set `Transfer-Encoding` in the API's own code.
        """),
    Row(
      .transportSurplusBytes, .error, "The server sent bytes that belong to no response.",
      example: """
        listLaws: the server sent bytes after the end of the response; on a shared connection, another user would \
        receive them
        """,
      remedy: """
        Set `Content-Length` to the number of bytes in the body, and not to the number of characters. Send no body in \
        a response to HEAD, or in a response with status 204 or 304. Clients read surplus bytes as the start of the \
        next response.
        """),
    Row(
      .transportContentEncoding, .error,
      "The body does not have the declared Content-Encoding, or the request did not accept the coding (RFC 9110 §8.4).",
      example: "listLaws: the body has a content coding that the request did not accept (RFC 9110 §12.5.3)",
      remedy: """
        Write the actual coding of the body in `Content-Encoding`. Use only a coding that the request's \
        `Accept-Encoding` allows. Send `Vary: Accept-Encoding`, so that caches do not send compressed bodies to \
        clients that cannot read them.
        """),
    Row(
      .transportHeaderBytes, .error,
      "The headers contain a NUL byte, or a carriage return without a line feed (RFC 9110 §5.5).",
      example: """
        listLaws: the header section contains a NUL byte, or a carriage return without a line feed (RFC 9110 §5.5, RFC \
        9112 §2.2)
        """,
      remedy: """
        Remove control characters from each value that you send in a header, especially from values of a request or a \
        database. If header values can contain control characters, attackers can inject headers.
        """),
    Row(
      .transportHeaderSyntax, .error,
      "A header line of a response does not consist of a name, a colon and a value (RFC 9112 §5).",
      example: "listLaws: a header line is not `name: value` (RFC 9112 §5)",
      remedy: """
        Look for a header that the API's own code writes as text. Check whether a header value contains a line break. \
        Check whether a header name contains a forbidden character, or a space before the colon (RFC 9110 §5.1).
        """),
    Row(
      .transportHeaderFolding, .error, "A response header is folded over several lines (RFC 9112 §5.2).",
      example: "listLaws: a header line is folded over several lines, which RFC 9112 §5.2 forbids",
      remedy: """
        Write the value of each header on one line. Check headers with long cookies, policies or certificates. Do not \
        use a mail library for HTTP headers: mail libraries fold long lines, and HTTP forbids folded lines.
        """),
    Row(
      .transportLineEnding, .warning,
      "Header lines of a response end with a line feed, but without a carriage return (RFC 9112 §2.2).",
      example: "listLaws: lines of the header section end without a carriage return (RFC 9112 §2.2)",
      remedy: """
        End each header line with CR LF (carriage return and line feed). Check CGI scripts that print headers, because \
        CGI scripts often end lines with LF only. Strict clients and proxies reject header lines that end with LF only.
        """),
    Row(
      .transportStatus, .error, "The status of a response is not a number from 100 to 599 (RFC 9110 §15).",
      example: "listLaws: the status is not a number from 100 to 599 (RFC 9110 §15)",
      remedy: """
        Send a registered HTTP status. Send application-specific codes, such as 1001 or 999, in the body. Proxies and \
        clients handle unknown statuses in different ways.
        """),
    Row(
      .transportUpgrade, .error,
      "The server switched protocols, although the request did not ask for another protocol (RFC 9110 §15.2.2).",
      example: """
        listLaws: the server switched protocols (101), for example to WebSocket, but murphy supports only HTTP (RFC \
        9110 §15.2.2)
        """,
      remedy: """
        Switch protocols only for requests with an `Upgrade` header. For a WebSocket, send the request over HTTP/1.1, \
        and add `headers: { Upgrade: websocket, Connection: Upgrade }` to the step.
        """),
    Row(
      .transportHeaderSize, .error, "The headers of a response, or a single header line, exceed murphy's size limit.",
      example: """
        listLaws: the header or trailer section is longer than 256 KB, or one of its lines is longer than 100 KB; \
        murphy stopped reading it
        """,
      remedy: """
        Find the large header, for example a cookie that is set repeatedly, a token that contains all permissions, or \
        debugging output. Most clients and proxies accept only 8 KB to 64 KB of headers.
        """),
    Row(
      .transportInterim, .error, "A request got too many interim responses (1xx) before its final response.",
      example: "listLaws: more than 100 interim responses (1xx) were received before a response",
      remedy: """
        Send status 100 or 103 at most once, and then the final response. To report progress, return 202 with a URL \
        that clients can poll. Do not send status 102 or 103 repeatedly.
        """),
    Row(
      .transportMissingAllow, .warning, "Responses with status 405 have no Allow header (RFC 9110 §15.5.6).",
      example: "12 responses of 3 operations have status 405 and no Allow header (RFC 9110 §15.5.6 requires it)",
      remedy: """
        In every response with status 405, send the `Allow` header with the methods of the path. Add the `Allow` \
        header in the router, so that no handler has to send it.
        """),
    Row(
      .transportMissingChallenge, .warning,
      "Responses with status 401 have no WWW-Authenticate header (RFC 9110 §15.5.2).",
      example: """
        40 responses of 2 operations have status 401 and no WWW-Authenticate header (RFC 9110 §15.5.2 requires it)
        """,
      remedy: """
        Send `WWW-Authenticate` with each status 401, for example `WWW-Authenticate: Bearer`. If the credentials are \
        valid but do not allow the request, return 403.
        """),
    Row(
      .transportMissingDate, .note, "Responses have no Date header (RFC 9110 §6.6.1).",
      example: """
        1204 responses of 6 operations have no Date header (RFC 9110 §6.6.1), which caches and clients need to \
        determine their age
        """,
      remedy: """
        Enable the `Date` header: most servers have an option for this header. Set the clock of the server correctly. \
        Only a server without a clock may omit the `Date` header.
        """),
    Row(
      .transportLengthOfNothing, .warning, "Responses with status 204 have a Content-Length header (RFC 9110 §8.6).",
      example: "18 responses have status 204 and a Content-Length header (RFC 9110 §8.6 forbids it)",
      remedy: """
        Send status 204 without `Content-Length`, not even `Content-Length: 0`, or send status 200 with an empty body. \
        Some clients wait for the bytes that `Content-Length` announces.
        """),
    Row(
      .transportOpenCredentials, .warning,
      "Responses allow requests with credentials from any origin, so browsers reject the responses (Fetch §3.2.5).",
      example: """
        318 responses of 4 operations have Access-Control-Allow-Origin: * and Access-Control-Allow-Credentials: true, \
        which browsers reject for requests with credentials
        """,
      remedy: """
        If the request's origin is allowed, send the origin in `Access-Control-Allow-Origin`, with `Vary: Origin`. If \
        credentials are not needed, remove `Access-Control-Allow-Credentials`. Do not send back every origin, because \
        this opens the API to all sites.
        """),
    Row(
      .transportUnvariedCoding, .note, "Compressed responses have no Vary: Accept-Encoding header (RFC 9110 §12.5.5).",
      example: """
        358 responses of 2 operations are compressed, with no Vary: Accept-Encoding: a cache may send it to clients \
        that did not request it
        """,
      remedy: """
        Send `Vary: Accept-Encoding` with the compressed and the uncompressed responses of a URL. In nginx, write \
        `gzip_vary on`.
        """),
    Row(
      .transportSharedETag, .warning, "One URL had two different contents with the same strong ETag (RFC 9110 §8.8.1).",
      example: """
        4 responses have the same strong ETag as different content of the same URL (RFC 9110 §8.8.1): the ETag does \
        not distinguish the two
        """,
      remedy: """
        Compute the ETag from a hash of the body, or from a version number that every change raises. Do not compute \
        the ETag from a time in seconds, because two changes within a second get one ETag. If two contents are \
        equivalent, send a weak ETag (`W/`).
        """),
    Row(
      .transportRestlessETag, .note, "The ETag of a URL changes although its content does not change.",
      example: """
        52 responses have a different ETag for the same content of the same URL, in a sample of the responses: a cache \
        downloads the content again
        """,
      remedy: """
        Compute the ETag from a hash of the body, because the hash is the same on all servers. Do not use values that \
        differ between servers or times, such as the inode, the process id or the response time.
        """),
  ]
}
