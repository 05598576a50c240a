/// Kinds of findings about invariants over sessions.
extension FindingRule {
  static let stateRows: [Row] = [
    Row(
      .stateLedgerMissing, .error, "Votes that were accepted are missing from the counts.",
      example: "getLaw: state \"votes\", key 42: a response shows 17 up, expected 18 to 19 (3 exchanges)",
      remedy: """
        Look for writes that overwrite each other: a count that is read, raised and written in two statements, or a \
        cache that is older than the response. If reads may lag, declare `stale:`; if writes take effect later, return \
        202 and declare `within:`.
        """),
    Row(
      .stateLedgerSurplus, .error, "Counts are higher than the sent votes allow.",
      example: "getLaw: state \"votes\", key 42: a response shows 19 up, expected 17 to 18 (3 exchanges)",
      remedy: """
        Look for votes that count twice: a changed vote that does not remove the old vote, a rejected or repeated \
        request that is counted. Store each voter's vote under a unique key. If a second vote revokes the first, \
        declare `rule: toggle`.
        """),
    Row(
      .stateCounterBack, .error, "A count decreased although nothing lowers it.",
      example: """
        getItem: state "views", key 42: a response shows 16 although one before it showed 17, and nothing lowers the \
        count (2 exchanges)
        """,
      remedy: """
        The responses are from copies that differ: replicas, caches or workers with their own count. Read from one \
        place, or declare with `stale:` how far responses may lag. If something lowers the count, it is not a \
        `counter`.
        """),
    Row(
      .stateCounterMissing, .error, "Accepted increments are missing from a count.",
      example: """
        getItem: state "views", key 42: no time between the responses fits an increment that was accepted (4 \
        exchanges)
        """,
      remedy: """
        Raise the count in one statement (`SET n = n + 1`) instead of reading it and writing it back, and respond only \
        after the commit. If increments are written later, return 202 and declare `within:`.
        """),
    Row(
      .stateCounterSurplus, .error, "A count is higher than the sent increments allow.",
      example: """
        getItem: state "views", key 42: a response shows 19, which is more than was sent by then (9 exchanges)
        """,
      remedy: """
        Look for increments that run twice: a retried job or transaction, a rejected request that counts. If others \
        write too, declare `exclusive: false`; for an unanswered request that may take effect late, set `settle:`.
        """),
    Row(
      .stateVersionStep, .error, "A change got a version that does not follow the version that it was based on.",
      example: "putEntry: state \"entries\", key 7: a change that was based on version 3 got version 5, and not 4",
      remedy: """
        Give an accepted change the version that follows its base, in the same transaction that checks the base. If \
        versions skip numbers on purpose, the `versions` invariant does not fit: use `session:` with an order.
        """),
    Row(
      .stateVersionTwice, .error, "Two accepted changes got the same version.",
      example: "putEntry: state \"entries\", key 7: two changes got version 4 (2 exchanges)",
      remedy: """
        Compare and write in one statement: `UPDATE … SET version = 4 WHERE id = 7 AND version = 3`, and return 409 \
        when no row was changed. Reading the version before the write is not enough.
        """),
    Row(
      .stateVersionBack, .error, "A version decreased: an older one was shown after a newer one was confirmed.",
      example: """
        getEntry: state "entries", key 7: version 3 was shown or used as a base although version 4 had been confirmed \
        before (2 exchanges)
        """,
      remedy: """
        A replica or a cache shows the state before the write. Read from the primary after a write, invalidate the \
        cache in the write, or declare with `stale:` how old a response may be.
        """),
    Row(
      .stateVersionContent, .error, "Responses show two different contents for the same version.",
      example: "getEntry: state \"entries\", key 7: version 4 has two contents (2 exchanges)",
      remedy: """
        Something changes the entry without a new version, or two changes were accepted with one. Write content and \
        version in one statement; do not list fields that the server itself changes under `content:`.
        """),
    Row(
      .stateVersionUnwritten, .error, "A response shows a version that no client wrote.",
      example: "getEntry: state \"entries\", key 7: version 6 was shown, and no client wrote it",
      remedy: """
        Find what else raises versions: a job, a trigger, a migration, or a rejected change that counts. If others may \
        write the same resources, declare `exclusive: false`.
        """),
    Row(
      .stateVersionRefused, .error, "A change was rejected although it was based on the current version.",
      example: """
        putEntry: state "entries", key 7: a change based on version 4 was rejected although that version was current \
        throughout (3 exchanges)
        """,
      remedy: """
        The check compares with something other than the current version: a cached copy, a time instead of a number, \
        or another worker's change that was rolled back. Check it in the statement that writes.
        """),
    Row(
      .stateRegisterStale, .error, "A response shows a value that had been replaced before the request was sent.",
      example: """
        getNote: state "notes", key 7: a response shows a value that had been replaced before it was requested (2 \
        exchanges prove it)
        """,
      remedy: """
        Invalidate the cache, or wait for the replica, before the write is answered. If responses may be older, \
        declare it: `stale: 1s`, or by operation.
        """),
    Row(
      .stateRegisterUnwritten, .error, "A response shows a value that no client wrote.",
      example: "getNote: state \"notes\", key 7: a response shows a value that no client had written by then",
      remedy: """
        A value of another key indicates a mixed-up cache or id. A changed value indicates that the server rewrites \
        it: name in `value:` a field that the server stores unchanged. If others write, declare `exclusive: false`.
        """),
    Row(
      .stateRegisterOrder, .error, "No order of the writes explains the reads.",
      example: "state \"notes\", key 7: two values each appear before and after the other (4 exchanges)",
      remedy: """
        Reads switch between two copies, or a write was applied twice. Order the writes of one key (one primary, one \
        lock, a version) and read from there; declare an allowed lag with `stale:`.
        """),
    Row(
      .stateSetTwice, .error, "Two creations returned the same id.",
      example: "createNote: state \"notes\", key 31: two creations returned the same id (2 exchanges)",
      remedy: """
        Generate ids from a sequence or as UUIDs under a unique constraint. If a repeated request with one key should \
        return the same item, name the key: `idempotency: header.Idempotency-Key`.
        """),
    Row(
      .stateSetEarly, .error, "An item was shown or deleted before the request to create it was sent.",
      example: "listNotes: state \"notes\", key 31: it was shown or deleted before its creation was sent (2 exchanges)",
      remedy: """
        Ids are reused, or the counter of ids was reset: a new item gets the id of an old one that clients may still \
        use. Never assign an id twice.
        """),
    Row(
      .stateSetReturned, .error, "An item was shown after its deletion was confirmed.",
      example: "listNotes: state \"notes\", key 31: it was shown after its deletion was confirmed (3 exchanges)",
      remedy: """
        Remove the item from indexes, caches and replicas before the deletion is answered, or return 202 and declare \
        `within:`. If lists may lag, declare `stale: { listNotes: 1s }`.
        """),
    Row(
      .stateSetMissing, .error, "An item that was created and not deleted was missing in a response.",
      example: """
        listNotes: state "notes", key 31: it was created and not deleted, and a response lacks it (2 exchanges)
        """,
      remedy: """
        Check that the creation is committed before it is answered, and that lists read the committed rows. If a list \
        shows only a part, declare `paged: true`; if it may lag, `stale:`; if each user has a list, `owner:`.
        """),
    Row(
      .stateSetUnknown, .error, "Responses show more items than could have been created.",
      example: """
        listNotes: state "notes": a list shows 3 items that no client is known to have created; only 1 could exist
        """,
      remedy: """
        Look for creations that run twice or that were rejected and stored. If others create items as well, or items \
        existed before the run, declare `exclusive: false`; lists of several users need `owner:`.
        """),
    Row(
      .stateSetSnapshot, .error, "A list mixes items that never existed at the same time.",
      example: "listNotes: state \"notes\": one list shows items that never existed at the same time (3 exchanges)",
      remedy: """
        Read the list in one query or one transaction with a snapshot. If a list need not show the state at one time, \
        remove `snapshot: true` from the invariant.
        """),
    Row(
      .stateSetForeign, .error, "A list shows an item that another user created.",
      example: "listNotes: state \"notes\", key 31: a list of another user shows it (2 exchanges)",
      remedy: """
        Filter the list by the authenticated caller, and put that caller into the key of every cache. If items are \
        shared between users, remove `owner:` from the invariant.
        """),
    Row(
      .stateSetRepeated, .error, "A repeated creation with the same idempotency key created a second item.",
      example: """
        createNote: state "notes", key 31: its creation and another one with the same idempotency key returned two ids \
        (2 exchanges)
        """,
      remedy: """
        Store the key with the item in one transaction under a unique constraint, and answer a repeat with the item of \
        the first request. If the key is checked before the insert, two concurrent requests can both pass.
        """),
    Row(
      .stateDeliveryCount, .error, "The number of tickets differs from the number of messages in a batch.",
      example: "sendPush: state \"push\": 100 messages were sent, and 99 tickets were returned",
      remedy: """
        Return one ticket for each message of a batch, and an error ticket for a failed message. A message without a \
        ticket shifts all tickets after it.
        """),
    Row(
      .stateDeliveryOrder, .error, "A ticket is at the place of a different message in its batch.",
      example: "sendPush: state \"push\": the ticket at place 3 does not belong to the message at that place",
      remedy: """
        Write the tickets in the order of the messages: collect parallel results by their place, not by when they \
        finish. If `marks:` does not name the messages that must fail, fix it.
        """),
    Row(
      .stateDeliveryTwice, .error, "Two tickets have the same id.",
      example: "sendPush: state \"push\": two tickets have the same id (2 exchanges)",
      remedy: """
        Generate the ids of tickets at random or from one sequence for all workers; a counter in each worker, or the \
        time, gives one id twice under load.
        """),
    Row(
      .stateDeliveryMissing, .error, "A ticket has no receipt when one is due.",
      example: "getReceipts: state \"push\": a ticket had no receipt when one was due (2 exchanges)",
      remedy: """
        Find out whether the message was lost or only slow: a queue that drops messages, a worker that died between \
        sending and writing the receipt. If receipts may take longer, raise `within:`.
        """),
    Row(
      .stateDeliveryUnasked, .error, "A response contains a receipt that was not requested.",
      example: "getReceipts: state \"push\": a receipt was received that was not requested",
      remedy: """
        Return only the receipts of the ids in the request, filtered by the caller: other receipts disclose messages \
        of other users.
        """),
    Row(
      .stateDeliveryWrong, .error, "A receipt contradicts its message, or an earlier receipt.",
      example: """
        getReceipts: state "push": a receipt does not have the outcome that its message requires (2 exchanges)
        """,
      remedy: """
        Check that a receipt is written from the outcome of its own message, and not changed once it is final. If a \
        receipt is not final when it is shown, remove `receipt:`; fix `fails:` if it names the wrong messages.
        """),
    Row(
      .stateDeliveryRepeated, .error, "A repeated batch with the same idempotency key got different tickets.",
      example: """
        sendPush: state "push": one message that was sent twice with its idempotency key got two tickets (2 exchanges \
        prove it)
        """,
      remedy: """
        Store the tickets of a batch under its idempotency key, written before the first response, and answer the \
        repeat with them; otherwise users get the message twice after a lost response.
        """),
    Row(
      .stateSessionBack, .error, "A session was shown an older value than it had written or read.",
      example: """
        getEntry: state "entries", key 7: a session was shown 3 although it had written or read 4 before (2 exchanges)
        """,
      remedy: """
        Let a session read from one replica, or make reads wait until the replica has the state that the session has \
        read (a version or log position in the request). If a lag is allowed, declare `stale:`.
        """),
    Row(
      .stateFormula, .error, "A formula of the scenario does not hold for a response.",
      example: "getCart: the formula, key 7: the formula does not hold for a response that shows 5 (4 exchanges)",
      remedy: """
        Add up the exchanges that the finding shows by hand. If the response is wrong, look for writes that were lost \
        or applied twice. If the formula omits unanswered writes, add `unknown` to the formula, as docs/state.md \
        shows.
        """),
  ]
}
