import MurphyContract
import Testing

/// Properties of a contract that are read once and used for all operations.
@Suite struct SharedReadingsTests {
  static let text = """
    openapi: 3.0.3
    info: { title: Things, version: "1" }
    paths:
      /things:
        get:
          operationId: listThings
          responses:
            "200": { description: ok, content: { application/json: { schema: { $ref: "#/components/schemas/Page" } } } }
      /logins:
        post:
          operationId: logIn
          requestBody: { content: { application/json: { schema: { $ref: "#/components/schemas/Login" } } } }
          responses:
            "200": { description: ok, content: { application/json: { schema: { $ref: "#/components/schemas/Thing" } } } }
    components:
      schemas:
        Page:
          type: object
          required: [data]
          properties:
            data: { type: array, items: { $ref: "#/components/schemas/Thing" } }
            limit: { type: integer }
        Thing:
          type: object
          properties:
            id: { type: integer }
            mark: { type: string, format: password }
            parent: { $ref: "#/components/schemas/Thing" }
        Login:
          type: object
          properties:
            phrase: { type: string, writeOnly: true }
            api_key: { type: string }
            next: { $ref: "#/components/schemas/Login" }
    """

  @Test func `each operation has the secret members of its own schemas`() throws {
    let contract = try Contract.parse(Self.text, file: "api.yaml")
    let found = contract.secretMembers
    let list = try #require(contract.index(of: "listThings"))
    let login = try #require(contract.index(of: "logIn"))
    #expect(found[list].names.contains("mark"))
    #expect(found[list].names.isDisjoint(with: ["phrase", "api_key"]))
    #expect(found[login].names.isSuperset(of: ["mark", "phrase", "api_key"]))
    #expect(found[list].isInResponse)
    for index in contract.operations.indices {
      #expect(found[index].names == contract.secretMembers(operation: index))
    }
  }

  @Test func `a contract with more operations has relations of its own`() throws {
    let contract = try Contract.parse(Self.text, file: "api.yaml")
    #expect(contract.relations().collectionOf.count == 2)
    let longer = contract.adding([.init(id: "other", method: "GET", path: "/others")])
    #expect(longer.relations().collectionOf.count == 3)
    #expect(contract.relations().collectionOf.count == 2)
    #expect(contract.relations().collections.map(\.operation) == longer.relations().collections.map(\.operation))
  }
}
