/// Kinds of findings about invariants over sessions.
extension FindingRule {
  static let stateRows: [Row] = [
    Row(
      .stateLedgerMissing, .error, "A vote count is lower than the accepted votes allow.",
      example:
        "getLaw: state \"votes\", key 42: a response shows 17 as \"up\", expected 18 to 19 (evidence: 3 exchanges)",
      remedy: """
        Look first at the vote that is marked `perhaps lost`, or at the last vote in the finding. Usual causes are a \
        cache, and a count that is read and written in two statements. If responses may show old counts, declare \
        `stale:`. If the API counts a vote only later, return 202 and declare `within:`.
        """),
    Row(
      .stateLedgerSurplus, .error, "A vote count is higher than the sent votes allow.",
      example:
        "getLaw: state \"votes\", key 42: a response shows 19 as \"up\", expected 17 to 18 (evidence: 3 exchanges)",
      remedy: """
        Look first at the votes that the finding lists. Check whether a changed vote leaves the old vote in the count, \
        or whether repeated or rejected votes count. Store each voter's vote under a unique key. If a second vote \
        revokes the first vote, declare `rule: toggle`.
        """),
    Row(
      .stateCounterBack, .error, "A count decreased, although no request of the scenario can lower the count.",
      example: """
        getItem: state "views", key 42: a response shows the count 16, but an earlier response showed 17, and no write \
        lowers the count (evidence: 2 exchanges)
        """,
      remedy: """
        Check whether replicas, caches or worker processes have their own count, and read the count from one place. If \
        responses may show old counts, declare `stale:` in the invariant. If a request can lower the count, remove the \
        invariant `counter:`.
        """),
    Row(
      .stateCounterMissing, .error, "A count is lower than the accepted increments allow.",
      example: """
        getItem: state "views", key 42: the responses leave no time at which an accepted increment can have taken \
        effect (evidence: 4 exchanges)
        """,
      remedy: """
        Look first at the last increment that the finding lists. Raise the count in one statement (`SET n = n + 1`), \
        and respond only after the commit. If the API adds increments to the count later, return 202 and declare \
        `within:` in the invariant.
        """),
    Row(
      .stateCounterSurplus, .error, "A count is higher than the sent increments allow.",
      example: """
        getItem: state "views", key 42: a response shows the count 19, more than the writes that had been sent by then \
        can explain (evidence: 9 exchanges)
        """,
      remedy: """
        Look at the increments that the finding lists. A retried job or transaction may have run one twice, or a \
        rejected request may have counted. If other clients raise the count, declare `exclusive: false`. Check that the \
        API shows a change within the time in `settle:`.
        """),
    Row(
      .stateVersionStep, .error, "A change of a resource at version N was accepted, but its new version is not N + 1.",
      example: "putEntry: state \"entries\", key 7: a change that was based on version 3 got version 5 instead of 4",
      remedy: """
        Give each change the version number that follows its base version. Check the base version in the transaction \
        that stores the change. If version numbers may be skipped, replace the invariant `versions:` by `session:`, \
        which checks only that version numbers never decrease.
        """),
    Row(
      .stateVersionTwice, .error, "Two accepted changes of a resource got the same version number.",
      example: "putEntry: state \"entries\", key 7: two changes got version 4 (evidence: 2 exchanges)",
      remedy: """
        Compare the two changes in the finding: one change probably overwrote the other change. Check the version in \
        the statement that changes the row, as in `UPDATE … SET version = 4 WHERE id = 7 AND version = 3`. If the \
        statement changes no row, return 409.
        """),
    Row(
      .stateVersionBack, .error,
      "A response shows an old version of a resource, although the API had confirmed a newer version.",
      example: """
        getEntry: state "entries", key 7: version 3 was shown or used as a base although version 4 had been confirmed \
        before (evidence: 2 exchanges)
        """,
      remedy: """
        Find the cache or replica that sent the old version in the finding. Read from the primary after a change, or \
        invalidate the cache in the transaction of the change. If responses may show old versions, declare `stale:` in \
        the invariant.
        """),
    Row(
      .stateVersionContent, .error, "Two responses show different contents for the same version of a resource.",
      example: "getEntry: state \"entries\", key 7: version 4 has two different contents (evidence: 2 exchanges)",
      remedy: """
        Compare the two responses of the finding, which have different contents. Store the content and the version in \
        one statement, and give every change a new version. In the invariant, do not list fields under `content:` that \
        the server itself changes.
        """),
    Row(
      .stateVersionUnwritten, .error, "A response shows a version of a resource that no client wrote.",
      example: "getEntry: state \"entries\", key 7: version 6 was shown, but no client wrote it",
      remedy: """
        Look for other causes of the new version in the finding: a job, a trigger, a migration, or a rejected change. \
        If other clients may change the same resources, declare `exclusive: false` in the invariant.
        """),
    Row(
      .stateVersionRefused, .error,
      "The API rejected a change of a resource, although the change was based on the current version.",
      example: """
        putEntry: state "entries", key 7: a change based on version 4 was rejected although version 4 was current the \
        whole time (evidence: 3 exchanges)
        """,
      remedy: """
        Look first at the rejected change in the finding. In the statement that changes the row, compare the base \
        version of the change with the current version. Do not compare the base version with a cached copy, a time, or \
        a version that was rolled back.
        """),
    Row(
      .stateRegisterStale, .error,
      "A response shows an old value, which a later write had replaced before the request was sent.",
      example: """
        getNote: state "notes", key 7: a response shows a value that had been replaced before the request was sent \
        (evidence: 2 exchanges)
        """,
      remedy: """
        Find the cache or replica that still had the old value after the last write in the finding. Update the cache \
        or replica before you respond to a write. If responses may show old values, declare the allowed age in the \
        invariant, for example `stale: 1s`.
        """),
    Row(
      .stateRegisterUnwritten, .error, "A response shows a value that no client of the run had written.",
      example: "getNote: state \"notes\", key 7: a response shows a value that no client had written by then",
      remedy: """
        Search for the value of the finding in other resources: a cache or an id may be mixed up. If the server \
        changes values, name under `value:` a field that the server stores unchanged. If other clients also write, \
        declare `exclusive: false` in the invariant.
        """),
    Row(
      .stateRegisterOrder, .error, "No order of the writes explains the values that the responses show.",
      example: "getNote: state \"notes\", key 7: the responses show two values in contradictory orders"
        + " (evidence: 4 exchanges)",
      remedy: """
        Look first at the writes that the finding lists. Check whether a write was applied twice, or whether reads \
        switch between two copies. Let one primary, lock or version counter order all writes of a resource. If \
        responses may show old values, declare `stale:` in the invariant.
        """),
    Row(
      .stateSetTwice, .error, "The responses to two creations contain the same id.",
      example: "createNote: state \"notes\", key 31: two creations returned the same id (evidence: 2 exchanges)",
      remedy: """
        Find out why the two creations in the finding got the same id. Generate ids from a sequence, or as UUIDs under \
        a unique constraint. If a repeated request should return the same item, declare `idempotency: \
        header.Idempotency-Key` in the invariant.
        """),
    Row(
      .stateSetEarly, .error, "An item was shown or deleted before the request to create it was sent.",
      example: """
        listNotes: state "notes", key 31: the item was shown or deleted before its creation was sent (evidence: 2 \
        exchanges)
        """,
      remedy: """
        Check whether the API reuses the id in the finding, or whether the counter of ids was reset. Never assign an \
        id twice, because clients may still use the id for the old item.
        """),
    Row(
      .stateSetReturned, .error, "A response shows an item, although the API had confirmed the deletion of the item.",
      example: "listNotes: state \"notes\", key 31: the item was shown after its deletion was confirmed"
        + " (evidence: 3 exchanges)",
      remedy: """
        Look first at the deletion in the finding. Remove the item from indexes, caches and replicas before you \
        respond to a deletion. If deletions take effect later, return 202 and declare `within:`. If lists may show old \
        items, declare `stale: { listNotes: 1s }`.
        """),
    Row(
      .stateSetMissing, .error, "A response does not show an item that a client created and did not delete.",
      example: """
        listNotes: state "notes", key 31: the item was created and not deleted, but a response does not contain it \
        (evidence: 2 exchanges)
        """,
      remedy: """
        Look first at the creation in the finding. Commit the creation of an item before you send the response. If a \
        list shows only some items, declare `paged: true`. If lists may be out of date, declare `stale:`. If each user \
        has a separate list, declare `owner:`.
        """),
    Row(
      .stateSetUnknown, .error, "A list shows more items than the clients could have created.",
      example: """
        listNotes: state "notes": a list shows 3 items that no client is known to have created; only 1 could exist
        """,
      remedy: """
        Look for creations that run twice, and for rejected creations that are stored. If other clients create items, \
        or items existed before the run, declare `exclusive: false`. If each user has a separate list, declare \
        `owner:` in the invariant.
        """),
    Row(
      .stateSetSnapshot, .error, "A list shows items that never existed at the same time.",
      example: "listNotes: state \"notes\": one list shows items that never existed at the same time"
        + " (evidence: 3 exchanges)",
      remedy: """
        Compare the list in the finding with the writes in the finding. Read a list in one query, or in one \
        transaction with a snapshot. If the items of a list need not exist at the same time, remove `snapshot: true` \
        from the invariant.
        """),
    Row(
      .stateSetForeign, .error, "The list of one user shows an item that another user created.",
      example: "listNotes: state \"notes\", key 31: the list of another user shows the item (evidence: 2 exchanges)",
      remedy: """
        Filter the list by the authenticated user, and add the user to the key of every cache. If users share items, \
        remove `owner:` from the invariant.
        """),
    Row(
      .stateSetRepeated, .error, "A repeated creation with the same idempotency key created a second item.",
      example: """
        createNote: state "notes", key 31: two creations with the same idempotency key returned two ids (evidence: 2 \
        exchanges)
        """,
      remedy: """
        Store the idempotency key with the item in one transaction, under a unique constraint. Respond to a repeated \
        request with the first item. A check of the key before the insert is not enough, because two concurrent \
        requests can both pass the check.
        """),
    Row(
      .stateDeliveryCount, .error,
      "The response to a batch of messages does not have exactly one delivery ticket for each message.",
      example: "sendPush: state \"push\": 100 messages were sent, but 99 tickets were returned",
      remedy: """
        Return one ticket for each message of a batch, and an error ticket for a failed message. If the response omits \
        a ticket, clients assign all later tickets to the wrong messages.
        """),
    Row(
      .stateDeliveryOrder, .error,
      "In the response to a batch of messages, a delivery ticket is at the position of another message.",
      example: "sendPush: state \"push\": ticket 3 of a batch does not belong to message 3",
      remedy: """
        Return the tickets of a batch in the order of the messages. Sort parallel results by the position of the \
        message in the batch, and not by the time of completion. If `marks:` of the invariant does not select the \
        messages that must fail, fix `marks:`.
        """),
    Row(
      .stateDeliveryTwice, .error, "Two delivery tickets for messages have the same id.",
      example: "sendPush: state \"push\": two tickets have the same id (evidence: 2 exchanges)",
      remedy: """
        Generate ticket ids at random, or from one sequence for all worker processes. Do not generate ids from the \
        time, or from one counter per worker process, because such ids repeat under load.
        """),
    Row(
      .stateDeliveryMissing, .error,
      "The API has no delivery receipt for a sent message after the time that the scenario declares.",
      example: "getReceipts: state \"push\": a ticket had no receipt after the time allowed for it"
        + " (evidence: 2 exchanges)",
      remedy: """
        Find out whether the message of the ticket in the finding was lost, or is only slow. Look for a queue that \
        drops messages, and for a worker that crashed before it wrote the receipt. If receipts may take longer, raise \
        `within:` of the invariant.
        """),
    Row(
      .stateDeliveryUnasked, .error, "A response contains a delivery receipt that the client did not request.",
      example: "getReceipts: state \"push\": a response contains a receipt that was not requested",
      remedy: """
        Return only receipts for the ids in the request, and only receipts of the authenticated user. A receipt that \
        the user did not request can disclose messages of other users.
        """),
    Row(
      .stateDeliveryWrong, .error,
      "A delivery receipt states a wrong result for its message, or contradicts an earlier receipt.",
      example: """
        getReceipts: state "push": a receipt does not have the outcome that its message requires (evidence: 2 exchanges)
        """,
      remedy: """
        Write each receipt from the result of its own message, and never change a final receipt. If the API shows \
        receipts before they are final, remove `receipt:` from the invariant. If `fails:` of the invariant selects the \
        wrong messages, fix `fails:`.
        """),
    Row(
      .stateDeliveryRepeated, .error,
      "A client sent a batch of messages twice with one idempotency key, and got different delivery tickets.",
      example: """
        sendPush: state "push": a message that was sent twice with one idempotency key got two tickets (evidence: 2 \
        exchanges)
        """,
      remedy: """
        Store the tickets of a batch under its idempotency key before you send the first response. Respond to a \
        repeated batch with the stored tickets, so that users do not get each message twice after a lost response.
        """),
    Row(
      .stateSessionBack, .error,
      "A session read an older value than the session had written or read before.",
      example: """
        getEntry: state "entries", key 7: a session read 3 although it had written or read 4 before (evidence: 2 \
        exchanges)
        """,
      remedy: """
        Find the replica or cache that sent the last response of the finding. Let all reads of a session use one \
        replica, or let the replica wait until it has the session's last write. If responses may show old values, \
        declare `stale:` in the invariant.
        """),
    Row(
      .stateFormula, .error, "A response contradicts a formula that the scenario declares for the state of the API.",
      example: "getCart: the formula, key 7: the formula does not hold for a response that shows 5"
        + " (evidence: 4 exchanges)",
      remedy: """
        Calculate the formula by hand from the requests and responses of the finding. If the response is wrong, look \
        for writes that were lost or applied twice. If the formula of the invariant ignores writes without a \
        response, add a term with `unknown`, as in the examples in docs/state.md.
        """),
  ]
}
