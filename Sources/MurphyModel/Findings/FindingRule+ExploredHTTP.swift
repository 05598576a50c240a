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
      .exploreConditional, .error, "The response to a conditional request violates RFC 9110 §13.",
      example: "getLaw: status 304 for If-None-Match with an ETag that the resource never had",
      remedy: """
        For GET, return 304 only if `If-None-Match` contains the current ETag, and never 412. Ignore \
        `If-Modified-Since` if its value is not a date. Most frameworks have a function for these rules.
        """),
    Row(
      .exploreRange, .error, "The response to a range request violates RFC 9110 §14.",
      example: "getLaw: status 206 for \"bytes=0-0\" without Content-Range",
      remedy: """
        Send 206 only with the requested bytes and their `Content-Range`. Ignore a `Range` header with an unknown \
        unit. Servers without support for ranges ignore the header and return 200.
        """),
    Row(
      .exploreUnsafeRead, .warning, "A GET request changes data that another read returns (RFC 9110 §9.2.1).",
      example: "readMessage: after this GET, getMessage returns 404, and returned 200 before",
      remedy: """
        Use POST, PUT, PATCH or DELETE for requests that change data. Caches, crawlers and browsers send or repeat GET \
        requests without a decision of the user. To accept the change, use `--off explore.unsafe-read`.
        """),
    Row(
      .exploreMethodStatus, .note,
      "A path returns a status other than 405 for a method that it does not support (RFC 9110 §15.5.6).",
      example: "getLaw: status 404 for PATCH, which is not documented, but GET of the same URL succeeds",
      remedy: """
        Return 405 with an `Allow` header if the path exists and the method does not. With 404, a client assumes that \
        the resource does not exist. Many frameworks have an option for this.
        """),
    Row(
      .exploreUndocumentedRejection, .note, "The contract does not document the rejection of missing credentials.",
      example: "createItem: status 401 without credentials, which the contract does not document",
      remedy: """
        Add the status and its body to the responses of each operation with `security`. Generated clients then can \
        read the error.
        """),
    Row(
      .exploreWildcard, .note, "A search returns all items for a string that is a wildcard in SQL.",
      example: "listBooks: query q \"%\" returns 20 items, none of which contains \"%\"",
      remedy: """
        Escape `%`, `_` and the escape character in a value before you use it in `LIKE`. Otherwise users find items \
        that do not match, and one character can cause a scan of the whole table.
        """),
    Row(
      .exploreHost, .note, "The response contains the value of the request's Host header in a URL.",
      example: "createItem: the response to a request with the Host murphy.invalid has a URL with murphy.invalid",
      remedy: """
        Build URLs from a configured name of the server, or accept only known values of `Host`. Otherwise attackers \
        can store links to their own host in caches and mails.
        """),
    Row(
      .exploreDeadLink, .warning, "A response contains a link to the API itself that leads to no resource.",
      example: "getOrder: links.invoice is /orders/31/invoices, but a GET of this URL returns 404",
      remedy: """
        Build links from the routes of the server, with the base path and the current id. Omit a link if its resource \
        does not exist, or if the user must not see the resource.
        """),
  ]
}
