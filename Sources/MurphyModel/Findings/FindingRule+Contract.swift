/// Kinds of findings about the contract.
extension FindingRule {
  static let contractRows: [Row] = [
    Row(
      .contractStatus, .error, "The contract does not document the status of a response.",
      example: "listLaws: status 500 is not documented; documented: 200, 400, 429",
      remedy: """
        Find out why the API sends the undocumented status. Fix the API, or document the status under `responses:` in \
        the contract. The keys `4XX` and `default` under `responses:` also document statuses. For a status 500, look \
        for the cause in the API's log.
        """),
    Row(
      .contractContentType, .error, "The contract does not document the content type of a response.",
      example: "getLaw: the content type text/html is not documented for 200; documented: application/json",
      remedy: """
        Send the documented `Content-Type`, or document the received type. In OpenAPI 3, document the type under \
        `content:` of the response. In Swagger 2.0, use `produces:` and `schema:`. If the received body is an HTML \
        page, check whether the proxy in front of the API sent the page.
        """),
    Row(
      .contractHeader, .error, "A response header is missing, or does not match the contract.",
      example: "voteLaw: the header X-RateLimit-Remaining: expected an integer, found \"many\"",
      remedy: """
        Send the response header as its schema describes, or change the schema. To make the header optional, remove \
        `required: true` under `headers:` of the documented response.
        """),
    Row(
      .contractBody, .error, "The body of a response does not match its schema in the contract.",
      example: "listLaws: /data/*/score: expected a number, found \"17\"",
      remedy: """
        Change the API so that its response matches the schema. If the response is right, correct the schema: allow \
        another `type`, set `nullable: true`, or remove the field from `required:`. The evidence of the finding shows \
        the body and the line of the schema.
        """),
    Row(
      .contractUndocumentedField, .error,
      "A response has a field that the contract does not document, and the scenario forbids such fields.",
      example: "getLaw: /internal_id: no schema documents the field \"internal_id\"",
      remedy: """
        Remove the undocumented field from the response, or document the field under `properties:`. To allow certain \
        fields, write `strict: { undocumented-fields: true, allow: [/internal_id] }` under `expect:` in the scenario.
        """),
    Row(
      .contractExpectation, .error, "A response does not match what its step in the scenario expects.",
      example: "getLaw: step 3 of session browse (gate.yaml:41:9): expected status 200, found 404",
      remedy: """
        Compare the received value with the expected value. If the response is wrong, fix the API. If the response is \
        right, change `expect:` of the step. If the sent id no longer exists, fix the `save:` or the data file that \
        provides the id.
        """),
    Row(
      .contractGraphQL, .error, "The response to a GraphQL request reports GraphQL errors.",
      example: """
        graphql: step 1 of session reader (gate.yaml:18:9): expected no GraphQL errors, found Cannot query field "txt" \
        on type "Law"
        """,
      remedy: """
        Fix the GraphQL query, the variables of the query, or the resolver that the error names. If a step expects \
        errors, write `expect: { body: { "$.errors": … } }` in that step.
        """),
    Row(
      .contractUnchecked, .error,
      "Murphy could not check some responses, but the scenario requires a check of every response.",
      example: "listLaws: 39 of 360 responses were not checked: the body was cut off at the size limit",
      remedy: """
        Fix the cause that the finding's message names. For example, raise `settings: { max-body: … }`, document a \
        media type that murphy can read, or simplify the schema. To allow unchecked responses, remove \
        `fail-on-unchecked: true` from the scenario.
        """),
    Row(
      .contractRequest, .warning,
      "A request of the scenario does not match the description of the operation in the contract.",
      example: """
        the query parameter "limit" of listLaws: found 250; expected at most 100; declared at openapi.yaml:52:11
        """,
      remedy: """
        Change the value in the scenario, or change the schema of the parameter in the contract. If a step sends a \
        wrong value on purpose, declare the expected rejection with `expect: { status: 400 }`. To find wrong parameter \
        values before a run, use `murphy check`.
        """),
    Row(
      .contractRequestBody, .warning,
      "The body of a request of the scenario does not match its schema in the contract.",
      example: """
        the body of submitLaw at /text: found "" with 0 characters; expected at least 10; declared at \
        openapi.yaml:118:17
        """,
      remedy: """
        Change `body:` of the step, or change the schema under `requestBody:` in the contract. If the step sends a \
        wrong body on purpose, declare the expected rejection with `expect: { status: 422 }`. To find wrong request \
        bodies before a run, use `murphy check`.
        """),
    Row(
      .contractUndocumentedOperation, .warning,
      "The scenario sends requests that no operation of the contract describes.",
      example: """
        GET /health: the operation is not in the contract; murphy did not check its responses (5 with status 200)
        """,
      remedy: """
        Add the path and the method to the OpenAPI document, so that murphy checks the responses, or call a documented \
        operation instead. If the path is undocumented on purpose, ignore this warning, which does not fail the run.
        """),
    Row(
      .contractVacuous, .warning, "A response schema of the contract is so loose that it also accepts wrong responses.",
      example: "getLaw: the schema of 404 application/json cannot fail: it accepts every changed copy of a response",
      remedy: """
        Make the schema stricter: add a `type`, list the fields under `properties:`, and list the fields that every \
        response has under `required:`. The details of the finding show the wrong responses that the schema accepted.
        """),
    Row(
      .contractUndeclaredHeader, .warning, "Responses have rate-limit headers that the contract does not declare.",
      example: """
        288 responses of 2 operations have RateLimit-Limit, RateLimit-Remaining, which the contract does not declare \
        for them (RateLimit-Limit: 30, RateLimit-Remaining: 12)
        """,
      remedy: """
        Declare the rate-limit headers under `headers:` of each documented response that contains them. Clients can \
        rely on declared headers, and murphy checks the values of declared headers.
        """),
    Row(
      .contractMixedFormat, .warning, "The responses of the API contain one field with times in more than one format.",
      example: """
        the field "created_at" contains times in 2 formats: `2026-11-21T02:14:07Z` in getLaw, `1795227247` in listLaws
        """,
      remedy: """
        Write the times of a field in the same format in all responses. The best format for a time is an RFC 3339 \
        string with `format: date-time` in the schema. The details of the finding show the format that each operation \
        uses.
        """),
    Row(
      .contractAbsentProperty, .note, "The contract documents a property that no sampled response contained.",
      example: """
        getLaw: 1 documented property of 200 application/json was not found in any inspected response: /attribution
        """,
      remedy: """
        Check whether the API still sends the documented property. If the API no longer sends the property, remove the \
        property from the schema. If only certain resources have the property, add a session that requests one of \
        these resources.
        """),
    Row(
      .contractRequiresNothing, .note,
      "The schema of a response object documents properties, but requires none of the properties.",
      example: """
        objects in the responses of 4 operations have only optional properties: a response without any of them would \
        conform
        """,
      remedy: """
        List under `required:` the fields that every response has. Without `required:`, a response without any field \
        does not violate the schema.
        """),
    Row(
      .contractExtraField, .note, "Responses have fields that no schema documents.",
      example: "listLaws: 1 field of 200 application/json is not documented by any schema: /data/*/internal_rank",
      remedy: """
        Document the field under `properties:`, or stop sending the field. To make each undocumented field an error, \
        write `strict: { undocumented-fields: true }` under `expect:` in the scenario.
        """),
    Row(
      .contractNotTested, .note,
      "The run did not cover some operations, statuses or parameters of the contract.",
      example: """
        not covered by this run: 1 operation (exportLaws); 2 statuses (getLaw 304, getLaw 404); 1 query parameter \
        (listLaws q)
        """,
      remedy: """
        Cover the missing parts of the contract in a session: call the operation, send an invalid request, or set the \
        parameter. To require a percentage of the contract in each run, write `coverage: { at-least: 80% }` under \
        `expect:`.
        """),
    Row(
      .contractErrorShapes, .note, "Error responses have several formats, and the formats have no field in common.",
      example: """
        error responses have 2 forms without a common field: an object with code, message (getLaw 404 and 3 more); an \
        HTML or XML document (submitLaw 413)
        """,
      remedy: """
        Send all errors in one format, such as `application/problem+json` (RFC 9457) with `type`, `title` and \
        `status`. Also check the proxy and the framework, which often send errors before the API's own code runs.
        """),
  ]
}

