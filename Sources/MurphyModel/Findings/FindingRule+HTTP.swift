/// Kinds of findings about the rules of HTTP.
extension FindingRule {
  static let httpRows: [Row] = [
    Row(
      .transportLengthAndEncoding, .error,
      "A response has both Content-Length and Transfer-Encoding (RFC 9112 §6.3).",
      example: """
        listLaws: the response has both Content-Length and Transfer-Encoding; readers differ in where it ends (RFC 9112 \
        §6.3)
        """,
      remedy: """
        Let one layer frame the body: remove `Content-Length` where the response is chunked. Two readers that disagree \
        make request smuggling possible, so mend it before the API is behind a shared proxy.
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
      "A Transfer-Encoding was not asked for, or the chunks of a body cannot be read (RFC 9112 §6.1, §7.1).",
      example: """
        listLaws: Transfer-Encoding is not `chunked` alone, and no other coding was asked for (RFC 9112 §6.1, §7.4)
        """,
      remedy: """
        Compress with `Content-Encoding`, never with `Transfer-Encoding`, and send `chunked` once: the server adds it \
        and the sizes of chunks, so a handler must not.
        """),
    Row(
      .transportSurplusBytes, .error, "Bytes came that belong to no response.",
      example: "listLaws: bytes came after the end of the response; on a shared connection they reach another user",
      remedy: """
        Make `Content-Length` the number of bytes (not of characters), and write no body in responses to HEAD or with \
        204 and 304. Otherwise the rest is read as the next response.
        """),
    Row(
      .transportContentEncoding, .error,
      "A body is not in the content coding that it names, or the request did not ask for it (RFC 9110 §8.4).",
      example: "listLaws: the body has a content coding that the request did not ask for (RFC 9110 §12.5.3)",
      remedy: """
        Name the coding that the body has, compress only what `Accept-Encoding` of the request allows, and send `Vary: \
        Accept-Encoding`; a cache that ignores it hands compressed bodies to everybody.
        """),
    Row(
      .transportHeaderBytes, .error, "A header section holds a NUL or a bare carriage return (RFC 9110 §5.5).",
      example: "listLaws: the header section holds a NUL or a bare carriage return (RFC 9110 §5.5, RFC 9112 §2.2)",
      remedy: """
        Check values before they become header fields, above all those that come from a request or a database: control \
        characters in them allow header injection.
        """),
    Row(
      .transportHeaderSyntax, .error, "A header line is not a name and a value (RFC 9112 §5).",
      example: "listLaws: a header line is not `name: value` (RFC 9112 §5)",
      remedy: """
        Look for a header that is written by hand with a line break in its value, a blank before the colon, or a name \
        with characters that are not allowed (RFC 9110 §5.1).
        """),
    Row(
      .transportHeaderFolding, .error, "A header line is folded over several lines (RFC 9112 §5.2).",
      example: "listLaws: a header line is folded over several lines, which RFC 9112 §5.2 forbids",
      remedy: """
        Write the value on one line: libraries for mail fold long lines, HTTP forbids it. Long cookies, policies or \
        certificates in headers are the usual place.
        """),
    Row(
      .transportLineEnding, .warning, "Header lines end without a carriage return (RFC 9112 §2.2).",
      example: "listLaws: lines of the header section end without a carriage return (RFC 9112 §2.2)",
      remedy: """
        End each header line with CR LF. Scripts (CGI) that print headers by themselves write a bare line feed; strict \
        clients and proxies refuse that.
        """),
    Row(
      .transportStatus, .error, "A status is not a number from 100 to 599 (RFC 9110 §15).",
      example: "listLaws: the status is not a number from 100 to 599 (RFC 9110 §15)",
      remedy: """
        Use a registered status. Numbers of the application, such as 1001 or 999, belong into the body; proxies and \
        clients treat them in different ways.
        """),
    Row(
      .transportUpgrade, .error, "The server switched protocols without having been asked to (RFC 9110 §15.2.2).",
      example: """
        listLaws: the server switched protocols (101), as to WebSocket: murphy speaks HTTP alone (RFC 9110 §15.2.2)
        """,
      remedy: """
        Switch protocols only for requests with an `Upgrade` field. If the operation is a WebSocket, let the step ask \
        for it, over HTTP/1.1: `headers: { Upgrade: websocket, Connection: Upgrade }`.
        """),
    Row(
      .transportHeaderSize, .error, "A header section or line is too long to be read.",
      example: """
        listLaws: the header or trailer section is longer than 256 KB, or a line of it than 100 KB, and was not read \
        further
        """,
      remedy: """
        Find the header that grows: cookies that are set again and again, a token with all permissions in it, \
        debugging output. Most clients and proxies stop at 8 KB to 64 KB.
        """),
    Row(
      .transportInterim, .error, "Too many interim responses came before a response.",
      example: "listLaws: more than 100 interim responses (1xx) came before a response",
      remedy: """
        Send 100 or 103 once, then the response. A loop that reports progress with 102 or 103 needs another way, such as \
        202 and a URL to poll.
        """),
    Row(
      .transportMissingAllow, .warning, "Responses have status 405 and no Allow header (RFC 9110 §15.5.6).",
      example: "12 responses of 3 operations have status 405 and no Allow header (RFC 9110 §15.5.6 requires it)",
      remedy: """
        Send `Allow` with the methods of the path in every 405, best where the router refuses, so that no handler has \
        to think of it.
        """),
    Row(
      .transportMissingChallenge, .warning,
      "Responses have status 401 and no WWW-Authenticate header (RFC 9110 §15.5.2).",
      example: """
        40 responses of 2 operations have status 401 and no WWW-Authenticate header (RFC 9110 §15.5.2 requires it)
        """,
      remedy: """
        Send `WWW-Authenticate: Bearer` (or the scheme that is used) with each 401. Where credentials are right and do \
        not suffice, 403 is the status.
        """),
    Row(
      .transportMissingDate, .note, "Responses have no Date header (RFC 9110 §6.6.1).",
      example: """
        1204 responses of 6 operations have no Date header (RFC 9110 §6.6.1), by which caches and clients tell their age
        """,
      remedy: """
        Switch the header on in the server: most write it by themselves. It needs a clock that is right; a server \
        without one may leave it out.
        """),
    Row(
      .transportLengthOfNothing, .warning, "Responses have status 204 and a Content-Length header (RFC 9110 §8.6).",
      example: "18 responses have status 204 and a Content-Length header (RFC 9110 §8.6 forbids it)",
      remedy: """
        Send 204 without `Content-Length`, also without `Content-Length: 0`, or response 200 with an empty body. Some \
        clients wait for the bytes that the header announces.
        """),
    Row(
      .transportOpenCredentials, .warning,
      "Responses allow credentials from any origin, which browsers refuse (Fetch §3.2.5).",
      example: """
        318 responses of 4 operations have Access-Control-Allow-Origin: * beside Access-Control-Allow-Credentials: true, \
        which browsers refuse for requests with credentials
        """,
      remedy: """
        Name the one origin of the request if it is on a list of allowed ones, with `Vary: Origin`; or leave the \
        credentials header out. Do not echo every origin: that opens the API to all sites.
        """),
    Row(
      .transportUnvariedCoding, .note,
      "Compressed responses do not say that they vary by Accept-Encoding (RFC 9110 §12.5.5).",
      example: """
        358 responses of 2 operations are compressed, with no Vary: Accept-Encoding: a cache may hand it to clients that \
        did not ask for it
        """,
      remedy: """
        Send `Vary: Accept-Encoding` with every response that may be compressed, also with those that are not \
        (`gzip_vary on` in nginx).
        """),
    Row(
      .transportSharedETag, .warning, "One strong ETag stands for two contents of one URL (RFC 9110 §8.8.1).",
      example: """
        4 responses have the strong ETag of another content of the same URL (RFC 9110 §8.8.1): the ETag does not tell \
        the two apart
        """,
      remedy: """
        Make the tag a hash of the bytes or a version that every change raises. Tags made of the time in seconds stay \
        the same for two changes within a second; a weak tag (`W/`) only promises the same meaning.
        """),
    Row(
      .transportRestlessETag, .note, "The ETag of a URL changes though its content does not.",
      example: """
        52 responses have another ETag for the same content of the same URL, in a sample of the responses: a cache \
        downloads that content again
        """,
      remedy: """
        Leave out of the tag what differs between servers or moments: inode, process, time of the response, order of \
        members. A hash of the body is the same everywhere.
        """),
  ]
}
