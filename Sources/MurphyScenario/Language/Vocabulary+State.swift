extension Vocabulary {
  /// The keys that every invariant may have.
  static let terms = [
    Key("name", "The name of the invariant in reports.", .text),
    Key(
      "key",
      "The part of a request that contains the id of the resource, such as path.id, header.X-Room or body.id.", .text),
    Key(
      "exclusive",
      "If true, only this run changes these resources. If `exclusive` is missing, murphy assumes true only for an API "
        + "that murphy itself started.",
      .boolean),
    Key(
      "settle",
      "The time after which a write without a response can no longer take effect. Without `settle`, such a write can "
        + "take effect at any time.", .duration),
    Key(
      "within",
      "The maximum time until a write with status 202 takes effect, or until a receipt exists; 30s by default.",
      .duration),
    Key(
      "stale", "The maximum age of the data in a response, for all operations or by operationId; 0s by default.",
      .either([.duration, .names(.duration, "An operationId, or \"*\" for all operations.")])),
    Key(
      "final", "With `on`, murphy reads each written resource once more after the load; on by default.",
      .either([.boolean, .choice(["on", "off"])])),
  ]

  private static let idempotency = Key(
    "idempotency",
    "The part of a request that contains the idempotency key, such as header.Idempotency-Key. Requests with the same "
      + "idempotency key must take effect only once in total.",
    .text)

  private static let start = Key(
    "start", "Operations that murphy calls before the load, to read the state before the first write.",
    .either([.text, .list(.text), .names(.vocabulary("start"), "An operationId.")]))

  private static let operations = Shape.texts
  private static let numbers = Shape.names(
    .either([.path, .vocabulary("shown")]), "An operationId.")

  static let invariant = Vocabulary(
    name: "invariant", title: "an invariant",
    summary: "A rule about the data of the API that must be true under concurrent writes.",
    keys: [
      Key(
        "ledger",
        "The name of a ledger, which counts votes. The counts in responses must match the last accepted vote of each "
          + "voter.", .text),
      Key(
        "holds",
        "A formula that must be true for each response. The formula can use numbers in the response, and the number of "
          + "writes before and during the request.", .text),
      Key(
        "counter", "A counter in responses. Each accepted write must add one to the counter.", .vocabulary("counter")),
      Key(
        "versions",
        "Items with version numbers. Each accepted change must raise the version number of its item by one.",
        .vocabulary("versions")),
      Key(
        "register",
        "A register: a value that clients replace as a whole. A read must return the value of the last write.",
        .vocabulary("register")),
      Key(
        "set",
        "A set of items. Each created item must exist until a request deletes the "
          + "item.", .vocabulary("things")),
      Key(
        "delivery",
        "A delivery of messages. The API must return a ticket for each message, and a receipt for each ticket.",
        .vocabulary("delivery")),
      Key(
        "session", "A value that must never decrease. A session must never read a smaller value than before.",
        .vocabulary("order")),
      Key("voter", "The part of a request that contains the id of the voter, such as header.X-Device-ID.", .text),
      Key(
        "rule",
        "How a ledger counts several votes of one voter: last by default. With `last`, only the last vote counts. With "
          + "`toggle`, a second equal vote revokes the first vote.",
        .choice(["last", "toggle"])),
      Key(
        "write",
        "The operations that write. In a ledger, each operation also has a vote type: `up`, `down`, `none`, or "
          + "conditions.",
        .either([
          operations, .names(.either([.choice(["up", "down", "none"]), .vocabulary("votes")]), "An operationId."),
        ])),
      Key("read", "The JSONPath queries that select the numbers in responses, by operationId.", numbers),
      start, idempotency,
    ] + terms,
    alternatives: [["ledger", "holds", "counter", "versions", "register", "set", "delivery", "session"]])

  static let votes = Vocabulary(
    name: "votes", title: "an entry of write",
    summary: "The condition on the request for each type of vote, such as body.vote_type == up.",
    Key("up", "The condition under which a request is an up vote.", .text),
    Key("down", "The condition under which a request is a down vote.", .text),
    Key("none", "The condition under which a request revokes a vote.", .text))

  static let starts = Vocabulary(
    name: "start", title: "an entry of start",
    summary: "How murphy calls an operation before the load, to read the state before the first write.",
    Key("query", "The query parameters of the call.", .names(.anything, "The name of a parameter.")),
    Key("headers", "The headers of the call.", .names(.text, "The header's name.")),
    Key("keys", "The values of the path parameter. Murphy calls the operation once for each value.", .list(.text)))

  /// Names of a formula are allowed in addition to these, so the reader checks them.
  static let shown = Vocabulary(
    name: "shown", title: "an entry of read",
    summary: "The JSONPath queries that select the numbers of a resource in a response.",
    Key(
      "each",
      "The JSONPath query that selects the elements of a response, if each element is a resource. The other JSONPath "
        + "queries are then relative to an element.", .path),
    Key("key", "The JSONPath query that selects the id of the resource within an element.", .path),
    Key("up", "The JSONPath query that selects the number of up votes.", .path),
    Key("down", "The JSONPath query that selects the number of down votes.", .path),
    Key("count", "The JSONPath query that selects the count.", .path))

  static let counter = Vocabulary(
    name: "counter", title: "a counter", summary: "A number to which each accepted write adds one.",
    keys: [
      Key("write", "The operations that add one to the counter.", operations, isRequired: true),
      Key("read", "The JSONPath query that selects the count in responses, by operationId.", numbers, isRequired: true),
      start, idempotency,
    ] + terms)

  static let versions = Vocabulary(
    name: "versions", title: "versions",
    summary:
      "Version numbers of items (optimistic concurrency). Each request that changes an item contains the version on "
      + "which the change is based.",
    keys: [
      Key("push", "The operation that changes an item.", .text, isRequired: true),
      Key(
        "based-on",
        "The part of the request that contains the version on which the change is based, such as body.version.",
        .text, isRequired: true),
      Key(
        "version",
        "The JSONPath query that selects the version in a response, such as $.version.", .path, isRequired: true),
      Key(
        "content",
        "The fields of the request whose values later responses must return unchanged, such as [body.text].",
        .list(.text)
      ),
      Key(
        "conflict",
        "The JSONPath query that selects the stored item in the body of a rejection, by status such as 409.",
        .names(.path, "An HTTP status.")),
      Key(
        "read", "The JSONPath query that selects the item ($) or the items ($.data[*]) in a response, by operationId.",
        .names(.path, "An operationId.")),
      Key("id", "The JSONPath query that selects the id within an item, if a response contains several items.", .path),
    ] + terms)

  static let register = Vocabulary(
    name: "register", title: "a register", summary: "A single value that is written, read and deleted as a whole.",
    keys: [
      Key("put", "The operation that writes the value of the register.", .text, isRequired: true),
      Key(
        "get",
        "The operation that reads the value of the register. The statuses 404 and 410 mean that the "
          + "register has no value.", .text,
        isRequired: true),
      Key("delete", "The operation that deletes the value of the register.", .text),
      Key(
        "value",
        "The field of the request that contains the value, such as body.text. In responses, murphy then reads the "
          + "field $.text.", .text, isRequired: true),
    ] + terms)

  static let things = Vocabulary(
    name: "things", title: "a set of items", summary: "Items that are created, listed and deleted.",
    keys: [
      Key("create", "The operation that creates an item.", .text, isRequired: true),
      Key(
        "id",
        "The JSONPath query that selects the id of the created item in the response, such as $.id.",
        .path, isRequired: true),
      Key(
        "list", "The JSONPath query that selects the ids in a list, such as $.data[*].id, by operationId.",
        .names(.path, "An operationId.")
      ),
      Key("get", "The operation that reads one item.", .text),
      Key("delete", "The operation that deletes one item.", .text),
      Key(
        "paged",
        "If true, a list contains only some of the items. Murphy then does not report an item that is absent from "
          + "the list.",
        .boolean),
      Key("snapshot", "If true, all items of one list must have existed at the same time.", .boolean),
      Key(
        "owner",
        "The part of a request that identifies the user, such as header.Authorization. Use `owner` if each user has a "
          + "separate list. All requests of a user must contain the same value.",
        .text),
      idempotency,
    ] + terms)

  static let delivery = Vocabulary(
    name: "delivery", title: "a delivery",
    summary: "Messages for which the API returns tickets, and tickets for which the API returns receipts.",
    keys: [
      Key("send", "The operation that sends messages.", .text, isRequired: true),
      Key("message", "The part of the request that contains the messages, such as body[*].", .text, isRequired: true),
      Key(
        "tickets",
        "The JSONPath query that selects the tickets in the response, such as $.data[*].", .path, isRequired: true),
      Key(
        "id",
        "The JSONPath query that selects the id within a ticket. A ticket without an id reports an error for its "
          + "message.", .path,
        isRequired: true),
      Key(
        "marks", "The condition on the messages for which the API must report an error, such as `to in bad-*`.", .text),
      Key("receipts", "The operation that reads receipts.", .text),
      Key(
        "asked",
        "The part of the request for receipts that contains the ids of the tickets, such as body.ids[*].", .text),
      Key(
        "found",
        "The JSONPath query that selects the receipts in the response. The receipts are an object with the ids as "
          + "field names, or a list of ids.", .path),
      Key(
        "receipt",
        "The condition that the receipt of a delivered message meets, such as $.status == ok. With `receipt`, all "
          + "receipts of one ticket must be equal.",
        .text),
      Key(
        "fails",
        "The condition on messages whose receipt must report a failure, such as: data.phone in gone-*.", .text),
      idempotency,
    ] + terms)

  static let order = Vocabulary(
    name: "order", title: "a session invariant",
    summary: "A value that must never decrease in the responses to one session.",
    keys: [
      Key(
        "order", "The JSONPath query that selects the value in responses, such as $.version.", .path, isRequired: true),
      Key("read", "The operations that read the value.", operations, isRequired: true),
      Key("write", "The operations that raise the value, and whose responses contain the raised value.", operations),
    ] + terms)

  static let state: [Vocabulary] = [
    invariant, votes, starts, shown, counter, versions, register, things, delivery, order,
  ]
}
