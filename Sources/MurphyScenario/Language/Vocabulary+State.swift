extension Vocabulary {
  /// The keys that every invariant may have.
  static let terms = [
    Key("name", "The name of the invariant in reports.", .text),
    Key("key", "Where a request has the id of its resource: path.id, header.X-Room, body.id.", .text),
    Key(
      "exclusive",
      "True if only this run changes these resources. Without this key, it is true only for an API that "
        + "murphy starts.",
      .boolean),
    Key(
      "settle",
      "The time after which a write without a response can no longer take effect. Without this key, it can "
        + "take effect at any time.", .duration),
    Key(
      "within", "The time within which a write with status 202 takes effect, or a receipt exists; 30s by default.",
      .duration),
    Key(
      "stale", "The maximum age of the data in responses, for all operations or by operationId; 0s by default.",
      .either([.duration, .names(.duration, "An operationId, or \"*\".")])),
    Key(
      "final", "With off, murphy does not read each resource once more after the load.",
      .either([.boolean, .choice(["on", "off"])])),
  ]

  private static let idempotency = Key(
    "idempotency",
    "Where a request has its idempotency key: header.Idempotency-Key. Requests with the same key must "
      + "take effect only once.",
    .text)

  private static let start = Key(
    "start", "Operations that murphy calls before the load, to read the state before the first write.",
    .either([.text, .list(.text), .names(.vocabulary("start"), "An operationId.")]))

  private static let operations = Shape.texts
  private static let numbers = Shape.names(
    .either([.path, .vocabulary("shown")]), "An operationId.")

  static let invariant = Vocabulary(
    name: "invariant", title: "an invariant",
    summary: "A rule about the state of the API that must hold under concurrent writes.",
    keys: [
      Key("ledger", "The name of a ledger of votes. Counts must equal the last accepted vote of each voter.", .text),
      Key("holds", "Your own formula over each response and the writes around it.", .text),
      Key("counter", "A counter: each accepted write must add one.", .vocabulary("counter")),
      Key("versions", "Versions: each accepted change must raise the version by one.", .vocabulary("versions")),
      Key("register", "A register: reads must return the value of the last write.", .vocabulary("register")),
      Key("set", "A set: created items must exist until they are deleted.", .vocabulary("things")),
      Key(
        "delivery", "A delivery: each message must get a ticket, and each ticket must get a receipt.",
        .vocabulary("delivery")),
      Key("session", "A session must never read a smaller value than before.", .vocabulary("order")),
      Key("voter", "Where a request has the id of its voter: header.X-Device-ID.", .text),
      Key(
        "rule", "The rule of a ledger: last by default; with toggle, a second equal vote revokes the first.",
        .choice(["last", "toggle"])),
      Key(
        "write", "The operations that write. For a ledger also their meaning: up, down, none, or conditions.",
        .either([
          operations, .names(.either([.choice(["up", "down", "none"]), .vocabulary("votes")]), "An operationId."),
        ])),
      Key("read", "Where a response has the numbers, by operationId.", numbers),
      start, idempotency,
    ] + terms,
    alternatives: [["ledger", "holds", "counter", "versions", "register", "set", "delivery", "session"]])

  static let votes = Vocabulary(
    name: "votes", title: "a vote", summary: "The condition for each type of vote: body.vote_type == up.",
    Key("up", "The condition for an up vote.", .text),
    Key("down", "The condition for a down vote.", .text),
    Key("none", "The condition for revoking a vote.", .text))

  static let starts = Vocabulary(
    name: "start", title: "a start", summary: "How murphy calls an operation before the load.",
    Key("query", "The query parameters of the call.", .names(.anything, "The name of a parameter.")),
    Key("headers", "The headers of the call.", .names(.text, "The header's name.")),
    Key("keys", "The keys for the path of the operation. murphy calls it once for each key.", .list(.text)))

  /// Names of a formula are allowed in addition to these, so the reader checks them.
  static let shown = Vocabulary(
    name: "shown", title: "a reading", summary: "Where a response has the numbers of a resource.",
    Key(
      "each",
      "JSONPath of the elements in a response, if each element is a resource. The other keys are then "
        + "relative to an element.", .path),
    Key("key", "JSONPath of the resource's id within an element.", .path),
    Key("up", "JSONPath of the number of up votes.", .path),
    Key("down", "JSONPath of the number of down votes.", .path),
    Key("count", "JSONPath of the count.", .path))

  static let counter = Vocabulary(
    name: "counter", title: "a counter", summary: "A number to which each accepted write adds one.",
    keys: [
      Key("write", "The operations that add one.", operations, isRequired: true),
      Key("read", "Where a response has the count, by operationId.", numbers, isRequired: true),
      start, idempotency,
    ] + terms)

  static let versions = Vocabulary(
    name: "versions", title: "versions",
    summary: "Optimistic concurrency: each change names the version on which it is based.",
    keys: [
      Key("push", "The operation that changes an entry.", .text, isRequired: true),
      Key("based-on", "Where a change names the version on which it is based: body.version.", .text, isRequired: true),
      Key("version", "JSONPath of the version in a response: $.version.", .path, isRequired: true),
      Key("content", "The fields that responses must return as they were sent: [body.text].", .list(.text)),
      Key("conflict", "JSONPath of the current entry in a rejection, by status.", .names(.path, "An HTTP status.")),
      Key(
        "read", "JSONPath of the entry ($) or entries ($.data[*]) in a response, by operationId.",
        .names(.path, "An operationId.")),
      Key("id", "JSONPath of the id within an entry, if a response has several entries.", .path),
    ] + terms)

  static let register = Vocabulary(
    name: "register", title: "a register", summary: "A single value that is written, read and deleted as a whole.",
    keys: [
      Key("put", "The operation that writes the value.", .text, isRequired: true),
      Key(
        "get", "The operation that reads the value. 404 and 410 mean that the value does not exist.", .text,
        isRequired: true),
      Key("delete", "The operation that deletes the value.", .text),
      Key("value", "The field with the value, such as body.text. In responses it is $.text.", .text, isRequired: true),
    ] + terms)

  static let things = Vocabulary(
    name: "things", title: "a set", summary: "Items that are created, listed and deleted.",
    keys: [
      Key("create", "The operation that creates an item.", .text, isRequired: true),
      Key("id", "JSONPath of the item's id in the response: $.id.", .path, isRequired: true),
      Key(
        "list", "JSONPath of the ids in a list, by operationId: $.data[*].id.", .names(.path, "An operationId.")
      ),
      Key("get", "The operation that reads one item.", .text),
      Key("delete", "The operation that deletes one item.", .text),
      Key(
        "paged", "If true, a list shows only some items. An item that is absent from the list is then not missing.",
        .boolean),
      Key("snapshot", "If true, all items of a list must have existed at the same time.", .boolean),
      Key(
        "owner",
        "Where a request has its user, if each user has a separate list: header.Authorization. A user must "
          + "always have the same value.",
        .text),
      idempotency,
    ] + terms)

  static let delivery = Vocabulary(
    name: "delivery", title: "a delivery", summary: "Messages that get tickets, and tickets that get receipts.",
    keys: [
      Key("send", "The operation that sends messages.", .text, isRequired: true),
      Key("message", "Where the request has its messages: body[*].", .text, isRequired: true),
      Key("tickets", "JSONPath of the tickets in the response: $.data[*].", .path, isRequired: true),
      Key("id", "JSONPath of the id within a ticket. A ticket without an id is an error.", .path, isRequired: true),
      Key("marks", "The messages whose ticket must be an error: to in bad-*.", .text),
      Key("receipts", "The operation that requests receipts.", .text),
      Key("asked", "Where the request for receipts has the ids: body.ids[*].", .text),
      Key("found", "JSONPath of the receipts: an object with the ids as names, or a list of ids.", .path),
      Key(
        "receipt",
        "The condition that the receipt of a delivered message meets: $.status == ok. The receipt must be "
          + "final.",
        .text),
      Key("fails", "The messages whose receipt must not meet the condition in `receipt`: data.phone in gone-*.", .text),
      idempotency,
    ] + terms)

  static let order = Vocabulary(
    name: "order", title: "a session's order", summary: "A value that never decreases, as each session reads it.",
    keys: [
      Key("order", "JSONPath of the value in responses: $.version.", .path, isRequired: true),
      Key("read", "The operations that read the value.", operations, isRequired: true),
      Key("write", "The operations that raise the value and return it.", operations),
    ] + terms)

  static let state: [Vocabulary] = [
    invariant, votes, starts, shown, counter, versions, register, things, delivery, order,
  ]
}
