/// The same API as Swagger 2.0 and as OpenAPI 3.0.
enum SwaggerPair {
  static let swagger = """
    swagger: "2.0"
    info: { title: Pets, version: "1" }
    host: api.example.org
    basePath: /v2
    schemes: [https, http]
    consumes: [application/json]
    produces: [application/json, application/xml]
    tags: [{ name: pets }]
    security: [{ key: [] }]
    securityDefinitions:
      key: { type: apiKey, name: X-Key, in: header }
      login: { type: basic }
      machine: { type: oauth2, flow: application, tokenUrl: "https://a.example.org/token", scopes: { read: all } }
      web: { type: oauth2, flow: accessCode, authorizationUrl: "https://a.example.org/ask",
             tokenUrl: "https://a.example.org/token", scopes: {} }
    paths:
      /pets:
        parameters:
          - { name: X-Trace, in: header, type: array, items: { type: string } }
          - { $ref: "#/parameters/limit" }
        get:
          operationId: listPets
          parameters:
            - { name: a, in: query, type: array, items: { type: integer, format: int32 }, x-example: [1] }
            - { name: b, in: query, type: array, items: { type: string }, collectionFormat: ssv, uniqueItems: true }
            - { name: c, in: query, type: array, items: { type: string }, collectionFormat: pipes }
            - { name: d, in: query, type: array, items: { type: string }, collectionFormat: multi, minItems: 1 }
            - { name: e, in: query, type: string, enum: [x, y], default: x, allowEmptyValue: true, x-nullable: true }
          responses:
            200:
              description: a page
              schema: { type: array, items: { $ref: "#/definitions/Pet" } }
              headers:
                X-Total: { type: integer, minimum: 0, description: all }
                X-Names: { type: array, items: { type: string }, collectionFormat: csv }
              examples: { application/json: [{ kind: Cat, name: Tom }], text/plain: Tom }
            404: { $ref: "#/responses/Missing" }
            default: { description: nothing }
        post:
          operationId: addPet
          consumes: [application/json, application/xml]
          produces: [text/plain]
          security: []
          parameters:
            - { name: pet, in: body, required: true, description: a pet, schema: { $ref: "#/definitions/Pet" } }
          responses: { 201: { description: its name, schema: { type: string } }, 404: { $ref: "#/responses/Missing" } }
      /pets/{id}:
        parameters:
          - { name: id, in: path, required: true, type: integer, format: int64, maximum: 9, exclusiveMaximum: true }
        put:
          operationId: renamePet
          deprecated: true
          consumes: [application/x-www-form-urlencoded]
          security: [{ login: [] }, { machine: [read], web: [] }]
          parameters:
            - { name: name, in: formData, required: true, type: string, maxLength: 9 }
            - { name: tags, in: formData, type: array, items: { type: string } }
          responses: { 204: { description: done } }
      /pets/{id}/photo:
        parameters:
          - { name: id, in: path, required: true, type: integer }
          - { $ref: "#/parameters/photo" }
        post:
          operationId: addPhoto
          consumes: [multipart/form-data]
          produces: [image/png]
          parameters: [{ name: note, in: formData, type: string, x-nullable: true }]
          responses: { 200: { description: small, schema: { type: file } } }
    parameters:
      limit: { name: limit, in: query, type: integer, minimum: 1, multipleOf: 5 }
      photo: { name: photo, in: formData, required: true, type: file }
    responses:
      Missing: { description: none, schema: { $ref: "#/definitions/Problem" } }
    definitions:
      Problem: { type: object, required: [message], properties: { message: { type: string, x-nullable: true } } }
      Pet:
        type: object
        discriminator: kind
        required: [kind, name]
        properties:
          kind: { type: string }
          name: { type: [string, "null"] }
          owner: { $ref: "#/definitions/Problem" }
          more: { type: object, additionalProperties: { type: integer, x-nullable: true } }
      Cat:
        allOf: [{ $ref: "#/definitions/Pet" }, { type: object, properties: { lives: { type: integer } } }]
    """

