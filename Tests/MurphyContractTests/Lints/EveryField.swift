/// A document with every field of the specification. A line marked `# 3.1` or `# 3.2` is of that version on, one
/// marked `# 3.0` of that version only.
enum EveryField {
  static func document(_ version: String) -> String {
    text.split(separator: "\n", omittingEmptySubsequences: false).compactMap { line in
      guard let mark = line.firstRange(of: " # 3.") else { return String(line) }
      let since = String(line[line.index(mark.lowerBound, offsetBy: 3)...])
      let isOf = since == "3.0" ? version == "3.0" : version >= since
      return isOf ? String(line[..<mark.lowerBound]) : nil
    }.joined(separator: "\n").replacing("VERSION", with: version + ".0")
  }

  private static let text = """
    openapi: VERSION
    $self: https://example.org/api # 3.2
    jsonSchemaDialect: https://spec.openapis.org/oas/3.1/dialect/base # 3.1
    info:
      title: Every field
      summary: short # 3.1
      description: long
      termsOfService: https://example.org/terms
      contact: { name: a, url: https://example.org, email: a@example.org, x-a: 1 }
      license: { name: MIT, url: https://example.org/mit } # 3.0
      license: { name: MIT, identifier: MIT } # 3.1
      version: "1"
    servers:
      - url: https://{host}.example.org
        name: main # 3.2
        description: s
        variables: { host: { enum: [a, b], default: a, description: h } }
    externalDocs: { description: d, url: https://example.org/docs }
    tags:
      - { name: top, description: t, externalDocs: { url: https://example.org } }
      - { name: sub, summary: S, parent: top, kind: nav } # 3.2
    security: [{ key: [] }, { flow: [read] }, {}]
    paths:
      /a/{id}:
        summary: s
        description: d
        servers: [{ url: / }]
        parameters:
          - { $ref: "#/components/parameters/Id" }
        get:
          tags: [top]
          summary: s
          description: d
          externalDocs: { url: https://example.org }
          operationId: getA
          deprecated: true
          security: [{ basic: [] }]
          servers: [{ url: / }]
          parameters:
            - { name: q, in: query, required: true, deprecated: false, allowEmptyValue: true, style: form, explode: true, allowReserved: true, schema: { type: string }, example: x, description: d }
            - { name: deep, in: query, style: deepObject, schema: { type: object }, examples: { one: { summary: s, description: d, value: {} } } }
            - { name: json, in: query, content: { application/json: { schema: { type: object } } } }
            - { name: X-A, in: header, style: simple, explode: false, schema: { type: string } }
            - { name: c, in: cookie, style: form, schema: { type: string } }
            - { name: d, in: cookie, style: cookie, schema: { type: string } } # 3.2
          callbacks:
            done:
              "{$request.query.q}":
                post: { operationId: called, responses: { "200": { description: ok } } }
          responses:
            "200":
              summary: fine # 3.2
              description: ok
              headers:
                X-Total: { description: t, required: true, deprecated: false, style: simple, explode: false, schema: { type: integer }, example: 3 }
                X-Json: { content: { application/json: { schema: { type: object } } } }
              content:
                application/json:
                  schema: { $ref: "#/components/schemas/Pet" }
                  examples:
                    one: { $ref: "#/components/examples/One" }
                    two: { externalValue: https://example.org/two.json }
                    three: { dataValue: { kind: cat }, serializedValue: "{}" } # 3.2
                application/jsonl: { itemSchema: { type: object } } # 3.2
                text/plain: { $ref: "#/components/mediaTypes/Plain" } # 3.2
              links:
                byId: { operationId: getA, parameters: { id: $response.body#/id }, requestBody: 1, description: d, server: { url: / } }
                byRef: { operationRef: "#/paths/~1a~1{id}/get" }
            4XX: { $ref: "#/components/responses/Bad" }
            default: { description: other }
        put:
          operationId: putA
          requestBody: { $ref: "#/components/requestBodies/Form" }
          responses: { "204": { description: ok } }
        post: { operationId: postA, responses: { "204": { description: ok } } }
        delete: { operationId: deleteA, responses: { "204": { description: ok } } }
        options: { operationId: optionsA, responses: { "204": { description: ok } } }
        head: { operationId: headA, responses: { "204": { description: ok } } }
        patch: { operationId: patchA, responses: { "204": { description: ok } } }
        trace: { operationId: traceA, responses: { "204": { description: ok } } }
        query: { operationId: queryA, responses: { "204": { description: ok } } } # 3.2
        additionalOperations: { COPY: { operationId: copyA, responses: { "204": { description: ok } } } } # 3.2
      /whole: # 3.2
        get: # 3.2
          operationId: whole # 3.2
          parameters: [{ name: all, in: querystring, content: { application/x-www-form-urlencoded: { schema: { type: object } } } }] # 3.2
          responses: { "200": { description: ok } } # 3.2
    webhooks: { hook: { post: { operationId: hook, responses: { "200": { description: ok } } } } } # 3.1
    components:
      parameters: { Id: { name: id, in: path, required: true, style: label, schema: { type: integer } } }
      examples: { One: { value: { kind: cat } } }
      responses: { Bad: { description: bad } }
      headers: { H: { schema: { type: string } } }
      links: { L: { operationId: getA } }
      callbacks: { C: { "{$url}": { get: { operationId: back, responses: { "200": { description: ok } } } } } }
      pathItems: { P: { get: { operationId: shared, responses: { "200": { description: ok } } } } } # 3.1
      mediaTypes: { Plain: { schema: { type: string } } } # 3.2
      requestBodies:
        Form:
          description: d
          required: true
          content:
            multipart/form-data:
              schema: { type: object, properties: { file: { type: string } } }
              encoding: { file: { contentType: text/plain, headers: { X-B: { schema: { type: string } } }, style: form, explode: true, allowReserved: true } }
            multipart/mixed: # 3.2
              itemSchema: { type: object } # 3.2
              prefixEncoding: [{ contentType: text/plain, encoding: { a: { contentType: text/plain } } }] # 3.2
              itemEncoding: { contentType: text/plain, prefixEncoding: [{}], itemEncoding: {} } # 3.2
      securitySchemes:
        key: { type: apiKey, name: k, in: header, description: d }
        old: { type: http, scheme: bearer, bearerFormat: JWT, deprecated: true } # 3.2
        basic: { type: http, scheme: basic }
        tls: { type: mutualTLS } # 3.1
        oidc: { type: openIdConnect, openIdConnectUrl: https://example.org/oidc }
        flow:
          type: oauth2
          oauth2MetadataUrl: https://example.org/meta # 3.2
          flows:
            implicit: { authorizationUrl: https://example.org, refreshUrl: https://example.org, scopes: { read: r } }
            password: { tokenUrl: https://example.org, scopes: {} }
            clientCredentials: { tokenUrl: https://example.org, scopes: {} }
            authorizationCode: { authorizationUrl: https://example.org, tokenUrl: https://example.org, scopes: {} }
            deviceAuthorization: { deviceAuthorizationUrl: https://example.org, tokenUrl: https://example.org, scopes: {} } # 3.2
      schemas:
        Pet:
          title: Pet
          description: d
          type: object
          required: [kind]
          minProperties: 1
          maxProperties: 9
          additionalProperties: false
          discriminator:
            propertyName: kind
            mapping: { cat: "#/components/schemas/Cat" }
            defaultMapping: Cat # 3.2
          externalDocs: { url: https://example.org }
          example: { kind: cat }
          properties:
            kind: { type: string, enum: [cat, dog], default: cat, pattern: "^[a-z]+$", minLength: 1, maxLength: 9, format: word }
            age: { type: integer, minimum: 0, maximum: 99, multipleOf: 1, readOnly: true, deprecated: false }
            secret: { type: string, writeOnly: true }
            tags: { type: array, items: { type: string }, minItems: 0, maxItems: 9, uniqueItems: true, xml: { name: tags, wrapped: true } }
            attr: { type: string, xml: { name: a, namespace: "https://example.org", prefix: p, attribute: true } }
            node: { type: string, xml: { name: n, nodeType: cdata } } # 3.2
            none: { type: string, nullable: true } # 3.0
            low: { type: number, minimum: 0, exclusiveMinimum: true } # 3.0
            any: { allOf: [{ type: object }], oneOf: [{}], anyOf: [{}], not: { type: string } }
            map: { type: object, additionalProperties: { type: string } }
            new: { type: [string, "null"], const: a, contentMediaType: text/plain, contentEncoding: base64, examples: [a] } # 3.1
            num: { type: number, exclusiveMinimum: 0, exclusiveMaximum: 9 } # 3.1
            tuple: { type: array, prefixItems: [{}], contains: {}, minContains: 1, maxContains: 2, unevaluatedItems: false } # 3.1
            logic: { if: {}, then: {}, else: {}, dependentSchemas: { a: {} }, dependentRequired: { a: [b] }, propertyNames: {}, patternProperties: { "^a": {} }, unevaluatedProperties: true, $comment: c, $defs: { D: true } } # 3.1
        Cat: { type: object, properties: { kind: { type: string } } }
    """
}
