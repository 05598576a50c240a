/// Kinds of findings about invariants over sessions.
extension FindingRule {
  static let stateRows: [Row] = [
    Row(
      .stateLedgerMissing, .error, "A vote count is lower than the accepted votes allow.",
      example: "getLaw: state \"votes\", key 42: a response shows 17 up, expected 18 to 19 (3 exchanges)",
      remedy: """
        Look for writes that overwrite each other: a count that is read and written in two statements. Look for a \
        cache with an old count. If reads may lag behind writes, declare `stale:`. If writes take effect later, return \
        202 and declare `within:`.
        """),
    Row(
      .stateLedgerSurplus, .error, "A vote count is higher than the sent votes allow.",
      example: "getLaw: state \"votes\", key 42: a response shows 19 up, expected 17 to 18 (3 exchanges)",
      remedy: """
        Look for votes that count twice: a changed vote that leaves the old vote in the count, or a repeated or \
        rejected vote. Store each voter's vote under a unique key. If a second vote revokes the first, declare `rule: \
        toggle`.
        """),
    Row(
      .stateCounterBack, .error, "A count decreased, although no request can lower it.",
      example: """
        getItem: state "views", key 42: a response shows 16 although one before it showed 17, and nothing lowers the \
        count (2 exchanges)
        """,
      remedy: """
        Look for copies that differ: replicas, caches, or worker processes with their own count. Read the count from \
        one place. If responses may lag behind writes, declare `stale:`. If a request can lower the count, do not \
        declare it as `counter`.
        """),
    Row(
      .stateCounterMissing, .error, "A count is lower than the accepted increments allow.",
      example: """
        getItem: state "views", key 42: no time between the responses fits an increment that was accepted (4 \
        exchanges)
        """,
      remedy: """
        Raise the count in one statement (`SET n = n + 1`). Do not read the count and write it back. Respond only \
        after the commit. If the API writes increments later, return 202 and declare `within:`.
        """),
    Row(
      .stateCounterSurplus, .error, "A count is higher than the sent increments allow.",
      example: """
        getItem: state "views", key 42: a response shows 19, which is more than was sent by then (9 exchanges)
        """,
      remedy: """
        Look for increments that run twice: a retried job or transaction, a rejected request. If other clients also \
        raise the count, declare `exclusive: false`. If an unanswered request may take effect late, declare `settle:`.
        """),
    Row(
      .stateVersionStep, .error, "An accepted change got a version that does not follow its base version.",
      example: "putEntry: state \"entries\", key 7: a change that was based on version 3 got version 5, and not 4",
      remedy: """
        Give an accepted change the version after its base version. Check the base version in the same transaction. If \
        versions skip numbers on purpose, use the invariant `session:` instead of `versions:`: it checks only that a \
        version never decreases.
        """),
    Row(
      .stateVersionTwice, .error, "Two accepted changes got the same version.",
      example: "putEntry: state \"entries\", key 7: two changes got version 4 (2 exchanges)",
      remedy: """
        Compare the version and write in one statement: `UPDATE … SET version = 4 WHERE id = 7 AND version = 3`. If \
        the statement changes no row, return 409. Do not check the version in a separate read.
        """),
    Row(
      .stateVersionBack, .error, "A response shows an older version, although a newer version had been confirmed.",
      example: """
        getEntry: state "entries", key 7: version 3 was shown or used as a base although version 4 had been confirmed \
        before (2 exchanges)
        """,
      remedy: """
        Look for a replica or a cache that shows the state before the write. Read from the primary after a write, or \
        invalidate the cache in the write. If responses may be older, declare `stale:`.
        """),
    Row(
      .stateVersionContent, .error, "Responses show two different contents for the same version of a resource.",
      example: "getEntry: state \"entries\", key 7: version 4 has two contents (2 exchanges)",
      remedy: """
        Write content and version in one statement, and give every change a new version. Under `content:`, do not list \
        fields that the server itself changes.
        """),
    Row(
      .stateVersionUnwritten, .error, "A response shows a version that no client wrote.",
      example: "getEntry: state \"entries\", key 7: version 6 was shown, and no client wrote it",
      remedy: """
        Look for other causes of new versions: a job, a trigger, a migration, or a rejected change. If other clients \
        may write the same resources, declare `exclusive: false`.
        """),
    Row(
      .stateVersionRefused, .error, "A change was rejected although it was based on the current version.",
      example: """
        putEntry: state "entries", key 7: a change based on version 4 was rejected although that version was current \
        throughout (3 exchanges)
        """,
      remedy: """
        Compare the base version with the current version, in the statement that writes. Do not compare it with a \
        cached copy, a time, or a change that was rolled back.
        """),
    Row(
      .stateRegisterStale, .error, "A response shows a value that a write had replaced before the request was sent.",
      example: """
        getNote: state "notes", key 7: a response shows a value that had been replaced before it was requested (2 \
        exchanges prove it)
        """,
      remedy: """
        Invalidate the cache, or wait for the replica, before you respond to the write. If responses may show older \
        values, declare how old: `stale: 1s`, or one value for each operation.
        """),
    Row(
      .stateRegisterUnwritten, .error, "A response shows a value that no client wrote.",
      example: "getNote: state \"notes\", key 7: a response shows a value that no client had written by then",
      remedy: """
        If the value belongs to another key, look for a mixed-up cache or id. If the server rewrites the value, name \
        under `value:` a field that the server stores unchanged. If other clients write, declare `exclusive: false`.
        """),
    Row(
      .stateRegisterOrder, .error, "No order of the writes explains the values that the responses show.",
      example: "state \"notes\", key 7: two values each appear before and after the other (4 exchanges)",
      remedy: """
        Look for reads that switch between two copies, and for a write that was applied twice. Order the writes of one \
        key with one primary, a lock or a version, and read from there. If reads may lag, declare `stale:`.
        """),
    Row(
      .stateSetTwice, .error, "The responses to two creations contain the same id.",
      example: "createNote: state \"notes\", key 31: two creations returned the same id (2 exchanges)",
      remedy: """
        Generate ids from a sequence, or as UUIDs under a unique constraint. If a repeated request should return the \
        same item, name its idempotency key: `idempotency: header.Idempotency-Key`.
        """),
    Row(
      .stateSetEarly, .error, "An item was shown or deleted before the request to create it was sent.",
      example: "listNotes: state \"notes\", key 31: it was shown or deleted before its creation was sent (2 exchanges)",
      remedy: """
        Check whether the API reuses ids, or whether the counter of ids was reset. Never assign an id twice: clients \
        may still use it for the old item.
        """),
    Row(
      .stateSetReturned, .error, "A response shows an item after its deletion was confirmed.",
      example: "listNotes: state \"notes\", key 31: it was shown after its deletion was confirmed (3 exchanges)",
      remedy: """
        Remove the item from indexes, caches and replicas before you respond to the deletion. If the deletion takes \
        effect later, return 202 and declare `within:`. If lists may lag, declare it, such as `stale: { listNotes: 1s }`.
        """),
    Row(
      .stateSetMissing, .error, "A response lacks an item that was created and not deleted.",
      example: """
        listNotes: state "notes", key 31: it was created and not deleted, and a response lacks it (2 exchanges)
        """,
      remedy: """
        Commit the creation before you send the response, and let lists read the committed rows. If a list shows only \
        a part of the items, declare `paged: true`. If a list may lag, declare `stale:`. If each user has a list, \
        declare `owner:`.
        """),
    Row(
      .stateSetUnknown, .error, "A list shows more items than the clients could have created.",
      example: """
        listNotes: state "notes": a list shows 3 items that no client is known to have created; only 1 could exist
        """,
      remedy: """
        Look for creations that run twice, and for rejected creations that are stored. If other clients create items, \
        or items existed before the run, declare `exclusive: false`. If each user has a list, declare `owner:`.
        """),
    Row(
      .stateSetSnapshot, .error, "A list mixes items that never existed at the same time.",
      example: "listNotes: state \"notes\": one list shows items that never existed at the same time (3 exchanges)",
      remedy: """
        Read the list in one query, or in one transaction with a snapshot. If a list need not show the state at one \
        time, remove `snapshot: true` from the invariant.
        """),
    Row(
      .stateSetForeign, .error, "A list shows an item that another user created.",
      example: "listNotes: state \"notes\", key 31: a list of another user shows it (2 exchanges)",
      remedy: """
        Filter the list by the authenticated user, and add that user to the key of every cache. If users share items, \
        remove `owner:` from the invariant.
        """),
    Row(
      .stateSetRepeated, .error, "A repeated creation with the same idempotency key created a second item.",
      example: """
        createNote: state "notes", key 31: its creation and another one with the same idempotency key returned two ids \
        (2 exchanges)
        """,
      remedy: """
        Store the idempotency key with the item in one transaction, under a unique constraint. Respond to a repeated \
        request with the first item. Do not only check the key before the insert: two concurrent requests can both \
        pass that check.
        """),
    Row(
      .stateDeliveryCount, .error, "The number of delivery tickets differs from the number of messages in the batch.",
      example: "sendPush: state \"push\": 100 messages were sent, and 99 tickets were returned",
      remedy: """
        Return one ticket for each message of a batch, and an error ticket for a failed message. Do not omit a ticket: \
        an omitted ticket shifts all tickets after it.
        """),
    Row(
      .stateDeliveryOrder, .error, "A delivery ticket belongs to a message at a different place in the batch.",
      example: "sendPush: state \"push\": the ticket at place 3 does not belong to the message at that place",
      remedy: """
        Return the tickets in the order of the messages. Sort parallel results by the place of the message, and not by \
        the time of completion. If `marks:` does not name the messages that must fail, fix `marks:`.
        """),
    Row(
      .stateDeliveryTwice, .error, "Two delivery tickets have the same id.",
      example: "sendPush: state \"push\": two tickets have the same id (2 exchanges)",
      remedy: """
        Generate ticket ids at random, or from one sequence for all worker processes. Do not use the time or one \
        counter per worker: both repeat ids under load.
        """),
    Row(
      .stateDeliveryMissing, .error, "A delivery ticket has no receipt after the declared time.",
      example: "getReceipts: state \"push\": a ticket had no receipt when one was due (2 exchanges)",
      remedy: """
        Check whether the message was lost or is only slow. Look for a queue that drops messages, and for a worker \
        that crashed before it wrote the receipt. If receipts may take longer, raise `within:`.
        """),
    Row(
      .stateDeliveryUnasked, .error, "A response contains a delivery receipt that was not requested.",
      example: "getReceipts: state \"push\": a receipt was received that was not requested",
      remedy: """
        Return only the receipts for the ids in the request, and only those of the authenticated user. Other receipts \
        disclose messages of other users.
        """),
    Row(
      .stateDeliveryWrong, .error, "A delivery receipt contradicts its message, or an earlier receipt.",
      example: """
        getReceipts: state "push": a receipt does not have the outcome that its message requires (2 exchanges)
        """,
      remedy: """
        Write each receipt from the outcome of its own message, and do not change a final receipt. If the API shows \
        receipts before they are final, remove `receipt:`. If `fails:` names the wrong messages, fix `fails:`.
        """),
    Row(
      .stateDeliveryRepeated, .error,
      "A repeated batch of messages with the same idempotency key got different delivery tickets.",
      example: """
        sendPush: state "push": one message that was sent twice with its idempotency key got two tickets (2 exchanges \
        prove it)
        """,
      remedy: """
        Store the tickets of a batch under its idempotency key before you send the first response. Respond to a \
        repeated batch with the stored tickets. Otherwise users get each message twice after a lost response.
        """),
    Row(
      .stateSessionBack, .error, "A response shows a session an older value than the session has written or read.",
      example: """
        getEntry: state "entries", key 7: a session was shown 3 although it had written or read 4 before (2 exchanges)
        """,
      remedy: """
        Let a session read from one replica. Or send the version or log position of the last read in each request, and \
        let the replica wait for it. If responses may lag, declare `stale:`.
        """),
    Row(
      .stateFormula, .error, "A formula in the scenario is false for a response.",
      example: "getCart: the formula, key 7: the formula does not hold for a response that shows 5 (4 exchanges)",
      remedy: """
        Calculate the formula by hand from the exchanges of the finding. If the response is wrong, look for writes \
        that were lost or applied twice. If the formula omits unanswered writes, add `unknown` to it: docs/state.md \
        has examples.
        """),
  ]
}