  static let openAPI = """
    openapi: 3.0.3
    info: { title: Pets, version: "1" }
    servers: [{ url: "https://api.example.org/v2" }, { url: "http://api.example.org/v2" }]
    tags: [{ name: pets }]
    security: [{ key: [] }]
    paths:
      /pets:
        parameters:
          - { name: X-Trace, in: header, schema: { type: array, items: { type: string } } }
          - { $ref: "#/components/parameters/limit" }
        get:
          operationId: listPets
          parameters:
            - { name: a, in: query, explode: false, example: [1],
                schema: { type: array, items: { type: integer, format: int32 } } }
            - { name: b, in: query, style: spaceDelimited, explode: false,
                schema: { type: array, items: { type: string }, uniqueItems: true } }
            - { name: c, in: query, style: pipeDelimited, explode: false,
                schema: { type: array, items: { type: string } } }
            - { name: d, in: query, schema: { type: array, items: { type: string }, minItems: 1 } }
            - { name: e, in: query, allowEmptyValue: true,
                schema: { type: string, enum: [x, y], default: x, nullable: true } }
          responses:
            "200":
              description: a page
              headers:
                X-Total: { description: all, schema: { type: integer, minimum: 0 } }
                X-Names: { schema: { type: array, items: { type: string } } }
              content:
                application/json:
                  schema: { type: array, items: { $ref: "#/components/schemas/Pet" } }
                  example: [{ kind: Cat, name: Tom }]
                application/xml: { schema: { type: array, items: { $ref: "#/components/schemas/Pet" } } }
                text/plain: { example: Tom }
            "404": { $ref: "#/components/responses/Missing" }
            default: { description: nothing }
        post:
          operationId: addPet
          security: []
          requestBody:
            required: true
            content:
              application/json: { schema: { $ref: "#/components/schemas/Pet" } }
              application/xml: { schema: { $ref: "#/components/schemas/Pet" } }
          responses:
            "201": { description: its name, content: { text/plain: { schema: { type: string } } } }
            "404":
              description: none
              content: { text/plain: { schema: { $ref: "#/components/schemas/Problem" } } }
      /pets/{id}:
        parameters:
          - { name: id, in: path, required: true,
              schema: { type: integer, format: int64, maximum: 9, exclusiveMaximum: true } }
        put:
          operationId: renamePet
          deprecated: true
          security: [{ login: [] }, { machine: [read], web: [] }]
          requestBody:
            required: true
            content:
              application/x-www-form-urlencoded:
                schema:
                  type: object
                  properties:
                    name: { type: string, maxLength: 9 }
                    tags: { type: array, items: { type: string } }
                  required: [name]
                encoding: { tags: { style: form, explode: false } }
          responses: { "204": { description: done } }
      /pets/{id}/photo:
        parameters: [{ name: id, in: path, required: true, schema: { type: integer } }]
        post:
          operationId: addPhoto
          requestBody:
            required: true
            content:
              multipart/form-data:
                schema:
                  type: object
                  properties:
                    photo: { type: string, format: binary }
                    note: { type: string, nullable: true }
                  required: [photo]
          responses:
            "200": { description: small, content: { image/png: { schema: { type: string, format: binary } } } }
    components:
      parameters:
        limit: { name: limit, in: query, schema: { type: integer, minimum: 1, multipleOf: 5 } }
      responses:
        Missing:
          description: none
          content:
            application/json: { schema: { $ref: "#/components/schemas/Problem" } }
            application/xml: { schema: { $ref: "#/components/schemas/Problem" } }
      securitySchemes:
        key: { type: apiKey, name: X-Key, in: header }
        login: { type: http, scheme: basic }
        machine:
          type: oauth2
          flows: { clientCredentials: { tokenUrl: "https://a.example.org/token", scopes: { read: all } } }
        web:
          type: oauth2
          flows:
            authorizationCode:
              authorizationUrl: "https://a.example.org/ask"
              tokenUrl: "https://a.example.org/token"
              scopes: {}
      schemas:
        Problem: { type: object, required: [message], properties: { message: { type: string, nullable: true } } }
        Pet:
          type: object
          discriminator: { propertyName: kind }
          required: [kind, name]
          properties:
            kind: { type: string }
            name: { type: string, nullable: true }
            owner: { $ref: "#/components/schemas/Problem" }
            more: { type: object, additionalProperties: { type: integer, nullable: true } }
        Cat:
          allOf:
            - { $ref: "#/components/schemas/Pet" }
            - { type: object, properties: { lives: { type: integer } } }
    """
}
