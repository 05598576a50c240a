/// Kinds of findings about invariants over sessions.
extension FindingRule {
  static let stateRows: [Row] = [
    Row(
      .stateLedgerMissing, .error, "Votes that were accepted are missing from the counts.",
      example: "getLaw: votes of 42: a response shows 17 up; between 18 and 19 were possible (3 exchanges)",
      remedy: """
        Look for writes that overwrite each other: a count that is read, raised and written in two statements, or a \
        cache that is older than the response. If reads may lag, declare `stale:`; if writes take effect later, response \
        202 and say `within:`.
        """),
    Row(
      .stateLedgerSurplus, .error, "Counts are higher than the votes that were sent can make them.",
      example: "getLaw: votes of 42: a response shows 19 up; between 17 and 18 were possible (3 exchanges)",
      remedy: """
        Look for votes that count twice: a changed vote that keeps the old one, a refused or repeated request that is \
        counted. Hold each voter's vote under a unique key. If a second vote takes the first back, say `rule: toggle`.
        """),
    Row(
      .stateCounterBack, .error, "A count went back though nothing lowers it.",
      example: """
        getItem: views of 42: a response shows 16 though one before it showed 17, and nothing lowers the count (2 \
        exchanges)
        """,
      remedy: """
        The responses come from copies that differ: replicas, caches or workers with a count of their own. Read from one \
        place, or declare how far responses may lag with `stale:`. If something lowers the count, it is no `counter`.
        """),
    Row(
      .stateCounterMissing, .error, "Accepted increments are missing from a count.",
      example: """
        getItem: views of 42: the responses leave no moment for an increment that was accepted (4 exchanges)
        """,
      remedy: """
        Raise the count in one statement (`SET n = n + 1`) in place of reading it and writing it back, and response only \
        after the commit. If increments are written later, answer 202 and declare `within:`.
        """),
    Row(
      .stateCounterSurplus, .error, "A count is higher than the increments that were sent can make it.",
      example: "getItem: views of 42: a response shows 19, which is more than was sent by then (9 exchanges)",
      remedy: """
        Look for increments that run twice: a retried job or transaction, a refused request that counts. If others \
        write too, say `exclusive: false`; for an unanswered request that may take effect late, set `settle:`.
        """),
    Row(
      .stateVersionStep, .error, "A change was given a version that does not follow the one that it was based on.",
      example: "putEntry: entries of 7: a change that was based on version 3 was given version 5, and not 4",
      remedy: """
        Give an accepted change the version that follows its base, in the same transaction that checks the base. If \
        versions skip numbers on purpose, the `versions` invariant does not fit: use `session:` with an order.
        """),
    Row(
      .stateVersionTwice, .error, "Two changes were accepted with one version.",
      example: "putEntry: entries of 7: version 4 was given to two changes (2 exchanges)",
      remedy: """
        Compare and write in one statement: `UPDATE … SET version = 4 WHERE id = 7 AND version = 3`, and answer 409 \
        when no row was changed. Reading the version before the write is not enough.
        """),
    Row(
      .stateVersionBack, .error, "A version went back: an older one was shown after a newer one was answered.",
      example: """
        getEntry: entries of 7: version 3 was shown or built on though version 4 had been answered before (2 exchanges)
        """,
      remedy: """
        A replica or a cache shows what was there before the write. Read from the primary after a write, invalidate \
        the cache in the write, or declare with `stale:` how old a response may be.
        """),
    Row(
      .stateVersionContent, .error, "One version has two contents.",
      example: "getEntry: entries of 7: version 4 has two contents (2 exchanges)",
      remedy: """
        Something changes the entry without a new version, or two changes were accepted with one. Write content and \
        version in one statement; fields that the server changes by itself do not belong under `content:`.
        """),
    Row(
      .stateVersionUnwritten, .error, "A version was shown that nobody wrote.",
      example: "getEntry: entries of 7: version 6 was shown, and nobody wrote it",
      remedy: """
        Find who else raises versions: a job, a trigger, a migration, or a refused change that counts. If others may \
        write the same things, say `exclusive: false`.
        """),
    Row(
      .stateVersionRefused, .error, "A change was refused though it was based on the current version.",
      example: """
        putEntry: entries of 7: a change based on version 4 was refused though that version was current throughout (3 \
        exchanges)
        """,
      remedy: """
        The check compares with something other than the current version: a cached copy, a time in place of a number, \
        or another worker's change that was rolled back. Check it in the statement that writes.
        """),
    Row(
      .stateRegisterStale, .error, "A value was shown that had been replaced before it was asked for.",
      example: """
        getNote: notes of 7: a response shows a value that had been replaced before it was asked for (2 exchanges prove \
        it)
        """,
      remedy: """
        Invalidate the cache, or wait for the replica, before the write is answered. If responses may be older, declare \
        it: `stale: 1s`, or by operation.
        """),
    Row(
      .stateRegisterUnwritten, .error, "A value was shown that nobody wrote.",
      example: "getNote: notes of 7: a response shows a value that nobody had written by then",
      remedy: """
        Look at the value: one of another key points to a mixed-up cache or id, a changed one to the server's own \
        rewriting. Compare a field that is stored as sent in `value:`; others who write need `exclusive: false`.
        """),
    Row(
      .stateRegisterOrder, .error, "No order of the writes explains what the reads show.",
      example: "notes of 7: two values were each there before and after the other (4 exchanges)",
      remedy: """
        Reads jump between two copies, or a write was applied twice. Order the writes of one key (one primary, one \
        lock, a version) and read from there; a lag that is allowed is `stale:`.
        """),
    Row(
      .stateSetTwice, .error, "Two creations were answered with one id.",
      example: "createNote: notes of 31: two creations were answered with the same id (2 exchanges)",
      remedy: """
        Draw ids from a sequence or as UUIDs under a unique constraint. If a repeated request with one key is meant to \
        give the same thing, name the key: `idempotency: header.Idempotency-Key`.
        """),
    Row(
      .stateSetEarly, .error, "A thing was shown or deleted before its creation was sent.",
      example: "listNotes: notes of 31: it was shown or deleted before its creation was sent (2 exchanges)",
      remedy: """
        Ids are used again, or the counter of ids was reset: a new thing gets the id of an old one that clients may \
        still hold. Never give out an id twice.
        """),
    Row(
      .stateSetReturned, .error, "A thing was shown after its deletion was answered.",
      example: "listNotes: notes of 31: it was shown after its deletion was answered (3 exchanges)",
      remedy: """
        Remove the thing from indexes, caches and replicas before the deletion is answered, or response 202 and declare \
        `within:`. If lists may lag behind, say `stale: { listNotes: 1s }`.
        """),
    Row(
      .stateSetMissing, .error, "A thing that was created and not deleted was not there.",
      example: "listNotes: notes of 31: it was created and not deleted, and a response lacks it (2 exchanges)",
      remedy: """
        Check that the creation is committed before it is answered, and that lists read what was written. If a list \
        shows only a part, say `paged: true`; if it may lag, `stale:`; if each user has a list, `owner:`.
        """),
    Row(
      .stateSetUnknown, .error, "More things were shown than can have been created.",
      example: "listNotes: notes: a list shows 3 things that nobody is known to have created; 1 were possible",
      remedy: """
        Look for creations that run twice or were refused and kept. If others create things as well, or things were \
        there before the run, say `exclusive: false`; lists of several users need `owner:`.
        """),
    Row(
      .stateSetSnapshot, .error, "One list shows things that were never there together.",
      example: "listNotes: notes: one list shows things that were never there at the same time (3 exchanges)",
      remedy: """
        Read the list in one query or one transaction with a snapshot. If a list need not show one moment, leave \
        `snapshot: true` out of the invariant.
        """),
    Row(
      .stateSetForeign, .error, "A list shows a thing that another user created.",
      example: "listNotes: notes of 31: a list of another user shows it (2 exchanges)",
      remedy: """
        Filter the list by the caller that authentication found, and put that caller into the key of every cache. If \
        things are shared between users, leave `owner:` out of the invariant.
        """),
    Row(
      .stateSetRepeated, .error, "A creation that was sent again with its idempotency key made a second thing.",
      example: """
        createNote: notes of 31: its creation and another one with the same idempotency key were answered with two ids \
        (2 exchanges)
        """,
      remedy: """
        Store the key with the thing in one transaction under a unique constraint, and response a repeat with what the \
        first one made. Checking for the key before the insert leaves a gap for two requests at once.
        """),
    Row(
      .stateDeliveryCount, .error, "A batch of messages got another number of tickets.",
      example: "sendPush: push: 100 messages were sent, and 99 tickets came back",
      remedy: """
        Answer each message of a batch with a ticket, failed ones with a ticket that says so. A message that is left \
        out moves all tickets behind it.
        """),
    Row(
      .stateDeliveryOrder, .error, "A ticket belongs to another message of its batch.",
      example: "sendPush: push: the ticket at place 3 does not belong to the message at that place",
      remedy: """
        Write the tickets in the order of the messages: collect parallel results by their place, not by when they \
        finish. If `marks:` does not name the messages that must fail, mend it.
        """),
    Row(
      .stateDeliveryTwice, .error, "The id of a ticket was given out twice.",
      example: "sendPush: push: one id was given to two tickets (2 exchanges)",
      remedy: """
        Draw the ids of tickets at random or from one sequence for all workers; a counter in each worker, or the time, \
        gives one id twice under load.
        """),
    Row(
      .stateDeliveryMissing, .error, "A ticket has no receipt when one is due.",
      example: "getReceipts: push: a ticket had no receipt when one was due (2 exchanges)",
      remedy: """
        Find out whether the message was lost or only slow: a queue that drops, a worker that died between sending and \
        writing the receipt. If receipts may take longer, raise `within:`.
        """),
    Row(
      .stateDeliveryUnasked, .error, "A receipt came that was not asked for.",
      example: "getReceipts: push: a receipt came that was not asked for",
      remedy: """
        Answer only with the receipts of the ids in the request, filtered by the caller: receipts of others tell of \
        other people's messages.
        """),
    Row(
      .stateDeliveryWrong, .error, "A receipt contradicts its message, or an earlier receipt.",
      example: "getReceipts: push: a receipt does not say what must become of its message (2 exchanges)",
      remedy: """
        Check that a receipt is written from the outcome of its own message, and not changed once it is final. If a \
        receipt is not final when it is shown, leave `receipt:` out; mend `fails:` if it names the wrong messages.
        """),
    Row(
      .stateDeliveryRepeated, .error, "A batch that was sent again with its idempotency key got other tickets.",
      example: """
        sendPush: push: one message that was sent twice with its idempotency key got two tickets (2 exchanges prove \
        it)
        """,
      remedy: """
        Keep the tickets of a batch under its idempotency key, written before the first response, and response the repeat \
        with them; otherwise people get the message twice after a lost response.
        """),
    Row(
      .stateSessionBack, .error, "A session was shown something older than what it had written or read.",
      example: """
        getEntry: entries of 7: a session was shown 3 though it had written or read 4 before (2 exchanges)
        """,
      remedy: """
        Keep a session on one replica, or make reads wait until the replica has what the session has seen (a version \
        or log position in the request). If a lag is allowed, declare `stale:`.
        """),
    Row(
      .stateFormula, .error, "A formula of the scenario does not hold for what a response shows.",
      example: "getCart: the formula of 7: the formula does not hold for a response that shows 5 (4 exchanges)",
      remedy: """
        Add up the exchanges that the finding shows by hand. If the response is wrong, look for lost or doubled writes; \
        if the formula forgets unanswered writes, add a term of `unknown` as docs/state.md shows.
        """),
  ]
}
