extension Vocabulary {
  /// What every invariant may say.
  private static let terms = [
    Key(name: "name", summary: "Its name in reports.", shape: .text),
    Key(name: "key", summary: "Which thing an exchange is about: path.id, header.X-Room, body.id.", shape: .text),
    Key(
      name: "exclusive",
      summary: "Whether nobody but this run changes these things; true for an API that murphy starts, else false.",
      shape: .boolean),
    Key(
      name: "settle",
      summary: "An unanswered write takes effect within this time or never; by default it may for ever.",
      shape: .duration),
    Key(
      name: "within", summary: "A write that was answered with 202 takes effect, and a receipt is there, within 30s.",
      shape: .duration),
    Key(
      name: "stale", summary: "How old answers may be: of all operations, or by operationId; 0s by default.",
      shape: .either([.duration, .names(.duration, summary: "An operationId, or \"*\".")])),
    Key(
      name: "final", summary: "off: do not read each thing once more when the load is over.",
      shape: .either([.boolean, .choice(["on", "off"])])),
  ]

  private static let idempotency = Key(
    name: "idempotency",
    summary: "What each repetition of a request has in common, so that it is done once: header.Idempotency-Key.",
    shape: .text)

  private static let start = Key(
    name: "start",
    summary: "Operations that murphy calls before the load: what they show was there before the first write.",
    shape: .either([.text, .list(.text), .names(.vocabulary("start"), summary: "An operationId.")]))

  private static let operations = Shape.either([.text, .list(.text)])
  private static let numbers = Shape.names(
    .either([.path, .vocabulary("shown")]), summary: "An operationId.")

  static let invariant = Vocabulary(
    name: "invariant", title: "an invariant",
    summary: "What must hold of the state behind the API, whoever writes at the same time.",
    keys: [
      Key(name: "ledger", summary: "A name: counts show the last accepted action of each voter.", shape: .text),
      Key(name: "holds", summary: "A formula of your own over each answer and the writes around it.", shape: .text),
      Key(name: "counter", summary: "Each accepted write adds one.", shape: .vocabulary("counter")),
      Key(name: "versions", summary: "Each accepted change raises the version by one.", shape: .vocabulary("versions")),
      Key(name: "register", summary: "Reads show the value that was written last.", shape: .vocabulary("register")),
      Key(name: "set", summary: "What was created is there until it is deleted.", shape: .vocabulary("things")),
      Key(name: "delivery", summary: "A ticket for each message, and its receipt.", shape: .vocabulary("delivery")),
      Key(name: "session", summary: "A session never sees less than before.", shape: .vocabulary("order")),
      Key(name: "voter", summary: "Whose action a write is: header.X-Device-ID.", shape: .text),
      Key(
        name: "rule", summary: "Of a ledger: last by default; toggle where a second equal vote takes the first back.",
        shape: .choice(["last", "toggle"])),
      Key(
        name: "write",
        summary: "Operations that write; of a ledger with what they mean: up, down, none, or conditions.",
        shape: .either([
          operations,
          .names(
            .either([.choice(["up", "down", "none"]), .vocabulary("votes")]), summary: "An operationId."),
        ])),
      Key(name: "read", summary: "Where answers show the numbers, by operationId.", shape: numbers),
      start, idempotency,
    ] + terms,
    alternatives: [["ledger", "holds", "counter", "versions", "register", "set", "delivery", "session"]])

  static let votes = Vocabulary(
    name: "votes", title: "a vote", summary: "When a write is which vote: body.vote_type == up.",
    keys: [
      Key(name: "up", summary: "The condition for a vote up.", shape: .text),
      Key(name: "down", summary: "The condition for a vote down.", shape: .text),
      Key(name: "none", summary: "The condition for taking a vote back.", shape: .text),
    ])

  static let starts = Vocabulary(
    name: "start", title: "a start", summary: "How an operation is called before the load.",
    keys: [
      Key(name: "query", summary: "Its query parameters.", shape: .names(.anything, summary: "A parameter.")),
      Key(name: "headers", summary: "Its header fields.", shape: .names(.text, summary: "A header field.")),
      Key(name: "keys", summary: "Called once for each of these keys, which stand in its path.", shape: .list(.text)),
    ])

  /// Names of a formula stand beside these, so the reader checks them.
  static let shown = Vocabulary(
    name: "shown", title: "a reading", summary: "Where an answer shows numbers of a thing.",
    keys: [
      Key(
        name: "each", summary: "Elements of the answer, each of them a thing; the rest is read from one.", shape: .path),
      Key(name: "key", summary: "Within an element: which thing it is.", shape: .path),
      Key(name: "up", summary: "Votes up.", shape: .path),
      Key(name: "down", summary: "Votes down.", shape: .path),
      Key(name: "count", summary: "The count.", shape: .path),
    ])

