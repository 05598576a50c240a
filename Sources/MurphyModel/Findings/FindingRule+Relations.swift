/// Kinds of findings about requests and their responses.
extension FindingRule {
  static let relationsRows: [Row] = [
    Row(
      .relationPageSize, .error, "A page has more items than the request asks for.",
      example: "listLaws: 30 items came, and at most 25 were asked for",
      remedy: """
        Apply the limit in the query that reads the rows, after all joins. If the server may send more than asked for, \
        say `page-size: off` under `expect: relations: listLaws:`.
        """),
    Row(
      .relationEcho, .error, "A page names another limit, offset or page than the request.",
      example: "listLaws: limit is 100, and 25 was asked for",
      remedy: """
        Write into the envelope what the request asked for, or document the limit's `maximum` and `default` if the \
        server cuts it. A page that only tells of its own default is switched off with `echo: off`.
        """),
    Row(
      .relationTotal, .error,
      "The total of a collection contradicts its pages, or changes though nothing was written.",
      example: "listLaws: the total was 412, then 398, and this run wrote nothing in between",
      remedy: """
        Count with the same filters and in the same transaction as the rows. If the total is an estimate, say `total: \
        off`; if it counts all rows whatever the filters say, `total: all`.
        """),
    Row(
      .relationLastPage, .error, "The number of the last page does not follow from the total.",
      example: "listContacts: the last page is said to be 16, and a total of 412 with 25 a page makes 17",
      remedy: """
        Divide the total by the page size and round up, with the same size that cuts the pages. Where pages are \
        counted from 0 the field means something else: `last-page: off`.
        """),
    Row(
      .relationShortPage, .error, "A page that is not the last has fewer items than the request asks for.",
      example: "listLaws: 22 items came of 25 asked for, though the total is 412 and the page begins behind 50 items",
      remedy: """
        Filter in the query and not after it: rows that are dropped after `LIMIT` make pages short, and clients take a \
        short page for the last one. If that is allowed, say `short-page: off`.
        """),
    Row(
      .relationRepeats, .error, "An item comes twice, on one page or on two.",
      example: "listLaws: items of the page behind 25 items come again on the page behind 50 items",
      remedy: """
        Sort by something unique: add the id as the last key of the order, so that rows that tie do not change places \
        between two pages. Where lists are random, say `repeats: off`.
        """),
    Row(
      .relationSkips, .error, "Pages leave items out, or end too early.",
      example: "listLaws: all pages together show 409 items, and the total is 412",
      remedy: """
        Give the order a unique last key, and check that offset and limit are applied after filtering. If items may be \
        left out, as hidden ones are, count the total without them, or say `skips: off`.
        """),
    Row(
      .relationOrder, .error, "Items are not sorted as the request asks.",
      example: """
        listLaws: created_at 2026-11-20T10:00:00Z comes after 2026-11-21T08:30:00Z, and ascending order was asked for
        """,
      remedy: """
        Sort in the database, over all rows, by the value that is shown and with its type: numbers sorted as texts put \
        10 before 9. If a value of the parameter means something else, say `sort: { popular: off }`, or which sum it \
        sorts by.
        """),
    Row(
      .relationFilter, .error, "An item does not have the value that the request filters by.",
      example: "listLaws: an item has category_id 5, and 3 was asked for",
      remedy: """
        Check that the parameter reaches the query and that caches have it in their key. If the parameter means \
        something else than the field of its name, switch it off: `filters: { category_id: off }`.
        """),
    Row(
      .relationFiltersTogether, .error, "Two filters together fit neither both of them nor one of them.",
      example: """
        listLaws: one filter alone gives a total of 12, together with another 40, and elsewhere fewer: neither "and" \
        nor "or" does that
        """,
      remedy: """
        Join all filters with AND, with parentheses around each OR. If filters do not narrow each other, say \
        `filters-together: off`.
        """),
    Row(
      .relationIdentity, .error, "Another item came back than the one asked for.",
      example: "getLaw: another item came back than the one asked for: id 42 was asked for, and id 17 came",
      remedy: """
        Look for a cache whose key lacks the id, or for state that requests share (a global variable, a reused \
        buffer). If the id in the path may be another name of the item, say `identity: off`.
        """),
    Row(
      .relationExchanged, .error, "Responses of requests under way at the same time were exchanged.",
      example: """
        getLaw: responses of requests under way at the same time were exchanged: id 42 was asked for, and id 17 came, \
        for which another request was waiting
        """,
      remedy: """
        Requests share something that each should own: a variable of the process, a connection to the database without \
        a lock, a buffer of a pool. People see each other's data: mend it before anything else.
        """),
    Row(
      .relationParent, .error, "Items are listed below a thing that they do not belong to.",
      example: "listNotes: all 12 items have contact_id 9, and contactId 7 was asked for",
      remedy: """
        Filter the nested list by the parent in the path, and check that the caller may see that parent. If items may \
        belong to several things, say `parent: off`.
        """),
    Row(
      .relationCounts, .warning, "An item tells of another number of things than are listed below it.",
      example: "getContact: number_of_notes is 4, and the total of the list is 6",
      remedy: """
        Compute the count from the same rows and with the same filters as the list, or update it in the transaction \
        that adds or removes one. If it counts something else, say `counts: off`.
        """),
    Row(
      .relationSearch, .error, "A search gives the same as no search, or more when letters are added.",
      example: "listLaws: q=zzqx and every other search give the same 25 items as no search",
      remedy: """
        Check that the parameter has the name that the API reads: unknown ones are often ignored. If a longer word may \
        find more, leave `search: narrows` out; `search: off` switches all of it off.
        """),
    Row(
      .relationCursor, .error, "A cursor does not lead on, leads in a circle, or ends too early.",
      example: "pullEntries: there is said to be no more, and the next request brings 3 items that did not come before",
      remedy: """
        Make the cursor from the last row that was sent, with a unique last key, and `has_more` from one row more than \
        the page shows. A cursor of the time should be the time of the last row, not of the response.
        """),
    Row(
      .relationListItem, .error, "An item reads otherwise in a list than by itself.",
      example: "listLaws: upvotes of one item is 16 in the list and 17 by itself",
      remedy: """
        Let both read from one place, or invalidate the list's cache when the item changes. If the list shows a field \
        otherwise on purpose, say `list-vs-item: { ignore: [upvotes] }`; for a delay `stale: 1s`.
        """),
    Row(
      .relationOneSided, .note, "A list and its items by themselves have different fields.",
      example: "listLaws: the list and getLaw: 2 fields are on one side only: downvotes, upvotes",
      remedy: """
        Nothing, if the list is meant to show less. Murphy compares only the fields that both show. Fields that differ \
        on purpose can be named with `list-vs-item: { ignore: [upvotes] }`.
        """),
    Row(
      .relationNext, .error, "A link leads to another page than the one it names, or nowhere.",
      example: "listContacts: the link to the next page has page=2, and the next page has page=3",
      remedy: """
        Build the link from the request's own parameters, with all filters and the size, and set it to null only on \
        the last page. If it leads elsewhere on purpose, say `next: off`.
        """),
    Row(
      .relationETag, .error, "An entity tag stays though the content changed.",
      example: "getLaw: one strong ETag stands for two contents",
      remedy: """
        Compute the tag from the content or its version, not from the id or the second of the last change. \
        Representations that differ only in coding or form need tags of their own, or weak ones (`W/`).
        """),
    Row(
      .relationNotModified, .error,
      "A request with an entity tag is not answered as the content demands (RFC 9110 §13.1.2).",
      example: "getLaw: a request with the current ETag is answered 200 with the whole content",
      remedy: """
        Compare If-None-Match with the current tag, weakly (without `W/`, RFC 9110 §8.8.3.2), and answer 304 without a \
        body. A proxy that compresses may have changed the tag. Where that is not wanted, say `not-modified: off`.
        """),
    Row(
      .relationHead, .error, "HEAD is answered otherwise than GET (RFC 9110 §9.3.2).",
      example: "getLaw: HEAD is answered 404, and GET 200",
      remedy: """
        Route HEAD to the handler of GET and drop the body; most frameworks have a switch for it. If HEAD is not \
        offered, answer 405 with an Allow that does not name it, or say `head: off`.
        """),
    Row(
      .relationLocation, .error, "What was created cannot be read at its Location (RFC 9110 §10.2.2).",
      example: "submitLaw: what was created is answered 404 at its Location",
      remedy: """
        Write the URL under which the thing can be read, with the API's base path and the id that the response shows, \
        after the commit. If it is readable only later, answer 202; else say `location: off`.
        """),
    Row(
      .relationAllow, .error,
      "Allow names methods that do not work, or leaves out methods that do (RFC 9110 §10.2.1).",
      example: "listLaws: Allow is \"GET, HEAD\", and HEAD is answered 405",
      remedy: """
        Make the field from the routes that are there, for this path. Frameworks that write it from a constant are \
        switched off with `allow: off`.
        """),
    Row(
      .relationVary, .warning, "The representation depends on a field that Vary does not name (RFC 9110 §12.5.5).",
      example: "getLaw: Accept decides between application/json and text/html, and Vary is missing",
      remedy: """
        Send `Vary: Accept` with all representations of the URL; otherwise a cache hands JSON to a browser, or a page \
        to a client. If no cache stands between, say `vary: off`.
        """),
  ]
}
