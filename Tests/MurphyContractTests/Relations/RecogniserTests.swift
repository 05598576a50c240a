import MurphyContract
import MurphyModel
import TestSupport
import Testing

/// Which relations a contract shows: names and types decide, and what only looks alike is left out.
@Suite struct RecogniserTests {
  @Test func `the reference contract shows its list`() throws {
    let contract = try Contract.load(Repository.referenceContract)
    let relations = ContractRelations(contract)
    let list = try #require(relations.collections.first { contract.operations[$0.operation].id == "listLaws" })
    #expect(list.items == ["data"] && list.total == ["total"])
    #expect(list.id?.name == "id" && list.id?.isInteger == true)
    #expect(list.limit?.name == "limit" && list.limit?.standard == 25)
    #expect(list.limit?.minimum == 1 && list.limit?.maximum == 25)
    #expect(list.offset?.name == "offset")
    #expect(list.filters.map(\.name) == ["category_id"] && list.filters[0].form == .integer)
    #expect(list.searches == ["q"])
    #expect(Set(list.sort?.keys.keys.map(\.self) ?? []) == ["upvotes", "downvotes", "created_at", "title", "id"])
    #expect(list.direction?.values == ["asc": false, "desc": true] && list.direction?.standard == "desc")
    #expect(list.echoes.map(\.isSynonym) == [false, false])
    let law = try #require(relations.items.first)
    #expect(contract.operations[law.operation].id == "getLaw" && law.field == "id" && !law.isLoose)
    #expect(law.collection.map { relations.collections[$0].operation } == list.operation)
    #expect(relations.items.count == 1)
    let rows = relations.rows(contract).filter { $0.operation == list.operation }
    let on = rows.filter { $0.state == .on }.map(\.rule.rawValue)
    #expect(
      on == [
        "page-size", "echo", "total", "short-page", "repeats", "skips", "order", "filter", "search", "list-vs-item",
        "etag",
        "not-modified", "head", "allow",
      ])
    #expect(rows.allSatisfy { !$0.reason.isEmpty })
  }

  private static func list(
    _ parameters: String, item: String = "{ id: { type: integer } }", envelope: String = "total: { type: integer }"
  ) throws -> CollectionShape? {
    ContractRelations(try contract(parameters, item: item, envelope: envelope)).collections.first
  }

  private static func contract(
    _ parameters: String, item: String = "{ id: { type: integer } }", envelope: String = "total: { type: integer }"
  ) throws -> Contract {
    try Contracts.load(
      """
        /things:
          get:
            operationId: listThings
            parameters:
      \(parameters.split(separator: "\n").map { "        - \($0)" }.joined(separator: "\n"))
            responses:
              "200":
                description: fine
                content:
                  application/json:
                    schema:
                      type: object
                      properties:
                        { data: { type: array, items: { type: object, properties: \(item) } }, \(envelope) }
      """)
  }

  @Test func `look alikes are not taken`() throws {
    let shape = try #require(
      try Self.list(
        """
        { name: limit, in: query, schema: { type: string } }
        { name: size, in: query, schema: { type: string, enum: [S, M, L] } }
        { name: page, in: query, schema: { type: string } }
        { name: sort, in: query, schema: { type: string } }
        { name: order, in: query, schema: { type: integer } }
        { name: status, in: query, schema: { type: string } }
        { name: name, in: query, schema: { type: string } }
        { name: count, in: query, schema: { type: integer } }
        { name: start, in: query, schema: { type: string } }
        { name: paid, in: query, schema: { type: boolean } }
        { name: signed, in: query, schema: { type: boolean, default: true } }
        """,
        item: """
          { id: { type: integer }, status: { type: string, enum: [open] }, name: { type: string },
            size: { type: string, enum: [S, M, L] }, count: { type: integer }, paid: { type: boolean },
            signed: { type: boolean } }
          """, envelope: "count: { type: integer }"))
    #expect(shape.limit == nil && shape.offset == nil && shape.page == nil && shape.sort == nil)
    #expect(shape.direction == nil && shape.total == nil && shape.echoes.isEmpty)
    // A size of shirts is a filter, and so is a count that items have. A flag with a default may choose what is included.
    #expect(shape.filters.map { "\($0.name) \($0.form)" } == ["size text", "count integer", "paid boolean"])
  }

  @Test func `a total is checked with a page size or a cursor alone`() throws {
    for parameters in ["limit, in: query, schema: { type: integer }", "cursor, in: query, schema: { type: string }"] {
      let shape = try #require(
        try Self.list("{ name: \(parameters) }", envelope: "total: { type: integer }, next_cursor: { type: string }"))
      #expect(shape.total == ["total"])
      let contract = try Self.contract("{ name: \(parameters) }")
      let row = ContractRelations(contract).rows(contract).first { $0.rule == .total }
      #expect(row?.state == .on, "\(parameters)")
    }
  }

  @Test func `two totals are none`() throws {
    let shape = try Self.list(
      "{ name: limit, in: query, schema: { type: integer } }",
      envelope: "total: { type: integer }, count: { type: integer }")
    #expect(shape?.total == nil)
  }

  @Test func `an operator beside filters turns them off`() throws {
    let shape = try Self.list(
      """
      { name: rank, in: query, schema: { type: integer } }
      { name: match, in: query, schema: { type: string } }
      """, item: "{ id: { type: integer }, rank: { type: integer } }")
    #expect(shape?.filters.isEmpty == true)
  }

  @Test func `signs and pairs say the direction`() throws {
    let shape = try Self.list(
      "{ name: sort_by, in: query, schema: { type: string, enum: [-created, created, 'rank:desc', 'size,asc', other] } }",
      item: "{ created: { type: string }, rank: { type: integer }, size: { type: integer } }")
    let keys = (shape?.sort?.keys ?? [:]).mapValues {
      "\($0.field) \($0.isDescending == true ? "descends" : "ascends")"
    }
    #expect(
      keys == [
        "-created": "created descends", "created": "created ascends", "rank:desc": "rank descends",
        "size,asc": "size ascends",
      ])
  }

  @Test func `a token or a moment is the cursor of a list`() throws {
    func cursor(_ parameters: String, _ envelope: String) throws -> CollectionShape.Cursor? {
      try Self.list(parameters, envelope: envelope)?.cursor
    }
    let token = "{ name: cursor, in: query, schema: { type: string } }"
    let moment = "{ name: lastSyncAt, in: query, schema: { type: string, format: date-time } }"
    let given = try #require(try cursor(token, "meta: { type: object, properties: { next_cursor: { type: string } } }"))
    #expect(given.path == ["meta", "next_cursor"] && !given.isMoment && given.name == "cursor")
    let synced = try cursor(moment, "syncedAt: { type: string, format: date-time }")
    #expect(synced?.isMoment == true)
    // A moment is not taken for a token, nor one of two members for the right one.
    #expect(try cursor(token, "syncedAt: { type: string, format: date-time }") == nil)
    #expect(try cursor(moment, "syncedAt: { type: string }") == nil)
    #expect(try cursor(token, "next_cursor: { type: string }, cursor: { type: string }") == nil)
    #expect(
      try cursor(token + "\n{ name: before, in: query, schema: { type: string } }", "cursor: { type: string }") == nil)
  }

  private static func relations(_ paths: String) throws -> ContractRelations {
    ContractRelations(try Contracts.load(paths))
  }

  private static func below(_ path: String, item: String, parameter: String = "{ type: integer }") throws
    -> ContractRelations
  {
    try relations(
      """
        /people/{id}:
          get:
            parameters: [{ name: id, in: path, required: true, schema: { type: integer } }]
            responses:
              "200":
                description: fine
                content:
                  application/json:
                    schema:
                      type: object
                      properties:
                        id: { type: integer }
                        note_count: { type: integer }
                        statistics: { type: object, properties: { number_of_tasks: { type: integer } } }
        \(path):
          get:
            operationId: listBelow
            parameters: [{ name: id, in: path, required: true, schema: \(parameter) }]
            responses:
              "200":
                description: fine
                content:
                  application/json:
                    schema:
                      type: object
                      properties:
                        total: { type: integer }
                        data: { type: array, items: { type: object, properties: \(item) } }
      """)
  }

  @Test(
    arguments: [
      ("/people/{id}/notes", "{ people_id: { type: integer } }", ["people_id"]),
      ("/contacts/{id}/notes", "{ contactId: { type: integer } }", ["contactId"]),
      (
        "/contacts/{id}/notes", "{ contact: { type: object, properties: { id: { type: integer } } } }",
        ["contact", "id"]
      ),
      ("/companies/{id}/notes", "{ company_id: { type: integer } }", ["company_id"]),
      ("/contacts/{id}/notes", "{ contact_id: { type: string } }", nil),
      ("/contacts/{id}/notes", "{ author_id: { type: integer } }", nil),
      (
        "/contacts/{id}/notes",
        "{ contact_id: { type: integer }, contact: { type: object, properties: { id: { type: integer } } } }", nil
      ),
      ("/contacts/{id}", "{ contact_id: { type: integer } }", nil),
    ] as [(String, String, [String]?)])
  func `what items belong to`(path: String, item: String, expected: [String]?) throws {
    let shape = try #require(try Self.below(path, item: item).collections.first)
    #expect(shape.parent?.path == expected)
  }

  @Test func `counts of lists`() throws {
    func counts(_ path: String) throws -> [[String]] {
      try Self.below(path, item: "{ id: { type: integer } }").items.flatMap { $0.counts.map(\.path) }
    }
    #expect(try counts("/people/{id}/notes") == [["note_count"]])
    #expect(try counts("/people/{id}/tasks") == [["statistics", "number_of_tasks"]])
    #expect(try counts("/people/{id}/gifts") == [])
    #expect(try counts("/people/{id}/notes/{year}") == [])
  }

  @Test func `the promised order`() throws {
    let contract = try Contracts.load(
      """
        /things:
          get:
            operationId: listThings
            responses:
              "200":
                description: fine
                content:
                  application/json:
                    schema: { type: array, items: { type: object, properties: { id: { type: integer } } } }
      """)
    #expect(ContractRelations(contract).collections.first?.standingOrder == nil)
    let falling = ContractRelations(contract, promises: ["listThings": ListPromise(order: ListOrder("-id"))])
      .collections.first?.standingOrder
    #expect(falling?.field == "id" && falling?.isDescending == true)
    #expect(
      ContractRelations(contract, promises: ["listThings": ListPromise(order: ListOrder("name"))]).collections.first?
        .standingOrder == nil)
  }

  @Test func `ranks are not sorted as texts`() throws {
    let shape = try Self.list(
      "{ name: sort, in: query, schema: { type: string, enum: [priority, id] } }",
      item: "{ id: { type: integer }, priority: { type: string, enum: [low, medium, high] } }")
    #expect(Set((shape?.sort?.keys ?? [:]).keys) == ["id"])
  }

  @Test func `the item of another thing is no item`() throws {
    func shapes(
      _ path: String, _ parameter: String, _ properties: String = "{ id: { type: integer } }"
    ) throws -> [String] {
      let contract = try Contracts.load(
        """
          /pets:
            get:
              responses:
                "200":
                  description: fine
                  content:
                    application/json:
                      schema: { type: array, items: { type: object, properties: { id: { type: integer } } } }
          \(path):
            get:
              parameters: [{ name: \(parameter), in: path, required: true, schema: { type: integer } }]
              responses:
                "200":
                  description: fine
                  content: { application/json: { schema: { type: object, properties: \(properties) } } }
        """)
      return ContractRelations(contract).items.map { ($0.path + [$0.field]).joined(separator: ".") }
    }
    #expect(try shapes("/pets/{petId}", "petId") == ["id"])
    #expect(try shapes("/pets/{id}", "id") == ["id"])
    let wrapped = "{ data: { type: object, properties: { id: { type: integer } } } }"
    #expect(try shapes("/pets/{id}", "id", wrapped) == ["data.id"])
    #expect(try shapes("/pets/{id}", "id", wrapped.replacing("data", with: "pet")) == ["pet.id"])
    #expect(try shapes("/pets/{id}", "id", wrapped.replacing("data", with: "owner")) == [])
    // The id of a cart is not that of its owner.
    #expect(try shapes("/carts/{userId}", "userId") == [])
    #expect(try shapes("/pets/{ownerId}", "ownerId") == [])
  }

  /// The examples of the specification have no list that can be asked for page by page.
  @Test func `public documents show nothing`() {
    let contracts = SpecificationDocuments.files("pass").compactMap { try? Contract.load($0) }
    #expect(contracts.count > 25)
    let found = contracts.flatMap { contract in
      ContractRelations(contract).rows(contract).filter { $0.state == .on }
        .map { "\(contract.operations[$0.operation].id) \($0.rule.rawValue)" }
    }
    print("relations of the public documents: \(found)")
    #expect(
      Set(found.map { $0.split(separator: " ").last ?? "" }).isSubset(of: ["etag", "not-modified", "head", "allow"]))
  }
}
