/// Kinds of findings about invariants over sessions.
extension FindingRule {
  static let stateRows: [Row] = [
    Row(
      .stateLedgerMissing, .error, "A vote count is lower than the accepted votes allow.",
      example: "getLaw: state \"votes\", key 42: a response shows 17 up, expected 18 to 19 (3 exchanges)",
      remedy: """
        Look first at the vote that is marked `perhaps lost`, or at the last vote in the finding. Usual causes are a \
        count that is read and written in two statements, and a cache. If responses may be older, declare `stale:`. If \
        the API counts a vote after its response, return 202 and declare `within:`.
        """),
    Row(
      .stateLedgerSurplus, .error, "A vote count is higher than the sent votes allow.",
      example: "getLaw: state \"votes\", key 42: a response shows 19 up, expected 17 to 18 (3 exchanges)",
      remedy: """
        Look first at the votes that the finding lists. A changed vote may leave the old vote in the count, or a \
        repeated or rejected vote may count. Store each voter's vote under a unique key. If a second vote revokes the \
        first vote, declare `rule: toggle`.
        """),
    Row(
      .stateCounterBack, .error, "A count decreased, although no request can lower it.",
      example: """
        getItem: state "views", key 42: a response shows 16 although an earlier response showed 17, and no write \
        lowers the count (2 exchanges)
        """,
      remedy: """
        Compare the servers that sent the responses in the finding: replicas, caches or worker processes may have \
        their own count. Read the count from one place. If responses may be older, declare `stale:`. If a request can \
        lower the count, remove the `counter:`.
        """),
    Row(
      .stateCounterMissing, .error, "A count is lower than the accepted increments allow.",
      example: """
        getItem: state "views", key 42: the responses leave no time at which an accepted increment can have taken \
        effect (4 exchanges)
        """,
      remedy: """
        Look first at the last increment that the finding lists. Raise the count in one statement (`SET n = n + 1`), \
        and respond only after the commit. If the API adds increments to the count later, return 202 and declare \
        `within:`.
        """),
    Row(
      .stateCounterSurplus, .error, "A count is higher than the sent increments allow.",
      example: """
        getItem: state "views", key 42: a response shows 19, more than the writes sent by then explain (9 exchanges)
        """,
      remedy: """
        Look first at the increments that the finding lists. A retried job or transaction may have run an increment \
        twice, or a rejected request may have counted. If other clients raise the count, declare `exclusive: false`. \
        If an increment can take effect late, declare `settle:`.
        """),
    Row(
      .stateVersionStep, .error,
      "An accepted change got a version number that is not one higher than its base version.",
      example: "putEntry: state \"entries\", key 7: a change that was based on version 3 got version 5 instead of 4",
      remedy: """
        Give each change the version number that follows its base version. Check the base version in the transaction \
        that stores the change. If numbers may be skipped, replace the invariant `versions:` by \
        `session:`, which checks only that numbers never decrease.
        """),
    Row(
      .stateVersionTwice, .error, "Two accepted changes of a resource got the same version number.",
      example: "putEntry: state \"entries\", key 7: two changes got version 4 (2 exchanges)",
      remedy: """
        Compare the two changes in the finding: one probably overwrote the other. Check the version in the statement \
        that changes the row: `UPDATE … SET version = 4 WHERE id = 7 AND version = 3`. If this statement changes no \
        row, return 409.
        """),
    Row(
      .stateVersionBack, .error,
      "A response shows an older version of a resource, although a newer version had been confirmed.",
      example: """
        getEntry: state "entries", key 7: version 3 was shown or used as a base although version 4 had been confirmed \
        before (2 exchanges)
        """,
      remedy: """
        Find the cache or replica that sent the older version in the finding. Read from the primary after a change, or \
        invalidate the cache in the transaction of the change. If responses may be older, declare `stale:`.
        """),
    Row(
      .stateVersionContent, .error, "Responses show two different contents for the same version of a resource.",
      example: "getEntry: state \"entries\", key 7: version 4 has two different contents (2 exchanges)",
      remedy: """
        Compare the two exchanges of the finding, which have different contents. Store the content and the version in \
        one statement, and give every change a new version. Do not list fields under `content:` that the server itself \
        changes.
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
      "A change of a resource was rejected although it was based on the current version of the resource.",
      example: """
        putEntry: state "entries", key 7: a change based on version 4 was rejected although version 4 was current the \
        whole time (3 exchanges)
        """,
      remedy: """
        Look first at the rejected change in the finding. Compare its base version with the current version in the \
        statement that changes the row. Do not compare it with a cached copy, with a time, or with a change that was \
        rolled back.
        """),
    Row(
      .stateRegisterStale, .error,
      "A response shows a value that a later write had replaced before the client sent the request.",
      example: """
        getNote: state "notes", key 7: a response shows a value that had been replaced before the request was sent (2 \
        exchanges)
        """,
      remedy: """
        Find the cache or replica that still had the old value after the last write in the finding. Update the cache \
        or replica before you respond to a write. If responses may be older, declare how old, for example `stale: 1s`.
        """),
    Row(
      .stateRegisterUnwritten, .error, "A response shows a value that no client had written.",
      example: "getNote: state \"notes\", key 7: a response shows a value that no client had written by then",
      remedy: """
        Search for the value of the finding in other resources: a cache or an id may be mixed up. If the server \
        changes values, name under `value:` a field that the server stores unchanged. If other clients write, declare \
        `exclusive: false`.
        """),
    Row(
      .stateRegisterOrder, .error, "No order of the writes explains the values that the responses show.",
      example: "getNote: state \"notes\", key 7: the responses show two values in contradictory orders (4 exchanges)",
      remedy: """
        Look first at the writes that the finding lists. A write may have been applied twice, or reads may switch \
        between two copies. Let one primary, lock or version counter order all writes of a resource. Read from the \
        same copy. If responses may be older, declare `stale:`.
        """),
    Row(
      .stateSetTwice, .error, "The responses to two creations contain the same id.",
      example: "createNote: state \"notes\", key 31: two creations returned the same id (2 exchanges)",
      remedy: """
        Find out why the two creations in the finding got the same id. Generate ids from a sequence, or as UUIDs under \
        a unique constraint. If a repeated request should return the same item, declare `idempotency: \
        header.Idempotency-Key`.
        """),
    Row(
      .stateSetEarly, .error, "An item was shown or deleted before the request to create it was sent.",
      example: """
        listNotes: state "notes", key 31: the item was shown or deleted before its creation was sent (2 exchanges)
        """,
      remedy: """
        Check whether the API reuses the id in the finding, or whether the counter of ids was reset. Never assign an \
        id twice, because clients may still use the id for the old item.
        """),
    Row(
      .stateSetReturned, .error, "A response shows an item after the deletion of the item was confirmed.",
      example: "listNotes: state \"notes\", key 31: the item was shown after its deletion was confirmed (3 exchanges)",
      remedy: """
        Look first at the deletion in the finding. Remove the item from indexes, caches and replicas before you \
        respond to a deletion. If deletions take effect later, return 202 and declare `within:`. If lists may be \
        older, declare `stale: { listNotes: 1s }`.
        """),
    Row(
      .stateSetMissing, .error, "A response does not show an item that was created and not deleted.",
      example: """
        listNotes: state "notes", key 31: the item was created and not deleted, but a response does not contain it (2 \
        exchanges)
        """,
      remedy: """
        Look first at the creation in the finding. Commit a creation before you send the response. If a list shows \
        only some items, declare `paged: true`. If lists may be older, declare `stale:`. If each user has a separate \
        list, declare `owner:`.
        """),
    Row(
      .stateSetUnknown, .error, "A list shows more items than the clients could have created.",
      example: """
        listNotes: state "notes": a list shows 3 items that no client is known to have created; only 1 could exist
        """,
      remedy: """
        Look for creations that run twice, and for rejected creations that are stored. If other clients create items, \
        or items existed before the run, declare `exclusive: false`. If each user has a separate list, declare \
        `owner:`.
        """),
    Row(
      .stateSetSnapshot, .error, "A list mixes items that never existed at the same time.",
      example: "listNotes: state \"notes\": one list shows items that never existed at the same time (3 exchanges)",
      remedy: """
        Compare the list in the finding with the writes in the finding. Read a list in one query, or in one \
        transaction with a snapshot. If the items of a list need not exist at the same time, remove `snapshot: true` \
        from the invariant.
        """),
    Row(
      .stateSetForeign, .error, "A list shows an item that another user created.",
      example: "listNotes: state \"notes\", key 31: the list of another user shows the item (2 exchanges)",
      remedy: """
        Filter the list by the authenticated user, and add that user to the key of every cache. If users share items, \
        remove `owner:` from the invariant.
        """),
    Row(
      .stateSetRepeated, .error, "A repeated creation with the same idempotency key created a second item.",
      example: """
        createNote: state "notes", key 31: two creations with the same idempotency key returned two ids (2 exchanges)
        """,
      remedy: """
        Store the idempotency key with the item in one transaction, under a unique constraint. Respond to a repeated \
        request with the first item. Do not only check the key before the insert: two concurrent requests can both \
        pass this check.
        """),
    Row(
      .stateDeliveryCount, .error, "The number of delivery tickets differs from the number of messages in the batch.",
      example: "sendPush: state \"push\": 100 messages were sent, but 99 tickets were returned",
      remedy: """
        Return one ticket for each message of a batch, and an error ticket for a failed message. Do not omit a ticket, \
        because clients then assign all later tickets to the wrong messages.
        """),
    Row(
      .stateDeliveryOrder, .error, "A delivery ticket belongs to a message at a different place in the batch.",
      example: "sendPush: state \"push\": ticket 3 of a batch does not belong to message 3",
      remedy: """
        Return the tickets in the order of the messages. Sort parallel results by the position of the message in the \
        batch, and not by the time of completion. If `marks:` does not select the messages that must fail, fix \
        `marks:`.
        """),
    Row(
      .stateDeliveryTwice, .error, "Two delivery tickets have the same id.",
      example: "sendPush: state \"push\": two tickets have the same id (2 exchanges)",
      remedy: """
        Generate ticket ids at random, or from one sequence for all worker processes. Do not use the time, or one \
        counter per worker process: both repeat ids under load.
        """),
    Row(
      .stateDeliveryMissing, .error, "A delivery ticket has no receipt after the declared time.",
      example: "getReceipts: state \"push\": a ticket had no receipt after the time allowed for it (2 exchanges)",
      remedy: """
        Find the message of the ticket in the finding: was the message lost, or is it only slow? Look for a queue that \
        drops messages, and for a worker that crashed before it wrote the receipt. If receipts may take longer, raise \
        `within:`.
        """),
    Row(
      .stateDeliveryUnasked, .error, "A response contains a delivery receipt that was not requested.",
      example: "getReceipts: state \"push\": a response contains a receipt that was not requested",
      remedy: """
        Return only receipts for the ids in the request, and only receipts of the authenticated user. Any other \
        receipt discloses messages of other users.
        """),
    Row(
      .stateDeliveryWrong, .error, "A delivery receipt contradicts its message, or an earlier receipt.",
      example: """
        getReceipts: state "push": a receipt does not have the outcome that its message requires (2 exchanges)
        """,
      remedy: """
        Write each receipt from the result of its own message, and never change a final receipt. If the API shows \
        receipts before they are final, remove `receipt:`. If `fails:` selects the wrong messages, fix `fails:`.
        """),
    Row(
      .stateDeliveryRepeated, .error,
      "A batch of messages was repeated with its idempotency key, and got different delivery tickets.",
      example: """
        sendPush: state "push": a message that was sent twice with one idempotency key got two tickets (2 exchanges)
        """,
      remedy: """
        Store the tickets of a batch under its idempotency key before you send the first response. Respond to a \
        repeated batch with the stored tickets. Otherwise users get each message twice if a response is lost.
        """),
    Row(
      .stateSessionBack, .error,
      "A session read an older value than the session had written or read before.",
      example: """
        getEntry: state "entries", key 7: a session read 3 although it had written or read 4 before (2 exchanges)
        """,
      remedy: """
        Find the replica or cache that sent the last response of the finding. Let all reads of a session use one \
        replica. Or let the replica wait until it has the session's last write. If responses may be older, declare \
        `stale:`.
        """),
    Row(
      .stateFormula, .error, "A response contradicts a formula of the scenario.",
      example: "getCart: the formula, key 7: the formula does not hold for a response that shows 5 (4 exchanges)",
      remedy: """
        Calculate the formula by hand from the exchanges of the finding. If the response is wrong, look for writes \
        that were lost or applied twice. If the formula ignores writes without a response, add `unknown` to it: \
        docs/state.md has examples.
        """),
  ]
}
