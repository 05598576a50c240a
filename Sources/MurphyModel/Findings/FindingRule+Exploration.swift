/// Kinds of findings about the requests of an exploration.
extension FindingRule {
  static let explorationRows: [Row] = [
    Row(
      .exploreServerError, .error, "A request is answered with a status of class 5.",
      example: "submitLaw: status 500 for body /text \"\" (an empty text)",
      remedy: """
        Repeat the request with the finding's command and read the API's log: a value that the code does not expect \
        reached it. Validate it first and answer 400 or 422, which the contract should document.
        """),
    Row(
      .exploreNoAnswer, .error, "A request gets no response: the connection is closed, or nothing comes in time.",
      example: """
        submitLaw: no response for body (2,000 lists within each other): the connection was closed before a response came
        """,
      remedy: """
        A request must not end the process or hang it: limit depth, length and time of what is parsed. The API's log, \
        or the system's (out of memory, crash), tells which part failed.
        """),
    Row(
      .exploreInvalidAccepted, .error, "A request that the contract forbids is accepted.",
      example: "createItem: status 201 for body /price 1000.01 (just above maximum 1000), which the contract forbids",
      remedy: """
        Enforce the constraint in the API and answer 400 or 422, or take it out of the schema if values beyond it are \
        meant to be allowed. `--off explore.invalid-accepted` looks for none of them.
        """),
    Row(
      .exploreValidRefused, .error, "A request that the contract allows is refused.",
      example: "createItem: status 400 for body /name \"a\" (as short as minLength 1), which the contract allows",
      remedy: """
        Write the rule that refused it into the schema (`minLength`, `pattern`, `format`, `required`), or accept the \
        value. Rules over several fields belong into the description; `--off explore.valid-refused` skips the kind.
        """),
    Row(
      .exploreAuthIgnored, .error, "An operation that needs credentials responses without them, or with wrong ones.",
      example: "deleteLaw: status 204 without credentials, and the contract asks for credentials",
      remedy: """
        Check credentials in one place in front of all handlers, and refuse with 401 by default. If the operation is \
        open to all, write `security: []` for it in the contract.
        """),
    Row(
      .exploreOtherUser, .error, "What one user made, another one may use.",
      example: "getNote: status 200 for another user than the one who made it",
      remedy: """
        Check on every access by id that the thing belongs to the caller, in the query that reads it. Ids that are \
        hard to guess are no protection. If things are shared, the contract should not document 403 for it.
        """),
    Row(
      .exploreUndocumentedMethod, .error, "A method that the path does not document succeeds.",
      example: "getLaw: status 200 for DELETE, which is not documented",
      remedy: """
        Refuse methods that a path does not have with 405 and `Allow`, or document the method. Routes that a framework \
        adds by itself, or left from development, are the usual reason.
        """),
    Row(
      .exploreInternals, .error,
      "An error shows internals: a stack trace, a statement of SQL, a path of the server.",
      example: "getLaw: the response with status 500 shows a stack trace of Python: Traceback (most recent call last)",
      remedy: """
        Switch the framework's debug mode off, and let one handler of errors write a form without details, with an id \
        under which the log has them. Such texts tell attackers paths, versions and queries.
        """),
    Row(
      .exploreNotKept, .error, "What was written is not what is read.",
      example: "replaceItem: price was written as 12.50, and getItem reads 12",
      remedy: """
        Compare what is sent with what is stored: rounding, cut texts, a field that the update forgets. A member that \
        the server sets is `readOnly` in the schema, and one that is not shown is `writeOnly`.
        """),
    Row(
      .exploreNotDeleted, .error, "What was deleted can still be read.",
      example: "deleteItem: getItem answers 200 after it succeeded",
      remedy: """
        Answer 404 or 410 once a deletion is answered: look for a cache, a replica, or a soft deletion that reads do \
        not filter. If deletion takes time, answer 202.
        """),
    Row(
      .exploreNotListed, .error, "What was made does not stand in its list.",
      example: "createItem: listItems does not show what it made (id 31)",
      remedy: """
        Check the list's filters, its order and its cache, and that the creation is committed before it is answered. \
        If the list shows a selection only, `--off explore.not-listed` skips the kind.
        """),
    Row(
      .exploreNotThere, .error, "What a response names as its Location is not there.",
      example: "createItem: Location names /items/31, and a GET of it answers 404",
      remedy: """
        Write the path that the router knows, with the base path under which the API is reachable, and the id of what \
        was made. A proxy that strips a prefix must add it to `Location`.
        """),
    Row(
      .exploreUseAfterDelete, .error, "What was deleted can still be changed.",
      example: "deleteItem: updateItem answers 200 for what was deleted",
      remedy: """
        Answer 404 or 410 to changes of what is gone: let the update's condition exclude deleted rows and check how \
        many rows it changed. Otherwise a change is lost silently, or brings the thing back.
        """),
  ]
}