  static let counter = Vocabulary(
    name: "counter", title: "a counter", summary: "A number to which each accepted write adds one.",
    keys: [
      Key(name: "write", summary: "Operations that add one.", shape: operations, isRequired: true),
      Key(name: "read", summary: "Where answers show the count, by operationId.", shape: numbers, isRequired: true),
      start, idempotency,
    ] + terms)

  static let versions = Vocabulary(
    name: "versions", title: "versions", summary: "Optimistic concurrency: a change names the version it is based on.",
    keys: [
      Key(name: "push", summary: "The operation that changes an entry.", shape: .text, isRequired: true),
      Key(
        name: "based-on", summary: "The version that a push is based on: body.version.", shape: .text, isRequired: true),
      Key(name: "version", summary: "The version in an answer: $.version.", shape: .path, isRequired: true),
      Key(name: "content", summary: "Fields that come back as they were sent: [body.text].", shape: .list(.text)),
      Key(
        name: "conflict", summary: "By status: where a refusal shows the entry as it is.",
        shape: .names(.path, summary: "A status.")),
      Key(
        name: "read", summary: "By operationId: where an answer has its entry ($), or entries ($.data[*]).",
        shape: .names(.path, summary: "An operationId.")),
      Key(name: "id", summary: "Within an entry of several: which thing it is.", shape: .path),
    ] + terms)

  static let register = Vocabulary(
    name: "register", title: "a register", summary: "One value that is written, read and deleted as a whole.",
    keys: [
      Key(name: "put", summary: "The operation that writes it.", shape: .text, isRequired: true),
      Key(
        name: "get", summary: "The operation that reads it; 404 and 410 say that there is none.", shape: .text,
        isRequired: true),
      Key(name: "delete", summary: "The operation that deletes it.", shape: .text),
      Key(name: "value", summary: "The field: body.text, which is $.text in answers.", shape: .text, isRequired: true),
    ] + terms)

  static let things = Vocabulary(
    name: "things", title: "a set", summary: "Things that are created, listed and deleted.",
    keys: [
      Key(name: "create", summary: "The operation that creates one.", shape: .text, isRequired: true),
      Key(name: "id", summary: "Its id in the answer: $.id.", shape: .path, isRequired: true),
      Key(
        name: "list", summary: "By operationId: the ids in a list, $.data[*].id.",
        shape: .names(.path, summary: "An operationId.")),
      Key(name: "get", summary: "The operation that reads one.", shape: .text),
      Key(name: "delete", summary: "The operation that deletes one.", shape: .text),
      Key(
        name: "paged", summary: "true: a list shows some things only, and what it lacks is not missing.",
        shape: .boolean),
      Key(name: "snapshot", summary: "true: one list shows one moment.", shape: .boolean),
      Key(
        name: "owner",
        summary: "Who asks, where each user has a list of their own: header.Authorization. One user has one value.",
        shape: .text),
      idempotency,
    ] + terms)

  static let delivery = Vocabulary(
    name: "delivery", title: "a delivery", summary: "Messages that get tickets, and tickets that get receipts.",
    keys: [
      Key(name: "send", summary: "The operation that sends messages.", shape: .text, isRequired: true),
      Key(name: "message", summary: "The messages: body[*].", shape: .text, isRequired: true),
      Key(name: "tickets", summary: "The tickets in the answer: $.data[*].", shape: .path, isRequired: true),
      Key(name: "id", summary: "Within a ticket: its id; one without is an error.", shape: .path, isRequired: true),
      Key(name: "marks", summary: "Messages whose ticket must be an error: to in bad-*.", shape: .text),
      Key(name: "receipts", summary: "The operation that asks for receipts.", shape: .text),
      Key(name: "asked", summary: "The ids that it asks for: body.ids[*].", shape: .text),
      Key(name: "found", summary: "An object with the ids as its names, or a list of ids.", shape: .path),
      Key(
        name: "receipt",
        summary: "Within a receipt, which must be final: what it says of a message that arrived, $.status == ok.",
        shape: .text),
      Key(name: "fails", summary: "Messages whose receipt must say otherwise: data.phone in gone-*.", shape: .text),
      idempotency,
    ] + terms)

  static let order = Vocabulary(
    name: "order", title: "a session's order", summary: "A value that only grows, as each session sees it.",
    keys: [
      Key(name: "order", summary: "The value in answers: $.version.", shape: .path, isRequired: true),
      Key(name: "read", summary: "Operations that show it.", shape: operations, isRequired: true),
      Key(name: "write", summary: "Operations that raise it and answer with it.", shape: operations),
    ] + terms)

  static let state: [Vocabulary] = [
    invariant, votes, starts, shown, counter, versions, register, things, delivery, order,
  ]
}
