/// Kinds of findings about requests and their responses.
extension FindingRule {
  static let relationsRows: [Row] = [
    Row(
      .relationPageSize, .error, "A page has more items than requested.",
      example: "listLaws: 30 items were received, but at most 25 were requested",
      remedy: """
        Apply the page limit in the query that reads the rows, after all joins. If the server may send more items than \
        requested, write `page-size: off` for the operation under `expect: relations:`.
        """),
    Row(
      .relationEcho, .error, "A response states a different limit, offset or page than the client requested.",
      example: "listLaws: limit is 100, but 25 was requested",
      remedy: """
        In the response, return the limit, the offset and the page of the request. If the server reduces the limit, \
        document the `maximum` and `default` of the limit. If the response states only a default of the server, write \
        `echo: off` for the operation under `expect: relations:`.
        """),
    Row(
      .relationTotal, .error,
      "The stated total number of items contradicts the pages of the list, or changes without a write.",
      example: "listLaws: the total changed from 412 to 398, although this run wrote nothing in between",
      remedy: """
        Count the total with the same filters, and in the same transaction, as the rows. If the total is an estimate, \
        write `total: off` for the operation under `expect: relations:`. If the total ignores the filters, write \
        `total: all` instead of `total: off`.
        """),
    Row(
      .relationLastPage, .error, "The stated number of the last page contradicts the stated total number of items.",
      example: "listContacts: the reported last page is 16, but a total of 412 with 25 items per page needs 17 pages",
      remedy: """
        To get the number of the last page, divide the total by the number of items on a page, and round up. If the \
        API counts pages from 0, write `last-page: off` for the operation under `expect: relations:`.
        """),
    Row(
      .relationShortPage, .error, "A page before the last page has fewer items than requested.",
      example: """
        listLaws: only 22 of 25 requested items were received, although the total is 412 and the page begins after 50 \
        items
        """,
      remedy: """
        Filter the rows in the query, before `LIMIT`: a filter after the query makes pages short. Clients assume that \
        a short page is the last page. If short pages are allowed, write `short-page: off` for the operation under \
        `expect: relations:`.
        """),
    Row(
      .relationRepeats, .error, "A list contains an item twice, on one page or on two pages.",
      example: "listLaws: the page after 50 items repeats items of the page after 25",
      remedy: """
        Sort by a unique key: add the id as the last sort key. Without a unique key, rows with equal sort values can \
        move between two pages. If lists are in random order, write `repeats: off` for the operation under `expect: \
        relations:`.
        """),
    Row(
      .relationSkips, .error, "The pages of a list omit items, or end before the last item.",
      example: "listLaws: all pages together show 409 items, but the total is 412",
      remedy: """
        Add a unique key as the last sort key. Check that the API applies offset and limit after the filters. If lists \
        hide items on purpose, do not count hidden items in the total. To turn this check off, write `skips: off` for \
        the operation under `expect: relations:`.
        """),
    Row(
      .relationOrder, .error, "The items of a list are not in the requested order.",
      example: """
        listLaws: created_at 2026-11-20T10:00:00Z comes after 2026-11-21T08:30:00Z, but ascending order was requested
        """,
      remedy: """
        Sort in the database, over all rows, by the value that the response shows. Do not sort numbers as strings, \
        because the string 10 is before the string 9. If a sort value has another meaning, write for example `sort: { \
        popular: off }` under `expect: relations:`.
        """),
    Row(
      .relationFilter, .error, "A filtered list contains an item that does not have the requested value.",
      example: "listLaws: an item has category_id 5, but 3 was requested",
      remedy: """
        Check that the filter parameter reaches the database query, and that every cache key contains the parameter. \
        If a parameter does not filter the field of the same name, write for example `filters: { category_id: off }` \
        under `expect: relations:`.
        """),
    Row(
      .relationFiltersTogether, .error,
      "The result of a request with two filters fits neither AND nor OR of the two filters.",
      example: """
        listLaws: a second filter raises the total from 12 to 40, but lowers it in other requests: neither "and" nor \
        "or" explains both
        """,
      remedy: """
        In the database query, join all filters with AND, and put parentheses around each OR. If two filters together \
        may return more items than each filter alone, write `filters-together: off` for the operation under `expect: \
        relations:`.
        """),
    Row(
      .relationIdentity, .error, "A response contains a different item than the requested item.",
      example: "getLaw: wrong item returned: id 42 was requested, but id 17 was returned",
      remedy: """
        Look for a cache whose key lacks the id. Look for state that requests share, such as a global variable or a \
        reused buffer. If the id in the path may be another name of the item, write `identity: off` for the operation \
        under `expect: relations:`.
        """),
    Row(
      .relationExchanged, .error, "The API exchanged the responses of two concurrent requests.",
      example: """
        getLaw: responses of concurrent requests were exchanged: id 42 was requested, but id 17 was returned, which a \
        concurrent request had requested
        """,
      remedy: """
        Fix this fault before all others, because users see each other's data. Look for state that requests share, \
        such as global variables, unlocked database connections, or buffers of a pool.
        """),
    Row(
      .relationParent, .error, "A nested list contains items that belong to a different parent resource.",
      example: "listNotes: all 12 items have contact_id 9, but contactId 7 was requested",
      remedy: """
        Filter the nested list by the parent in the path, and check that the user may read that parent. If an item may \
        belong to several parents, write `parent: off` for the operation under `expect: relations:`.
        """),
    Row(
      .relationCounts, .warning, "The count in a field of an item differs from the number of items in its nested list.",
      example: "getContact: number_of_notes is 4, but the total of the list is 6",
      remedy: """
        Compute the count from the same rows and with the same filters as the list. Alternatively, update the count in \
        the transaction that adds or removes a row. If the field counts something else, write `counts: off` for the \
        operation under `expect: relations:`.
        """),
    Row(
      .relationSearch, .error,
      "A search returns the same items as a request without a search, or a longer word finds more items.",
      example: "listLaws: q=zzqx and every other search return the same 25 items as a request without a search",
      remedy: """
        Check that the API reads the search parameter under its documented name, because many APIs ignore unknown \
        parameters. If a longer word may find more items, remove `search: narrows`. To turn off all checks of \
        searches, write `search: off` under `expect: relations:`.
        """),
    Row(
      .relationCursor, .error, "A pagination cursor occurs twice, leads to no new items, or ends before the last item.",
      example: "pullEntries: the response announces no more items, but the next request returns 3 new items",
      remedy: """
        Build the cursor from the last row of the page, with a unique last sort key. To compute `has_more`, read one \
        row more than the page shows. If the cursor is a time, use the time of the last row, and not the time of the \
        response.
        """),
    Row(
      .relationListItem, .error, "An item has different values in a list and in the response for the single item.",
      example: "listLaws: upvotes of one item is 16 in the list, but 17 in the item's own response",
      remedy: """
        Read the list and the single item from one place, or invalidate the list's cache when an item changes. If a \
        field may differ, write `list-vs-item: { ignore: [upvotes] }` under `expect: relations:`. If the list may be 1 \
        s old, write `stale: 1s` under `expect: relations:`.
        """),
    Row(
      .relationOneSided, .note, "Items have different fields in a list and in the responses for single items.",
      example: "listLaws: 2 fields are in the list or in getLaw, but not in both: downvotes, upvotes",
      remedy: """
        If the list omits fields on purpose, ignore this note: murphy compares only fields that both responses have. \
        If the values of a field may differ, write for example `list-vs-item: { ignore: [upvotes] }` under `expect: \
        relations:`.
        """),
    Row(
      .relationNext, .error, "The link to the next page of a list leads to no page or to a wrong page.",
      example: "listContacts: the link to the next page has page=2, expected page=3",
      remedy: """
        Build the link to the next page from all parameters of the request, with its filters and its page size. Set \
        the link to null only on the last page. If the link has another purpose, write `next: off` for the operation \
        under `expect: relations:`.
        """),
    Row(
      .relationETag, .error, "A strong ETag stays the same although the content changed.",
      example: "getLaw: two different contents have the same strong ETag",
      remedy: """
        Compute the ETag from the content or its version, and not from the id or a time in seconds. If two responses \
        differ only in content coding or format, send two different ETags, or weak ETags (`W/`).
        """),
    Row(
      .relationNotModified, .error,
      "A conditional request returns 304 for a wrong ETag, or another status for the current ETag (RFC 9110 §13.1.2).",
      example: "getLaw: a request with the current ETag returns 200 with the whole content",
      remedy: """
        Compare `If-None-Match` with the current ETag, without `W/` (RFC 9110 §8.8.3.2). If both tags are equal, \
        return 304 without a body. Check whether a compressing proxy changed the ETag. To turn this check off, write \
        `not-modified: off` under `expect: relations:`.
        """),
    Row(
      .relationHead, .error, "The responses to HEAD and GET have different statuses or headers (RFC 9110 §9.3.2).",
      example: "getLaw: HEAD returns 404, but GET returns 200",
      remedy: """
        Route HEAD requests to the handler of GET, and send no body. Most frameworks have an option for HEAD. If the \
        API does not support HEAD, return 405 with an `Allow` header without HEAD. To turn this check off, write \
        `head: off` under `expect: relations:`.
        """),
    Row(
      .relationLocation, .error,
      "A created resource cannot be read at the URL in its Location header (RFC 9110 §10.2.2).",
      example: "submitLaw: the Location of the created item returns 404",
      remedy: """
        Commit the creation before you send the response. In `Location`, send the URL at which clients can read the \
        resource, with the base path and the id. If clients can read the resource only later, return 202. To turn this \
        check off, write `location: off` under `expect: relations:`.
        """),
    Row(
      .relationAllow, .error,
      "The Allow header names methods that do not work, or omits methods that work (RFC 9110 §10.2.1).",
      example: "listLaws: Allow is \"GET, HEAD\", but HEAD returns 405",
      remedy: """
        Build the `Allow` header from the existing routes of the path. If the framework sends a constant `Allow` \
        header, write `allow: off` for the operation under `expect: relations:`.
        """),
    Row(
      .relationVary, .warning, "The content depends on a request header that Vary does not name (RFC 9110 §12.5.5).",
      example: "getLaw: Accept selects between application/json and text/html, but Vary is missing",
      remedy: """
        Send `Vary: Accept` with all responses of the URL. Without `Vary: Accept`, a cache can send JSON to a browser, \
        or HTML to an API client. If no cache stores the responses, write `vary: off` for the operation under `expect: \
        relations:`.
        """),
  ]
}
