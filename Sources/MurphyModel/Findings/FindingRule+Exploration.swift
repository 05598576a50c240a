/// Kinds of findings about the requests of an exploration.
extension FindingRule {
  static let explorationRows: [Row] = [
    Row(
      .exploreServerError, .error, "The API responds to a request with a 5xx status.",
      example: "submitLaw: status 500 for body /text \"\" (an empty string)",
      remedy: """
        Reproduce the request with the command of the finding, and read the API's log: the code received a value that \
        it does not expect. Validate the value first, return 400 or 422, and document that status in the contract.
        """),
    Row(
      .exploreNoAnswer, .error, "A request gets no response in time, or the server closes the connection.",
      example: """
        submitLaw: no response for body (2,000 nested lists): the connection was closed before a response was received
        """,
      remedy: """
        Limit the depth and length of a body, and the time to parse it: no request may crash or block the process. \
        Check the API's log and the system's log (out of memory, crash) to find the failed part.
        """),
    Row(
      .exploreInvalidAccepted, .error, "The API accepts a request that the contract forbids.",
      example: "createItem: status 201 for body /price 1000.01 (just above maximum 1000), which the contract forbids",
      remedy: """
        Check the constraint in the API, and return 400 or 422 for a violation. If such values are allowed, remove the \
        constraint from the schema. To disable this check, use `--off explore.invalid-accepted`.
        """),
    Row(
      .exploreValidRefused, .error, "The API rejects a request that the contract allows.",
      example: "createItem: status 400 for body /name \"a\" (as short as minLength 1), which the contract allows",
      remedy: """
        Add the violated rule to the schema (`minLength`, `pattern`, `format`, `required`), or accept the value. \
        Document rules over several fields in the description. To disable this check, use `--off \
        explore.valid-refused`.
        """),
    Row(
      .exploreAuthIgnored, .error,
      "An operation that requires credentials succeeds without credentials or with wrong ones.",
      example: "deleteLaw: status 204 without credentials, but the contract requires credentials",
      remedy: """
        Check credentials in one place before all handlers, and return 401 by default. If the operation is public, \
        write `security: []` for it in the contract.
        """),
    Row(
      .exploreOtherUser, .error, "Missing authorization: a user can access another user's resource.",
      example: "getNote: status 200 for a user other than its creator",
      remedy: """
        In the query that reads a resource, check that the user owns the resource. Check this for every access by id: \
        ids that are hard to guess do not protect a resource. If users share resources, do not document 403 for them.
        """),
    Row(
      .exploreUndocumentedMethod, .error,
      "A request succeeds with a method that the contract does not document for its path.",
      example: "getLaw: status 200 for DELETE, which is not documented",
      remedy: """
        Reject methods that a path does not have with 405 and `Allow`, or document the method. Check the routes that \
        the framework adds automatically, and those that remain from development.
        """),
    Row(
      .exploreInternals, .error,
      "An error response shows internals: a stack trace, an SQL statement, or a path of the server.",
      example: "getLaw: the response with status 500 shows a stack trace of Python: Traceback (most recent call last)",
      remedy: """
        Disable the framework's debug mode. Use one error handler that writes the details to the log and sends only \
        the id of the log entry. Details show paths, versions and queries to attackers.
        """),
    Row(
      .exploreNotKept, .error, "The value that the API returns differs from the value that was written.",
      example: "replaceItem: price was written as 12.50, and getItem reads 12",
      remedy: """
        Compare the sent value with the stored value. Look for rounding, a truncated string, or a field that the \
        update omits. In the schema, mark a field that the server sets as `readOnly`, and a field that responses omit \
        as `writeOnly`.
        """),
    Row(
      .exploreNotDeleted, .error, "A deleted resource can still be read.",
      example: "deleteItem: getItem returned 200 after the deletion succeeded",
      remedy: """
        After the deletion, return 404 or 410 to reads. Look for a cache, a replica, or rows that are only marked as \
        deleted and that reads do not filter. If the deletion takes time, return 202.
        """),
    Row(
      .exploreNotListed, .error, "A created resource is missing from its list.",
      example: "createItem: listItems does not list the created item (id 31)",
      remedy: """
        Check the filters, the order and the cache of the list. Commit the creation before you send the response. If \
        the list shows only selected resources, use `--off explore.not-listed`.
        """),
    Row(
      .exploreNotThere, .error, "A Location header names a resource that does not exist.",
      example: "createItem: Location is /items/31, but a GET of it returns 404",
      remedy: """
        Send a path that clients can use. It must contain the base path of the API and the id of the resource. If a \
        proxy removes a prefix from the path, configure it to add the prefix to `Location`.
        """),
    Row(
      .exploreUseAfterDelete, .error, "A deleted resource can still be changed.",
      example: "deleteItem: updateItem returned 200 for the deleted item",
      remedy: """
        Return 404 or 410 if a request changes a deleted resource. Exclude deleted rows in the condition of the \
        update, and check the number of changed rows. Otherwise a change is lost, or restores the resource.
        """),
  ]
}
