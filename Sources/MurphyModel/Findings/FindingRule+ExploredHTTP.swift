/// Kinds of findings about rules of URLs and of HTTP in an exploration.
extension FindingRule {
  static let exploredHTTPRows: [Row] = [
    Row(
      .exploreEquivalentURL, .error,
      "Two spellings of one URL, which identify the same resource, get different responses (RFC 3986 §6.2.2.2).",
      example: "getLaw: status 404 for /laws/%317, but 200 for the equivalent URL /laws/17 (RFC 3986 §6.2.2.2)",
      remedy: """
        Decode the percent-encoding of each path segment before you compare the segment or read its value. Proxies \
        and clients may encode or decode letters and digits of a path.
        """),
    Row(
      .exploreConditional, .error, "The response to a conditional request violates the rules of RFC 9110 §13.",
      example: """
        getLaw: status 304 for If-None-Match with an ETag of no resource: the client does not have this content (RFC \
        9110 §13.1.2)
        """,
      remedy: """
        For a GET with `If-None-Match`, return 304 only if the header contains the current ETag, and never 412. Ignore \
        `If-Modified-Since` if its value is not a date. Most frameworks have a function for conditional requests.
        """),
    Row(
      .exploreRange, .error, "The response to a range request violates the rules of RFC 9110 §14.",
      example: "getLaw: status 206 for Range \"bytes=0-0\" without Content-Range",
      remedy: """
        Send status 206 only with the requested bytes and their `Content-Range`. Ignore a `Range` header with an \
        unknown unit. A server that does not support ranges ignores the `Range` header and returns 200.
        """),
    Row(
      .exploreUnsafeRead, .warning, "A GET request changes data that another GET request returns (RFC 9110 §9.2.1).",
      example: "getMessage: the item has status 404 after the read readMessage, but 200 before it",
      remedy: """
        Use POST, PUT, PATCH or DELETE for requests that change data. Caches, crawlers and browsers send GET requests \
        automatically, without a decision of the user. To allow GET requests that change data, use `--off \
        explore.unsafe-read`.
        """),
    Row(
      .exploreMethodStatus, .note,
      "A path returns a status other than 405 for a method that it does not support (RFC 9110 §15.5.6).",
      example: "getLaw: status 404 for the undocumented method PATCH, but GET of the same URL succeeds",
      remedy: """
        If a path exists but does not support the method, return 405 with an `Allow` header. After a 404, a client \
        assumes that the resource does not exist. Many frameworks have an option for the status 405.
        """),
    Row(
      .exploreUndocumentedRejection, .note,
      "The contract does not document the status with which the API rejects requests without credentials.",
      example: "createItem: status 401 without credentials, which the contract does not document",
      remedy: """
        In the contract, document the status and body of the rejection for each operation with `security`. Generated \
        clients can read only documented error responses.
        """),
    Row(
      .exploreWildcard, .note,
      "A search for a wildcard of SQL (% or _) returns items that do not contain the character.",
      example: "listBooks: query q \"%\" returns 20 items, none of which contains \"%\"",
      remedy: """
        Before you use a value in `LIKE`, escape `%`, `_` and the escape character in the value. With an unescaped \
        wildcard, users find items that do not match, and a search can scan the whole table.
        """),
    Row(
      .exploreHost, .note, "A response contains a URL with the value of the request's Host header.",
      example: "createItem: the response to a request with the Host murphy.invalid has a URL with murphy.invalid",
      remedy: """
        Build URLs from a configured name of the server, or accept only known values of `Host`. If URLs contain the \
        `Host` of the request, attackers can insert links to their own host into caches and emails.
        """),
    Row(
      .exploreDeadLink, .warning,
      "A response contains a link to a resource of the API, but the resource does not exist.",
      example: "getOrder: links.invoice is /orders/31/invoices, but a GET of this URL returns 404",
      remedy: """
        Build links from the routes of the server, with the base path and the current id. Omit a link if its resource \
        does not exist, or if the user must not see the resource.
        """),
  ]
}
