/// What the text of the specification forbids, object by object, with the words of the refusal.
enum SpecificationMutants {
  typealias Mutant = SpecificationRuleTests.Mutant

  static let all = documents + operations + media + schemas + old

  private static let documents = [
    Mutant(replace: "openapi: 3.2.0", with: "openapi: \"3.2\"", error: "the full version"),
    Mutant(replace: "$self: https://example.org/api", with: "$self: https://example.org/a b", error: "must be a URI"),
    Mutant(replace: "email: a@example.org", with: "email: nobody", error: "e-mail address"),
    Mutant(replace: "termsOfService: https://example.org/terms", with: "termsOfService: see below", error: "a space"),
    Mutant(replace: "tokenUrl: https://example.org,", with: "tokenUrl: <token>,", error: "must be a URI"),
    Mutant(
      replace: "servers: [{ url: / }]", with: "servers: [{ url: /, name: a }, { url: /b, name: a }]",
      error: "the server \"a\" appears here twice"),
    Mutant(replace: "https://{host}.example.org", with: "https://{host}.example.org?a=b", error: "not have a query"),
    Mutant(replace: "https://{host}.example.org", with: "https://{host}.example.org#a", error: "not have a fragment"),
    Mutant(replace: "https://{host}.example.org", with: "https://{host}.{host}.org", error: "appears twice"),
    Mutant(replace: "https://{host}.example.org", with: "\"https://{host}.example.org/}\"", error: "are not balanced"),
    Mutant(replace: "https://{host}.example.org", with: "https://{host}.example.org/a b", error: "URL cannot have"),
    Mutant(version: "3.1", replace: "enum: [a, b]", with: "enum: []", error: "must not be empty"),
    Mutant(version: "3.0", replace: "enum: [a, b]", with: "enum: [b]", error: "is not in \"enum\""),
    Mutant(
      version: "3.1", replace: "- { name: top,", with: "- { name: top }\n  - { name: top,", error: "appears here twice"),
  ]

  private static let operations = [
    Mutant(replace: "operationId: copyA", with: "operationId: getA", error: "is already used at"),
    Mutant(version: "3.1", replace: "operationId: hook", with: "operationId: getA", error: "is already used at"),
    Mutant(version: "3.0", replace: "operationId: called", with: "operationId: putA", error: "is already used at"),
    Mutant(replace: "  /whole:", with: "  /whole?x=1:", error: "a path cannot have a query"),
    Mutant(replace: "  /whole:", with: "  /whole#x:", error: "a path cannot have a fragment"),
    Mutant(replace: "  /a/{id}:", with: "  /a/{id}/{id}:", error: "appears twice"),
    Mutant(
      replace: "in: querystring, content", with: "in: querystring, allowEmptyValue: true, content",
      error: "query parameters only"),
    Mutant(replace: "name: X-A, in: header", with: "name: \"X[A]\", in: header", error: "no header can have"),
    Mutant(replace: "X-Total:", with: "\"X=Total\":", error: "no header can have"),
    Mutant(replace: "headers: { X-B:", with: "headers: { \"X B\":", error: "no header can have"),
    Mutant(
      replace: "style: deepObject, schema: { type: object }", with: "style: deepObject, schema: { type: string }",
      error: "is for schemas of type object"),
    Mutant(
      replace: "style: deepObject, schema: { type: object }", with: "style: pipeDelimited, schema: { type: integer }",
      error: "is for schemas of type array or object"),
    Mutant(replace: "byRef:", with: "\"by ref\":", error: "may have only"),
    Mutant(
      version: "3.0", replace: "operationRef: \"#/paths/~1a~1{id}/get\"", with: "description: d",
      error: "needs \"operationId\""),
    Mutant(replace: "name: q, in: query", with: "name: json, in: query", error: "appears here twice"),
  ]

  private static let media = [
    Mutant(replace: "file: { contentType: text/plain", with: "file: { contentType: text", error: "must be media types"),
    Mutant(
      replace: "file: { contentType: text/plain", with: "file: { contentType: \"image/png, jpeg\"",
      error: "found \"jpeg\""),
    Mutant(
      replace: "dataValue: { kind: cat }", with: "dataValue: { kind: cow }", error: "does not conform to its schema"),
    Mutant(replace: "defaultMapping: Cat", with: "defaultMapping: Cot", error: "neither a schema's name"),
    Mutant(replace: "namespace: \"https://example.org\"", with: "namespace: pets", error: "a URI with its scheme"),
    Mutant(
      version: "3.0", replace: "namespace: \"https://example.org\"", with: "namespace: pets",
      error: "a URI with its scheme"),
  ]

  private static let schemas = [
    Mutant(replace: "type: [string, \"null\"]", with: "type: []", error: "at least one type"),
    Mutant(replace: "type: [string, \"null\"]", with: "type: [string, string]", error: "names a type twice"),
    Mutant(replace: "$comment: c", with: "$anchor: 1 a", error: "must begin with a letter"),
    Mutant(replace: "$comment: c", with: "$dynamicAnchor: \"\"", error: "must begin with a letter"),
    Mutant(replace: "$comment: c", with: "$id: \"https://example.org/x#y\"", error: "must not have a fragment"),
    Mutant(replace: "dependentRequired: { a: [b] }", with: "dependentRequired: { a: b }", error: "a list of names"),
    Mutant(
      replace: "dependentRequired: { a: [b] }", with: "dependentRequired: { a: [b, b] }",
      error: "names a property twice"),
    Mutant(
      version: "3.1", replace: "required: [kind]", with: "required: [kind, kind]", error: "names a property twice"),
  ]

  /// Of OpenAPI 3.0 alone.
  private static let old = [
    Mutant(version: "3.0", replace: "required: [kind]", with: "required: []", error: "at least one property"),
    Mutant(version: "3.0", replace: "enum: [cat, dog]", with: "enum: []", error: "\"enum\" has no value"),
    Mutant(
      version: "3.0", replace: "secret: { type: string,", with: "secret: { type: string, readOnly: true,",
      error: "cannot be used together"),
    Mutant(
      version: "3.0", replace: "security: [{ key: [] }", with: "security: [{ key: [read] }", error: "must be empty"),
    Mutant(
      version: "3.0", replace: "type: array, items: { type: string },", with: "type: array,", error: "needs \"items\""),
  ]
}
