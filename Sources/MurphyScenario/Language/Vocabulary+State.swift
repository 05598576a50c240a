extension Vocabulary {
  /// The keys that every invariant may have.
  private static let terms = [
    Key("name", "Its name in reports.", .text),
    Key("key", "The resource of an exchange: path.id, header.X-Room, body.id.", .text),
    Key(
      "exclusive", "True if only this run changes these resources; by default only for an API that murphy starts.",
      .boolean),
    Key("settle", "An unanswered write takes effect within this time or never; without it, at any time.", .duration),
    Key(
      "within", "The time within which a write with status 202 takes effect, and a receipt exists; 30s by default.",
      .duration),
    Key(
      "stale", "How old responses may be: of all operations, or by operationId; 0s by default.",
      .either([.duration, .names(.duration, "An operationId, or \"*\".")])),
    Key(
      "final", "off: do not read each resource once more after the load.",
      .either([.boolean, .choice(["on", "off"])])),
  ]

  private static let idempotency = Key(
    "idempotency",
    "What all repetitions of a request have in common, so that it takes effect once: header.Idempotency-Key.",
    .text)

  private static let start = Key(
    "start", "Operations that murphy calls before the load, to read the state before the first write.",
    .either([.text, .list(.text), .names(.vocabulary("start"), "An operationId.")]))

  private static let operations = Shape.texts
  private static let numbers = Shape.names(
    .either([.path, .vocabulary("shown")]), "An operationId.")

  static let invariant = Vocabulary(
    name: "invariant", title: "an invariant",
    summary: "State invariants under concurrent writes.",
    keys: [
      Key("ledger", "A name: counts show the last accepted action of each voter.", .text),
      Key("holds", "A formula of your own over each response and the writes around it.", .text),
      Key("counter", "Each accepted write adds one.", .vocabulary("counter")),
      Key("versions", "Each accepted change raises the version by one.", .vocabulary("versions")),
      Key("register", "Reads show the value that was written last.", .vocabulary("register")),
      Key("set", "Created items exist until they are deleted.", .vocabulary("things")),
      Key("delivery", "A ticket for each message, and its receipt.", .vocabulary("delivery")),
      Key("session", "A session never sees a smaller value than before.", .vocabulary("order")),
      Key("voter", "Who made a write: header.X-Device-ID.", .text),
      Key(
        "rule", "Of a ledger: last by default; toggle if a second equal vote takes the first back.",
        .choice(["last", "toggle"])),
      Key(
        "write", "Operations that write; for a ledger with their meaning: up, down, none, or conditions.",
        .either([
          operations, .names(.either([.choice(["up", "down", "none"]), .vocabulary("votes")]), "An operationId."),
        ])),
      Key("read", "Where responses show the numbers, by operationId.", numbers),
      start, idempotency,
    ] + terms,
    alternatives: [["ledger", "holds", "counter", "versions", "register", "set", "delivery", "session"]])

  static let votes = Vocabulary(
    name: "votes", title: "a vote", summary: "The conditions for each kind of vote: body.vote_type == up.",
    Key("up", "The condition for a vote up.", .text),
    Key("down", "The condition for a vote down.", .text),
    Key("none", "The condition for taking a vote back.", .text))

  static let starts = Vocabulary(
    name: "start", title: "a start", summary: "How an operation is called before the load.",
    Key("query", "Its query parameters.", .names(.anything, "A parameter.")),
    Key("headers", "Its headers.", .names(.text, "The header's name.")),
    Key("keys", "Called once for each of these keys, which are in its path.", .list(.text)))

  /// Names of a formula are allowed in addition to these, so the reader checks them.
  static let shown = Vocabulary(
    name: "shown", title: "a reading", summary: "Where a response shows the numbers of a resource.",
    Key("each", "Elements of the response, each of them a resource; the other keys are read within an element.", .path),
    Key("key", "Within an element: the id of its resource.", .path),
    Key("up", "Votes up.", .path),
    Key("down", "Votes down.", .path),
    Key("count", "The count.", .path))

  static let counter = Vocabulary(
    name: "counter", title: "a counter", summary: "A number to which each accepted write adds one.",
    keys: [
      Key("write", "Operations that add one.", operations, isRequired: true),
      Key("read", "Where responses show the count, by operationId.", numbers, isRequired: true),
      start, idempotency,
    ] + terms)

  static let versions = Vocabulary(
    name: "versions", title: "versions", summary: "Optimistic concurrency: a change names the version it is based on.",
    keys: [
      Key("push", "The operation that changes an entry.", .text, isRequired: true),
      Key("based-on", "The version that a push is based on: body.version.", .text, isRequired: true),
      Key("version", "The version in a response: $.version.", .path, isRequired: true),
      Key("content", "Fields that come back as they were sent: [body.text].", .list(.text)),
      Key("conflict", "By status: where a rejection shows the current entry.", .names(.path, "A status.")),
      Key(
        "read", "By operationId: where a response has its entry ($), or entries ($.data[*]).",
        .names(.path, "An operationId.")),
      Key("id", "Within one of several entries: its id.", .path),
    ] + terms)

  static let register = Vocabulary(
    name: "register", title: "a register", summary: "One value that is written, read and deleted as a whole.",
    keys: [
      Key("put", "The operation that writes it.", .text, isRequired: true),
      Key("get", "The operation that reads it; 404 and 410 mean that there is none.", .text, isRequired: true),
      Key("delete", "The operation that deletes it.", .text),
      Key("value", "The field: body.text, which is $.text in responses.", .text, isRequired: true),
    ] + terms)

  static let things = Vocabulary(
    name: "things", title: "a set", summary: "Items that are created, listed and deleted.",
    keys: [
      Key("create", "The operation that creates one.", .text, isRequired: true),
      Key("id", "Its id in the response: $.id.", .path, isRequired: true),
      Key("list", "By operationId: the ids in a list, $.data[*].id.", .names(.path, "An operationId.")),
      Key("get", "The operation that reads one.", .text),
      Key("delete", "The operation that deletes one.", .text),
      Key("paged", "true: a list shows only some items, so an absent item is not missing.", .boolean),
      Key("snapshot", "true: one list shows one point in time.", .boolean),
      Key(
        "owner",
        "Who sends the request, if each user has their own list: header.Authorization. One user has one value.",
        .text),
      idempotency,
    ] + terms)

  static let delivery = Vocabulary(
    name: "delivery", title: "a delivery", summary: "Messages that get tickets, and tickets that get receipts.",
    keys: [
      Key("send", "The operation that sends messages.", .text, isRequired: true),
      Key("message", "The messages: body[*].", .text, isRequired: true),
      Key("tickets", "The tickets in the response: $.data[*].", .path, isRequired: true),
      Key("id", "Within a ticket: its id; one without is an error.", .path, isRequired: true),
      Key("marks", "Messages whose ticket must be an error: to in bad-*.", .text),
      Key("receipts", "The operation that requests receipts.", .text),
      Key("asked", "The ids that it requests: body.ids[*].", .text),
      Key("found", "An object with the ids as its names, or a list of ids.", .path),
      Key(
        "receipt", "Within a receipt, which must be final: its condition for a message that arrived, $.status == ok.",
        .text),
      Key("fails", "Messages whose receipt must differ from that: data.phone in gone-*.", .text),
      idempotency,
    ] + terms)

  static let order = Vocabulary(
    name: "order", title: "a session's order", summary: "A value that only grows, as seen by each session.",
    keys: [
      Key("order", "The value in responses: $.version.", .path, isRequired: true),
      Key("read", "Operations that show it.", operations, isRequired: true),
      Key("write", "Operations that raise it and return it.", operations),
    ] + terms)

  static let state: [Vocabulary] = [
    invariant, votes, starts, shown, counter, versions, register, things, delivery, order,
  ]
}
