/// Kinds of findings about the contract.
extension FindingRule {
  static let contractRows: [Row] = [
    Row(
      .contractStatus, .error, "The contract does not document the status of a response.",
      example: "listLaws: status 500 is not documented; documented: 200, 400, 429",
      remedy: """
        Document the status with its body under the operation's `responses` (or as `4XX`, or `default`), or make the \
        API return a documented status. An undocumented 500 is a defect of the API: check its log.
        """),
    Row(
      .contractContentType, .error, "The contract does not document the content type of a response.",
      example: "getLaw: the content type text/html is not documented for 200; documented: application/json",
      remedy: """
        Send the documented `Content-Type`, or add the type under `content` of the response. An HTML page often comes \
        from a proxy in front of the API. If no body is documented, add a `content` for it.
        """),
    Row(
      .contractHeader, .error, "A header of a response does not match the contract, or is missing.",
      example: "voteLaw: the header X-RateLimit-Remaining: expected an integer, found \"many\"",
      remedy: """
        Send the header as its schema says, or change its schema. To make a header optional, remove `required: true` \
        under `headers` of the response.
        """),
    Row(
      .contractBody, .error, "The body of a response does not match its schema in the contract.",
      example: "listLaws: /data/*/score: expected a number, found \"17\"",
      remedy: """
        Open the finding's evidence: it marks the place in the body and names the line of the schema. If clients rely \
        on the schema, change the API. Otherwise allow another `type`, set `nullable`, or remove a field from \
        `required`.
        """),
    Row(
      .contractUndocumentedField, .error,
      "A response has a field that the contract does not document, and the scenario forbids such fields.",
      example: "getLaw: /internal_id: no schema documents the field \"internal_id\"",
      remedy: """
        Remove the field from the response, or document it under `properties`. To allow optional fields, write \
        `strict: { undocumented-fields: true, allow: [/internal_id] }` under `expect:`.
        """),
    Row(
      .contractExpectation, .error, "A response is not what a step of the scenario expects.",
      example: "getLaw: step 3 of session browse (gate.yaml:41:9): expected status 200, found 404",
      remedy: """
        Compare the found value with the one that the step expects. If the response is right, change `expect:` of that \
        step. If the step sent an id that no longer exists, fix the `save:` or the feed of that id.
        """),
    Row(
      .contractGraphQL, .error, "A response to a GraphQL request has errors, whatever its status.",
      example: """
        graphql: step 1 of session reader (gate.yaml:18:9): expected no errors of GraphQL, found Cannot query field \
        "txt" on type "Law"
        """,
      remedy: """
        Fix the query, its variables or the resolver named in the error. If a step expects errors, write `expect: { \
        body: { "$.errors": … } }`.
        """),
    Row(
      .contractUnchecked, .error,
      "Some responses could not be checked, but the scenario requires a check of every response.",
      example: "listLaws: 39 of 360 responses were not checked: the body was cut off at the size limit",
      remedy: """
        Remove the reason: raise `settings: { max-body: … }`, document a media type that murphy reads, or simplify the \
        schema. Without `fail-on-unchecked: true`, such responses are counted as unchecked and do not fail the run.
        """),
    Row(
      .contractRequest, .warning, "A request of the scenario does not match the contract.",
      example: """
        the query parameter "limit" of listLaws: found 250; expected at most 100; declared at openapi.yaml:52:11
        """,
      remedy: """
        `murphy check` reports it before a request is sent. Change the value in the scenario, or the parameter's \
        schema. If a step sends a wrong value on purpose, declare the expected rejection: `expect: { status: 400 }`.
        """),
    Row(
      .contractRequestBody, .warning,
      "The body of a request of the scenario does not match its schema in the contract.",
      example: """
        the body of submitLaw at /text: found "" with 0 characters; expected at least 10; declared at \
        openapi.yaml:118:17
        """,
      remedy: """
        `murphy check` reports it before a request is sent. Change the step's `body:`, or the schema under \
        `requestBody`. A step that tests the rejection declares `expect: { status: 422 }`, and causes no warning.
        """),
    Row(
      .contractUndocumentedOperation, .warning,
      "The scenario sends requests that no operation of the contract describes.",
      example: "GET /health: not in the contract; its responses (5 with status 200) were not checked",
      remedy: """
        Add the path and its method to the OpenAPI document, so that its responses are checked, or call a documented \
        operation. For a path that is undocumented on purpose, ignore the warning: it does not fail the run.
        """),
    Row(
      .contractVacuous, .warning, "A schema of the contract accepts responses that it should reject.",
      example: "getLaw: the schema of 404 application/json cannot fail: it accepted every mutant of a response",
      remedy: """
        Make the schema stricter: add a `type`, list the fields under `properties`, and those that are always present \
        under `required`. The finding's lines name the changes to a response that the schema accepted.
        """),
    Row(
      .contractUndeclaredHeader, .warning, "Responses have rate-limit headers that the contract does not declare.",
      example: """
        288 responses of 2 operations have RateLimit-Limit, RateLimit-Remaining, which the contract does not declare \
        there (RateLimit-Limit: 30, RateLimit-Remaining: 12)
        """,
      remedy: """
        Declare the headers under `headers` of each response that has them. Then clients know the headers, and murphy \
        checks their values.
        """),
    Row(
      .contractMixedFormat, .warning, "One field holds times in several formats.",
      example: """
        the field "created_at" contains times in 2 formats: `2026-11-21T02:14:07Z` in getLaw, `1795227247` in listLaws
        """,
      remedy: """
        Write the field in one format everywhere, preferably as RFC 3339 text with `format: date-time`. The finding's \
        lines list the format of each operation.
        """),
    Row(
      .contractAbsentProperty, .note, "A documented property was missing in all sampled responses.",
      example: """
        getLaw: 1 documented property of 200 application/json not found in any inspected response: /attribution
        """,
      remedy: """
        Check whether the API still writes the property. If not, remove it from the schema. If only certain resources \
        have it, add a session that requests one of them.
        """),
    Row(
      .contractRequiresNothing, .note,
      "The schema of response objects documents properties, but requires none of them.",
      example: """
        objects in the responses of 4 operations have documented properties, none of them required: a response without \
        any of them would conform
        """,
      remedy: """
        List under `required` the fields that every response has. Until then an API that omits all of them violates no \
        schema, and clients have to expect that.
        """),
    Row(
      .contractExtraField, .note, "Responses have fields that no schema documents.",
      example: "listLaws: 1 field of 200 application/json is not documented by any schema: /data/*/internal_rank",
      remedy: """
        Document the field under `properties`, or stop sending it. `strict: { undocumented-fields: true }` under \
        `expect:` makes each such field an error.
        """),
    Row(
      .contractNotTested, .note,
      "The contract documents operations, statuses or parameters that this run did not cover.",
      example: """
        not covered by this run: 1 operation (exportLaws); 2 statuses (getLaw 304, getLaw 404); 1 query parameter \
        (listLaws q)
        """,
      remedy: """
        Add calls for the missing parts to a session: an operation, a request that is rejected, a parameter. To \
        require a share of the contract, write `expect: { coverage: { at-least: 80% } }`.
        """),
    Row(
      .contractErrorShapes, .note, "Error responses have different formats that share no field.",
      example: """
        errors come in 2 forms that have no field in common: an object with code, message (getLaw 404 and 3 more); an \
        HTML or XML document (submitLaw 413)
        """,
      remedy: """
        Send all errors in one format, such as `application/problem+json` (RFC 9457) with its `type`, `title` and \
        `status`. A different format often comes from a proxy, or from the framework before the API's own code runs.
        """),
  ]
}
