import MurphyContract
import MurphyModel
import Testing

/// A document with every field is clean in each version; each change of it that the specification forbids is refused.
@Suite struct SpecificationRuleTests {
  /// What is written in place of what, from a version on; `error` is a part of the message.
  struct Mutant: Sendable, CustomTestStringConvertible {
    var version = "3.2"
    var replace: String
    var with: String
    var error: String

    var testDescription: String { "\(version): \(with)" }
  }

  private func errors(_ text: String) -> [String] {
    Contract.check("/api/openapi.yaml", reader: .memory(["/api/openapi.yaml": text]))
      .filter { $0.severity == .error }.map { "\($0.mark.line): \($0.message)" }
  }

  @Test(arguments: ["3.0", "3.1", "3.2"]) func `every field is known`(_ version: String) {
    #expect(errors(EveryField.document(version)) == [])
  }

  @Test(arguments: mutants + SpecificationMutants.all) func `is rejected`(_ mutant: Mutant) {
    let text = EveryField.document(mutant.version)
    #expect(text.contains(mutant.replace))
    let found = errors(text.replacing(mutant.replace, with: mutant.with))
    #expect(found.contains { $0.contains(mutant.error) }, "found \(found)")
  }

  private static let mutants: [Mutant] = [
    Mutant(replace: "$self: https://example.org/api", with: "$self: https://example.org/api#x", error: "fragment"),
    Mutant(replace: "$self: https://example.org/api", with: "$self: 42", error: "a string"),
    Mutant(replace: "parent: top", with: "parent: tip", error: "Did you mean \"top\"?"),
    Mutant(replace: "parent: top", with: "parent: sub", error: "its own ancestor"),
    Mutant(replace: "kind: nav", with: "kind: [nav]", error: "a string"),
    Mutant(replace: "COPY:", with: "GET:", error: "not an additional operation"),
    Mutant(replace: "COPY:", with: "\"CO PY\":", error: "not a method"),
    Mutant(
      replace: "[{ name: all, in: querystring,",
      with: "[{ name: q, in: query, schema: {} }, { name: all, in: querystring,", error: "cannot be used together"),
    Mutant(
      replace: "[{ name: all, in: querystring,",
      with: "[{ name: b, in: querystring, content: { text/plain: {} } }, { name: all, in: querystring,",
      error: "only one parameter"),
    Mutant(
      replace: "in: querystring, content: { application/x-www-form-urlencoded: { schema: { type: object } } }",
      with: "in: querystring, schema: {}", error: "instead of \"schema\""),
    Mutant(
      replace: "in: querystring, content", with: "in: querystring, style: form, content",
      error: "is allowed only with \"schema\""),
    Mutant(
      replace: "name: json, in: query, content", with: "name: json, in: query, explode: true, content",
      error: "not with \"content\""),
    Mutant(
      version: "3.1", replace: "name: json, in: query, content", with: "name: json, in: query, style: form, content",
      error: "not with \"content\""),
    Mutant(replace: "in: header, style: simple", with: "in: header, allowReserved: true", error: "allowReserved"),
    Mutant(
      version: "3.1", replace: "in: path, required", with: "in: path, allowReserved: false, required",
      error: "query parameters only"),
    Mutant(
      replace: "in: cookie, style: cookie", with: "in: cookie, style: cookie, allowReserved: true",
      error: "percent-encode"),
    Mutant(replace: "in: cookie, style: form", with: "in: cookie, style: simple", error: "the style of a cookie"),
    Mutant(
      version: "3.1", replace: "in: cookie, style: form", with: "in: cookie, style: cookie",
      error: "the style of a cookie"),
    Mutant(
      replace: "in: cookie, style: form", with: "in: cookie, allowEmptyValue: true", error: "query parameters only"),
    Mutant(replace: "deprecated: false, style: simple", with: "style: form", error: "the style of a header"),
    Mutant(replace: "deprecated: false, style: simple", with: "allowReserved: true", error: "no \"allowReserved\""),
    Mutant(replace: "H: { schema", with: "H: { name: h, schema", error: "cannot have \"name\""),
    Mutant(replace: "dataValue: { kind: cat }", with: "dataValue: {}, value: {}", error: "cannot be used together"),
    Mutant(
      replace: "externalValue: https://example.org/two.json", with: "externalValue: a, serializedValue: b",
      error: "cannot be used together"),
    Mutant(replace: "serializedValue: \"{}\"", with: "serializedValue: {}", error: "a string"),
    Mutant(replace: "One: { value:", with: "One: { externalValue: a, value:", error: "cannot be used together"),
    Mutant(
      replace: "prefixEncoding: [{ contentType: text/plain, encoding",
      with: "encoding: {}\n          prefixEncoding: [{ contentType: text/plain, encoding",
      error: "cannot be used together"),
    Mutant(
      replace: "itemEncoding: { contentType: text/plain, prefixEncoding: [{}], itemEncoding: {} }",
      with: "itemEncoding: { encoding: {}, itemEncoding: {} }", error: "cannot be used together"),
    Mutant(replace: "prefixEncoding: [{ contentType", with: "prefixEncoding: [1, { contentType", error: "an object"),
    Mutant(replace: "operationId: getA, parameters", with: "parameters", error: "needs \"operationId\""),
    Mutant(
      replace: "operationRef: \"#", with: "operationId: getA, operationRef: \"#", error: "cannot be used together"),
    Mutant(replace: "nodeType: cdata", with: "nodeType: comment", error: "must be one of"),
    Mutant(replace: "nodeType: cdata", with: "nodeType: text, attribute: true", error: "cannot be used together"),
    Mutant(replace: "nodeType: cdata", with: "nodeType: element, wrapped: true", error: "cannot be used together"),
    Mutant(replace: "propertyName: kind", with: "x-name: kind", error: "must have \"propertyName\""),
    Mutant(replace: "defaultMapping: Cat", with: "defaultMapping: [Cat]", error: "a string"),
    Mutant(
      version: "3.1", replace: "propertyName: kind", with: "propertyName: kind\n        other: 1",
      error: "cannot have \"other\""
    ),
    Mutant(replace: "name: k, in: header", with: "name: k, in: path", error: "must be one of"),
    Mutant(
      replace: "name: k, in: header", with: "name: k, in: header, scheme: bearer", error: "cannot have \"scheme\""),
    Mutant(
      replace: "bearerFormat: JWT, deprecated: true", with: "bearerFormat: JWT, deprecated: 1", error: "true or false"),
    Mutant(
      replace: "implicit: { authorizationUrl: https://example.org, refresh",
      with: "implicit: { tokenUrl: https://example.org, refresh", error: "needs \"authorizationUrl\""),
    Mutant(replace: "password: { tokenUrl: https://example.org,", with: "password: {", error: "needs \"tokenUrl\""),
    Mutant(
      replace: "clientCredentials: { tokenUrl: https://example.org, scopes: {} }",
      with: "clientCredentials: { tokenUrl: https://example.org }", error: "must have \"scopes\""),
    Mutant(
      replace: "deviceAuthorization: { deviceAuthorizationUrl: https://example.org,", with: "deviceAuthorization: {",
      error: "needs \"deviceAuthorizationUrl\""),
    Mutant(replace: "oauth2MetadataUrl: https", with: "oauth2MetadataUrl: [https]  # https", error: "a string"),
    Mutant(replace: "scopes: { read: r }", with: "scopes: { read: 1 }", error: "a string"),
    Mutant(replace: "Plain: { schema", with: "\"Pl ain\": { schema", error: "may have only"),
    Mutant(replace: "{ itemSchema: { type: object } }", with: "{ itemSchema: 1 }", error: "an object or a boolean"),
    Mutant(
      replace: "responses: { \"204\": { description: ok } } }", with: "responses: {} }", error: "at least one status"),
    Mutant(
      version: "3.0", replace: "operationId: getA, parameters", with: "operationRef: a, operationId: getA, parameters",
      error: "cannot be used together"),
    Mutant(
      version: "3.0", replace: "additionalProperties: false", with: "additionalProperties: no-one", error: "an object"),
    Mutant(
      version: "3.0", replace: "items: { type: string }, minItems", with: "items: true, minItems", error: "an object"),
    Mutant(version: "3.0", replace: "name: MIT, url", with: "name: MIT, identifier: MIT, url", error: "OpenAPI 3.1"),
    Mutant(
      version: "3.1", replace: "name: MIT, identifier", with: "name: MIT, url: a, identifier",
      error: "cannot be used together"),
    Mutant(version: "3.1", replace: "name: k, in: header", with: "name: k", error: "needs \"in\""),
  ]
}
