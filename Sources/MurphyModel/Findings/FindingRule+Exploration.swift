/// Kinds of findings about the requests of an exploration.
extension FindingRule {
  static let explorationRows: [Row] = [
    Row(
      .exploreServerError, .error, "A request is answered with a 5xx status.",
      example: "submitLaw: status 500 for body /text \"\" (an empty string)",
      remedy: """
        Reproduce the request with the finding's command and read the API's log: the code received a value that it \
        does not expect. Validate it first and return 400 or 422, which the contract should document.
        """),
    Row(
      .exploreNoAnswer, .error,
      "A request gets no response: the connection is closed, or no response is received in time.",
      example: """
        submitLaw: no response for body (2,000 nested lists): the connection was closed before a response was received
        """,
      remedy: """
        No request may crash or hang the process: limit depth, length and time of parsing. The API's log, or the \
        system's log (out of memory, crash), shows which part failed.
        """),
    Row(
      .exploreInvalidAccepted, .error, "A request that the contract forbids is accepted.",
      example: "createItem: status 201 for body /price 1000.01 (just above maximum 1000), which the contract forbids",
      remedy: """
        Enforce the constraint in the API and return 400 or 422, or remove it from the schema if values beyond it are \
        allowed. `--off explore.invalid-accepted` disables this check.
        """),
    Row(
      .exploreValidRefused, .error, "A request that the contract allows is rejected.",
      example: "createItem: status 400 for body /name \"a\" (as short as minLength 1), which the contract allows",
      remedy: """
        Write the rule that rejected it into the schema (`minLength`, `pattern`, `format`, `required`), or accept the \
        value. Rules over several fields belong in the description; `--off explore.valid-refused` disables this check.
        """),
    Row(
      .exploreAuthIgnored, .error, "An operation that needs credentials succeeds without them, or with wrong ones.",
      example: "deleteLaw: status 204 without credentials, but the contract requires credentials",
      remedy: """
        Check credentials in one place before all handlers, and reject with 401 by default. If the operation is \
        public, write `security: []` for it in the contract.
        """),
    Row(
      .exploreOtherUser, .error, "Missing authorization: a user can access another user's resource.",
      example: "getNote: status 200 for a user other than its creator",
      remedy: """
        Check on every access by id that the resource belongs to the caller, in the query that reads it. Ids that are \
        hard to guess do not protect it. If resources are shared, the contract should not document 403 for them.
        """),
    Row(
      .exploreUndocumentedMethod, .error, "A method that the path does not document succeeds.",
      example: "getLaw: status 200 for DELETE, which is not documented",
      remedy: """
        Reject methods that a path does not have with 405 and `Allow`, or document the method. Usual reasons are \
        routes that a framework adds automatically, or that are left from development.
        """),
    Row(
      .exploreInternals, .error, "An error shows internals: a stack trace, an SQL statement, a path of the server.",
      example: "getLaw: the response with status 500 shows a stack trace of Python: Traceback (most recent call last)",
      remedy: """
        Disable the framework's debug mode. Use one error handler that sends no details, only an id with which they \
        are in the log. Details show paths, versions and queries to attackers.
        """),
    Row(
      .exploreNotKept, .error, "The value read back differs from the value written.",
      example: "replaceItem: price was written as 12.50, and getItem reads 12",
      remedy: """
        Compare the sent value with the stored one: rounding, truncated strings, a field that the update forgets. In \
        the schema, mark a field that the server sets as `readOnly`, and a field that responses omit as `writeOnly`.
        """),
    Row(
      .exploreNotDeleted, .error, "A deleted resource can still be read.",
      example: "deleteItem: getItem returned 200 after the deletion succeeded",
      remedy: """
        Return 404 or 410 after a deletion was answered. Look for a cache, a replica, or soft-deleted rows that reads \
        do not filter out. If deletion takes time, return 202.
        """),
    Row(
      .exploreNotListed, .error, "A created resource is missing from its list.",
      example: "createItem: listItems does not list the created item (id 31)",
      remedy: """
        Check the list's filters, its order and its cache, and that the creation is committed before it is answered. \
        If the list shows a selection only, `--off explore.not-listed` disables this check.
        """),
    Row(
      .exploreNotThere, .error, "The resource that a Location header names does not exist.",
      example: "createItem: Location is /items/31, but a GET of it returns 404",
      remedy: """
        Send a path that clients can use, with the base path of the API and the id of the created resource. A proxy \
        that removes a prefix must add it to `Location`.
        """),
    Row(
      .exploreUseAfterDelete, .error, "A deleted resource can still be changed.",
      example: "deleteItem: updateItem returned 200 for the deleted item",
      remedy: """
        Return 404 or 410 to changes of a deleted resource: let the update's condition exclude deleted rows and check \
        how many rows it changed. Otherwise a change is lost silently, or restores the resource.
        """),
  ]
}
