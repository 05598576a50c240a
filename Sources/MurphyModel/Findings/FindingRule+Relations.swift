/// Kinds of findings about requests and their responses.
extension FindingRule {
  static let relationsRows: [Row] = [
    Row(
      .relationPageSize, .error, "A page has more items than requested.",
      example: "listLaws: 30 items were received, and at most 25 were requested",
      remedy: """
        Apply the limit in the query that reads the rows, after all joins. If the server may send more than requested, \
        write `page-size: off` under `expect: relations: listLaws:`.
        """),
    Row(
      .relationEcho, .error, "A response reports a different limit, offset or page than the request has.",
      example: "listLaws: limit is 100, and 25 was requested",
      remedy: """
        Return the requested values in the response, or document the limit's `maximum` and `default` if the server \
        reduces it. If a page only reports its own default, switch the check off with `echo: off`.
        """),
    Row(
      .relationTotal, .error, "The total of a collection contradicts its pages, or changes without a write.",
      example: "listLaws: the total was 412, then 398, and this run wrote nothing in between",
      remedy: """
        Count with the same filters and in the same transaction as the rows. If the total is an estimate, write \
        `total: off`; if it counts all rows whatever the filters are, `total: all`.
        """),
    Row(
      .relationLastPage, .error, "The number of the last page does not follow from the total.",
      example: "listContacts: the reported last page is 16, and a total of 412 with 25 a page makes 17",
      remedy: """
        Divide the total by the page size and round up, with the size that the pages have. If pages are counted from \
        0, the field has another meaning: write `last-page: off`.
        """),
    Row(
      .relationShortPage, .error, "A page before the last has fewer items than requested.",
      example: """
        listLaws: 22 of 25 requested items were received, though the total is 412 and the page begins after 50 items
        """,
      remedy: """
        Filter in the query, not after it: rows that are dropped after `LIMIT` make pages short, and clients take a \
        short page for the last one. If that is allowed, write `short-page: off`.
        """),
    Row(
      .relationRepeats, .error, "An item is listed twice, on one page or on two.",
      example: "listLaws: the page after 50 items repeats items of the page after 25",
      remedy: """
        Sort by a unique key: add the id as the last key of the order, so that equal rows do not change places between \
        two pages. If lists are random, write `repeats: off`.
        """),
    Row(
      .relationSkips, .error, "Pages omit items, or end too early.",
      example: "listLaws: all pages together show 409 items, and the total is 412",
      remedy: """
        Give the order a unique last key, and check that offset and limit are applied after filtering. If items may be \
        missing, such as hidden ones, count the total without them, or write `skips: off`.
        """),
    Row(
      .relationOrder, .error, "Items are not sorted as requested.",
      example: """
        listLaws: created_at 2026-11-20T10:00:00Z comes after 2026-11-21T08:30:00Z, and ascending order was requested
        """,
      remedy: """
        Sort in the database, over all rows, by the displayed value and with its type: numbers sorted as strings put \
        10 before 9. If a value of the parameter means something else, write `sort: { popular: off }`, or the sum that \
        it sorts by.
        """),
    Row(
      .relationFilter, .error, "An item does not have the value that the request filters by.",
      example: "listLaws: an item has category_id 5, and 3 was requested",
      remedy: """
        Check that the parameter reaches the query and that caches have it in their key. If the parameter means \
        something else than the field of its name, switch it off: `filters: { category_id: off }`.
        """),
    Row(
      .relationFiltersTogether, .error, "Combined filters match neither AND nor OR semantics.",
      example: """
        listLaws: one filter alone gives a total of 12, together with another 40, and elsewhere fewer: neither "and" \
        nor "or" does that
        """,
      remedy: """
        Join all filters with AND, with parentheses around each OR. If filters do not narrow each other, write \
        `filters-together: off`.
        """),
    Row(
      .relationIdentity, .error, "The response contains a different item than the requested one.",
      example: "getLaw: wrong item returned: id 42 was requested, and id 17 came",
      remedy: """
        Look for a cache whose key lacks the id, or for state that requests share (a global variable, a reused \
        buffer). If the id in the path may be another name of the item, write `identity: off`.
        """),
    Row(
      .relationExchanged, .error, "Responses of concurrent requests were exchanged.",
      example: """
        getLaw: responses of concurrent requests were exchanged: id 42 was requested, and id 17 came, for which \
        another request was waiting
        """,
      remedy: """
        Requests share something that each should own: a variable of the process, a connection to the database without \
        a lock, a buffer of a pool. Users see each other's data: fix it before anything else.
        """),
    Row(
      .relationParent, .error, "Items are listed below a resource that they do not belong to.",
      example: "listNotes: all 12 items have contact_id 9, and contactId 7 was requested",
      remedy: """
        Filter the nested list by the parent in the path, and check that the caller may see that parent. If items may \
        belong to several parents, write `parent: off`.
        """),
    Row(
      .relationCounts, .warning, "A count in an item differs from the number of items listed below it.",
      example: "getContact: number_of_notes is 4, and the total of the list is 6",
      remedy: """
        Compute the count from the same rows and with the same filters as the list, or update it in the transaction \
        that adds or removes a row. If it counts something else, write `counts: off`.
        """),
    Row(
      .relationSearch, .error, "A search returns the same items as no search, or more items for a longer word.",
      example: "listLaws: q=zzqx and every other search return the same 25 items as no search",
      remedy: """
        Check that the parameter has the name that the API reads: unknown ones are often ignored. If a longer word may \
        find more, omit `search: narrows`; `search: off` switches the whole check off.
        """),
    Row(
      .relationCursor, .error, "A cursor does not lead to new items, repeats, or ends too early.",
      example: "pullEntries: no more items are announced, but the next request returns 3 new items",
      remedy: """
        Make the cursor from the last row that was sent, with a unique last key. To set `has_more`, read one row more \
        than the page shows. A cursor that is a time must be the time of the last row, not of the response.
        """),
    Row(
      .relationListItem, .error, "List and detail representations of an item differ.",
      example: "listLaws: upvotes of one item is 16 in the list and 17 in its own response",
      remedy: """
        Let both read from one place, or invalidate the list's cache when the item changes. If the list shows a field \
        differently on purpose, write `list-vs-item: { ignore: [upvotes] }`; for a delay write `stale: 1s`.
        """),
    Row(
      .relationOneSided, .note, "List and detail representations of items have different fields.",
      example: "listLaws: the list and getLaw: 2 fields are in only one of them: downvotes, upvotes",
      remedy: """
        If the list shows less on purpose, do nothing: murphy compares only the fields that both have. Name fields \
        that differ on purpose with `list-vs-item: { ignore: [upvotes] }`.
        """),
    Row(
      .relationNext, .error, "A link leads to a different page than the one it names, or to no page.",
      example: "listContacts: the link to the next page has page=2, and the next page has page=3",
      remedy: """
        Build the link from the request's own parameters, with all filters and the size, and set it to null only on \
        the last page. If it leads elsewhere on purpose, write `next: off`.
        """),
    Row(
      .relationETag, .error, "An ETag stays the same although the content changed.",
      example: "getLaw: two different contents have the same strong ETag",
      remedy: """
        Compute the tag from the content or its version, not from the id or the second of the last change. \
        Representations that differ only in coding or form need different tags, or weak tags (`W/`).
        """),
    Row(
      .relationNotModified, .error,
      "The response to a conditional request does not match the current content (RFC 9110 §13.1.2).",
      example: "getLaw: a request with the current ETag returns 200 with the whole content",
      remedy: """
        Compare If-None-Match with the current tag, weakly (without `W/`, RFC 9110 §8.8.3.2), and return 304 without a \
        body. A proxy that compresses may have changed the tag. To accept it, write `not-modified: off`.
        """),
    Row(
      .relationHead, .error, "HEAD and GET responses differ (RFC 9110 §9.3.2).",
      example: "getLaw: HEAD returns 404, but GET 200",
      remedy: """
        Route HEAD to the handler of GET and drop the body; most frameworks have a switch for it. If HEAD is not \
        offered, return 405 with an Allow that does not name it, or write `head: off`.
        """),
    Row(
      .relationLocation, .error, "A created resource cannot be read at its Location (RFC 9110 §10.2.2).",
      example: "submitLaw: the Location of the created item returns 404",
      remedy: """
        Write the URL under which the resource can be read, with the API's base path and the id that the response \
        shows, after the commit. If it is readable only later, return 202; otherwise write `location: off`.
        """),
    Row(
      .relationAllow, .error, "Allow names methods that do not work, or omits methods that do (RFC 9110 §10.2.1).",
      example: "listLaws: Allow is \"GET, HEAD\", but HEAD returns 405",
      remedy: """
        Build the header from the existing routes of this path. If the framework writes it from a constant, switch the \
        check off with `allow: off`.
        """),
    Row(
      .relationVary, .warning, "The representation depends on a header that Vary does not name (RFC 9110 §12.5.5).",
      example: "getLaw: Accept decides between application/json and text/html, and Vary is missing",
      remedy: """
        Send `Vary: Accept` with all representations of the URL; otherwise a cache sends JSON to a browser, or a page \
        to an API client. If there is no cache, write `vary: off`.
        """),
  ]
}
