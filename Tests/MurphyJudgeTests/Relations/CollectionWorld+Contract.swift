import MurphyContract

extension CollectionWorld {
  static let contract: Contract = {
    do { return try Contract.parse(document, file: "world.yaml") } catch { fatalError("\(error)") }
  }()

  private static let document = """
    openapi: 3.1.0
    info: { title: World, version: "1" }
    paths:
      /items:
        get:
          operationId: listItems
          parameters:
            - { name: limit, in: query, schema: { type: integer, minimum: 1, maximum: 100, default: 20 } }
            - { name: offset, in: query, schema: { type: integer, minimum: 0, default: 0 } }
            - { name: sort, in: query, schema: { type: string, enum: [score, name, created_at, id], default: id } }
            - { name: order, in: query, schema: { type: string, enum: [asc, desc], default: asc } }
            - { name: status, in: query, schema: { type: string, enum: [open, closed] } }
            - { name: category_id, in: query, schema: { type: integer } }
            - { name: name, in: query, schema: { type: string } }
          responses:
            "200":
              description: A page.
              content:
                application/json:
                  schema:
                    type: object
                    properties:
                      data: { type: array, items: { $ref: "#/components/schemas/Item" } }
                      total: { type: integer }
                      limit: { type: integer }
                      offset: { type: integer }
                      last_page: { type: integer }
        post: { operationId: createItem, responses: { "201": { description: Created. } } }
      /items/{id}:
        parameters: [ { name: id, in: path, required: true, schema: { type: integer } } ]
        get:
          operationId: getItem
          responses:
            "200":
              description: One.
              content: { application/json: { schema: { $ref: "#/components/schemas/Item" } } }
        patch: { operationId: updateItem, responses: { "200": { description: Changed. } } }
        delete: { operationId: deleteItem, responses: { "204": { description: Gone. } } }
      /items/{id}/notes:
        parameters: [ { name: id, in: path, required: true, schema: { type: integer } } ]
        get:
          operationId: listNotes
          responses:
            "200":
              description: All.
              content:
                application/json:
                  schema: { type: array, items: { $ref: "#/components/schemas/Note" } }
    components:
      schemas:
        Item:
          type: object
          properties:
            id: { type: integer }
            name: { type: string }
            score: { type: integer }
            created_at: { type: string, format: date-time }
            status: { type: string, enum: [open, closed] }
            category_id: { type: [integer, "null"] }
            text: { type: string }
            views: { type: integer }
        Note:
          type: object
          properties: { id: { type: integer }, item_id: { type: integer } }
    """
}
