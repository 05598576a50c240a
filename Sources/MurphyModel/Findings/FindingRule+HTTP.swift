/// Kinds of findings about the rules of HTTP.
extension FindingRule {
  static let httpRows: [Row] = [
    Row(
      .transportLengthAndEncoding, .error, "A response has both Content-Length and Transfer-Encoding (RFC 9112 §6.3).",
      example: """
        listLaws: the response has both Content-Length and Transfer-Encoding; readers differ in where it ends (RFC \
        9112 §6.3)
        """,
      remedy: """
        Let one layer frame the body: remove `Content-Length` where the response is chunked. Two readers that disagree \
        make request smuggling possible, so fix it before the API is behind a shared proxy.
        """),
    Row(
      .transportContentLength, .error, "Content-Length is not one whole number (RFC 9112 §6.3).",
      example: "listLaws: Content-Length is not one whole number: the end of the response is unknown (RFC 9112 §6.3)",
      remedy: """
        Look for two layers that both write the header, or for one that joins two values with a comma. Let the server \
        that writes the body count its bytes.
        """),
    Row(
      .transportTransferEncoding, .error,
      "A Transfer-Encoding was not requested, or the chunks of a body cannot be read (RFC 9112 §6.1, §7.1).",
      example: """
        listLaws: Transfer-Encoding is not `chunked` alone, and no other coding was requested (RFC 9112 §6.1, §7.4)
        """,
      remedy: """
        Compress with `Content-Encoding`, never with `Transfer-Encoding`, and send `chunked` once. The server adds it \
        with the chunk sizes; a handler must not add it.
        """),
    Row(
      .transportSurplusBytes, .error, "Bytes were received that belong to no response.",
      example: """
        listLaws: bytes were received after the end of the response; on a shared connection they reach another user
        """,
      remedy: """
        Make `Content-Length` the number of bytes (not of characters), and write no body in responses to HEAD or with \
        204 and 304. Otherwise clients read the additional bytes as the next response.
        """),
    Row(
      .transportContentEncoding, .error,
      "A body is not in the coding that its header names, or the request did not accept the coding (RFC 9110 §8.4).",
      example: "listLaws: the body has a content coding that the request did not accept (RFC 9110 §12.5.3)",
      remedy: """
        Name the coding that the body has, compress only what `Accept-Encoding` of the request allows, and send `Vary: \
        Accept-Encoding`: a cache that ignores it sends compressed bodies to all clients.
        """),
    Row(
      .transportHeaderBytes, .error, "A header section contains a NUL or a bare carriage return (RFC 9110 §5.5).",
      example: "listLaws: the header section contains a NUL or a bare carriage return (RFC 9110 §5.5, RFC 9112 §2.2)",
      remedy: """
        Check values before they become headers, especially those from a request or a database: control characters in \
        them allow header injection.
        """),
    Row(
      .transportHeaderSyntax, .error, "A header line is not a name and a value (RFC 9112 §5).",
      example: "listLaws: a header line is not `name: value` (RFC 9112 §5)",
      remedy: """
        Look for a handwritten header with a line break in its value, a space before the colon, or a name with \
        characters that are not allowed (RFC 9110 §5.1).
        """),
    Row(
      .transportHeaderFolding, .error, "A header line is folded over several lines (RFC 9112 §5.2).",
      example: "listLaws: a header line is folded over several lines, which RFC 9112 §5.2 forbids",
      remedy: """
        Write the value on one line. Mail libraries fold long lines, but HTTP forbids it. Usual places are headers \
        with long cookies, policies or certificates.
        """),
    Row(
      .transportLineEnding, .warning, "Header lines end without a carriage return (RFC 9112 §2.2).",
      example: "listLaws: lines of the header section end without a carriage return (RFC 9112 §2.2)",
      remedy: """
        End each header line with CR LF. CGI scripts that print headers often write a bare line feed; strict clients \
        and proxies reject that.
        """),
    Row(
      .transportStatus, .error, "A status is not a number from 100 to 599 (RFC 9110 §15).",
      example: "listLaws: the status is not a number from 100 to 599 (RFC 9110 §15)",
      remedy: """
        Use a registered status. Numbers of the application, such as 1001 or 999, belong in the body; proxies and \
        clients treat them in different ways.
        """),
    Row(
      .transportUpgrade, .error, "The server switched protocols without a request for it (RFC 9110 §15.2.2).",
      example: """
        listLaws: the server switched protocols (101), for example to WebSocket: murphy only speaks HTTP (RFC 9110 \
        §15.2.2)
        """,
      remedy: """
        Switch protocols only for requests with an `Upgrade` header. If the operation is a WebSocket, let the step \
        request it, over HTTP/1.1: `headers: { Upgrade: websocket, Connection: Upgrade }`.
        """),
    Row(
      .transportHeaderSize, .error, "A header section or line is too long to be read.",
      example: """
        listLaws: the header or trailer section is longer than 256 KB, or one of its lines is longer than 100 KB; \
        murphy stopped reading it
        """,
      remedy: """
        Find the header that grows: cookies that are set repeatedly, a token with all permissions in it, debugging \
        output. Most clients and proxies stop at 8 KB to 64 KB.
        """),
    Row(
      .transportInterim, .error, "Too many interim responses were received before a response.",
      example: "listLaws: more than 100 interim responses (1xx) were received before a response",
      remedy: """
        Send 100 or 103 once, then the response. To report progress, use another way than a loop of 102 or 103, such \
        as 202 and a URL to poll.
        """),
    Row(
      .transportMissingAllow, .warning, "Responses have status 405 and no Allow header (RFC 9110 §15.5.6).",
      example: "12 responses of 3 operations have status 405 and no Allow header (RFC 9110 §15.5.6 requires it)",
      remedy: """
        Send `Allow` with the methods of the path in every 405, preferably in the router, so that each handler does \
        not have to send it.
        """),
    Row(
      .transportMissingChallenge, .warning,
      "Responses have status 401 and no WWW-Authenticate header (RFC 9110 §15.5.2).",
      example: """
        40 responses of 2 operations have status 401 and no WWW-Authenticate header (RFC 9110 §15.5.2 requires it)
        """,
      remedy: """
        Send `WWW-Authenticate: Bearer` (or the scheme in use) with each 401. If the credentials are valid and not \
        sufficient, use 403.
        """),
    Row(
      .transportMissingDate, .note, "Responses have no Date header (RFC 9110 §6.6.1).",
      example: """
        1204 responses of 6 operations have no Date header (RFC 9110 §6.6.1), which caches and clients need to \
        determine their age
        """,
      remedy: """
        Enable the header in the server: most servers write it automatically. It needs a correct clock; a server \
        without one may omit it.
        """),
    Row(
      .transportLengthOfNothing, .warning, "Responses have status 204 and a Content-Length header (RFC 9110 §8.6).",
      example: "18 responses have status 204 and a Content-Length header (RFC 9110 §8.6 forbids it)",
      remedy: """
        Send 204 without `Content-Length`, also without `Content-Length: 0`, or send 200 with an empty body. Some \
        clients wait for the bytes that the header announces.
        """),
    Row(
      .transportOpenCredentials, .warning,
      "Responses allow credentials from any origin, which browsers reject (Fetch §3.2.5).",
      example: """
        318 responses of 4 operations have Access-Control-Allow-Origin: * together with \
        Access-Control-Allow-Credentials: true, which browsers refuse for requests with credentials
        """,
      remedy: """
        Name the one origin of the request if it is on a list of allowed ones, with `Vary: Origin`; or omit the \
        credentials header. Do not echo every origin: that opens the API to all sites.
        """),
    Row(
      .transportUnvariedCoding, .note,
      "Compressed responses have no Vary: Accept-Encoding header (RFC 9110 §12.5.5).",
      example: """
        358 responses of 2 operations are compressed, with no Vary: Accept-Encoding: a cache may send it to clients \
        that did not request it
        """,
      remedy: """
        Send `Vary: Accept-Encoding` with every response that may be compressed, also with those that are not \
        (`gzip_vary on` in nginx).
        """),
    Row(
      .transportSharedETag, .warning, "Two contents of one URL have the same strong ETag (RFC 9110 §8.8.1).",
      example: """
        4 responses have the strong ETag of another content of the same URL (RFC 9110 §8.8.1): the ETag does not \
        distinguish the two
        """,
      remedy: """
        Make the tag a hash of the bytes or a version that every change raises. Tags made of the time in seconds stay \
        the same for two changes within a second; a weak tag (`W/`) only means that the content is equivalent.
        """),
    Row(
      .transportRestlessETag, .note, "The ETag of a URL changes although its content does not change.",
      example: """
        52 responses have another ETag for the same content of the same URL, in a sample of the responses: a cache \
        downloads that content again
        """,
      remedy: """
        Remove from the tag what differs between servers or times: inode, process, time of the response, field order. \
        A hash of the body is the same everywhere.
        """),
  ]
}