/// Kinds of findings about the requests of an exploration.
extension FindingRule {
  static let explorationRows: [Row] = [
    Row(
      .exploreServerError, .error, "The API responds to a request with a 5xx status.",
      example: "submitLaw: status 500 for body /text \"\" (an empty string)",
      remedy: """
        Reproduce the request with the command of the finding, and read the API's log. The usual cause is a value in \
        the request that the API's code did not expect. Validate the value before you use it. For a wrong value, \
        return a documented status 400 or 422.
        """),
    Row(
      .exploreNoResponse, .error,
      "A request gets no response in time, or the server closes the connection without a response.",
      example: """
        submitLaw: no response for body (2,000 nested lists): the server closes the connection without a response, \
        also on a new connection (3 of 3 attempts)
        """,
      remedy: """
        Probably the request's handler crashed. Check the API's log, and the system's log for crashes and lack of \
        memory. Limit the depth, the length and the parsing time of request bodies, so that no request can crash or \
        block the process.
        """),
    Row(
      .exploreInvalidAccepted, .error, "The API accepts a request that the contract forbids.",
      example: "createItem: status 201 for body /price 1000.01 (just above maximum 1000), which violates the contract",
      remedy: """
        Check the constraint in the API, and return 400 or 422 if a value violates the constraint. If the API should \
        accept the value, remove the constraint from the schema. To turn this check off, use `--off \
        explore.invalid-accepted`.
        """),
    Row(
      .exploreValidRefused, .error, "The API rejects a request that the contract allows.",
      example: "createItem: status 400 for body /name \"a\" (as short as minLength 1), which the contract allows",
      remedy: """
        Accept the value in the API, or add the rule that the API enforces to the schema (`minLength`, `pattern`, \
        `format` or `required`). If a rule depends on several fields, explain the rule in the schema's `description:`. \
        To turn this check off, use `--off explore.valid-refused`.
        """),
    Row(
      .exploreAuthIgnored, .error,
      "An operation that requires credentials accepts requests without credentials or with wrong credentials.",
      example: "deleteLaw: status 204 without credentials, but the contract requires credentials",
      remedy: """
        Check credentials in one place before all handlers run, and return 401 if valid credentials are missing. If \
        the operation is public, write `security: []` for the operation in the contract.
        """),
    Row(
      .exploreOtherUser, .error, "The API lets a user access a resource that belongs to another user.",
      example: "getNote: status 200 for a user who did not create the item",
      remedy: """
        In every query that reads a resource by its id, check that the user owns the resource. Ids that are hard to \
        guess do not protect a resource. If users share resources, remove the status 403 of the operation from the \
        contract, so that murphy omits this check.
        """),
    Row(
      .exploreUndocumentedMethod, .error,
      "A request succeeds with a method that the contract does not document for its path.",
      example: "getLaw: status 200 for the undocumented method DELETE",
      remedy: """
        Return 405 with an `Allow` header for methods that a path does not support, or document the method. Check the \
        routes that the framework adds automatically, and old routes that only developers used.
        """),
    Row(
      .exploreInternals, .error,
      "An error response contains internal details: a stack trace, an SQL statement, or a path of the server.",
      example: "getLaw: the response with status 500 shows a stack trace of Python: Traceback (most recent call last)",
      remedy: """
        Disable the framework's debug mode. Use one error handler that writes the details to the log, and sends only \
        the id of the log entry. Internal details in a response show paths, versions and queries to attackers.
        """),
    Row(
      .exploreNotKept, .error, "A read returns a different value than the value that a client wrote before.",
      example: "replaceItem: price was written as 12.50, but getItem returns 12",
      remedy: """
        Compare the sent value with the stored value. Look for rounding, a truncated string, or a field that the \
        update omits. In the schema, mark a field that the server sets as `readOnly: true`, and a field that responses \
        omit as `writeOnly: true`.
        """),
    Row(
      .exploreNotDeleted, .error, "A deleted resource can still be read.",
      example: "deleteItem: getItem returned 200 after the deletion succeeded",
      remedy: """
        Return 404 or 410 if a client reads a deleted resource. Look for a cache or a replica that still contains the \
        deleted resource. Check that queries exclude rows that are only marked as deleted. If a deletion takes effect \
        later, return 202.
        """),
    Row(
      .exploreNotListed, .error, "The list of a collection does not contain a resource that a client created.",
      example: "createItem: listItems does not list the created item (id 31)",
      remedy: """
        Check the filters, the sort order and the cache of the list. Commit the transaction of a creation before you \
        send the response. If the list shows only selected resources, turn this check off with `--off \
        explore.not-listed`.
        """),
    Row(
      .exploreNotThere, .error, "The Location header of a response names a resource that does not exist.",
      example: "createItem: Location is /items/31, but a GET of this URL returns 404",
      remedy: """
        In `Location`, send the path of the created resource, with the base path of the API and the id. If a proxy \
        removes a prefix from the path of requests, configure the proxy to add the prefix to `Location`.
        """),
    Row(
      .exploreUseAfterDelete, .error, "A deleted resource can still be changed.",
      example: "deleteItem: updateItem returned 200 for the deleted item",
      remedy: """
        Return 404 or 410 if a request changes a deleted resource. Exclude deleted rows in the condition of the \
        update, and check the number of changed rows. If an update also changes deleted rows, the change is lost or \
        restores the deleted resource.
        """),
  ]
}
