import MurphyContract
import MurphyModel
import MurphySchema
import Testing

/// What one response says against its request, and when nothing is said.
@Suite struct RelationReaderTests {
  static let contract = Result {
    try Contracts.load(
      """
        /things:
          get:
            operationId: listThings
            parameters:
              - { name: limit, in: query, schema: { type: integer, minimum: 1, maximum: 50, default: 3 } }
              - { name: offset, in: query, schema: { type: integer, default: 0 } }
              - { name: sort, in: query, schema: { type: string, enum: [rank, name, made], default: rank } }
              - { name: order, in: query, schema: { type: string, enum: [asc, desc], default: asc } }
              - { name: kind, in: query, schema: { type: string, enum: [a, b, all] } }
              - { name: rank, in: query, schema: { type: integer } }
              - { name: q, in: query, schema: { type: string } }
            responses:
              "200":
                description: fine
                content:
                  application/json:
                    schema:
                      type: object
                      properties:
                        rows:
                          type: array
                          items:
                            type: object
                            properties:
                              id: { type: integer }
                              rank: { type: [integer, "null"] }
                              name: { type: string }
                              made: { type: string }
                              kind: { type: string, enum: [a, b] }
                        meta:
                          type: object
                          properties:
                            total: { type: integer }
                            offset: { type: integer }
                            per_page: { type: integer }
                            last_page: { type: integer }
        /things/{id}:
          get:
            operationId: getThing
            parameters: [{ name: id, in: path, required: true, schema: { type: integer } }]
            responses:
              "200":
                description: fine
                content: { application/json: { schema: { type: object, properties: { id: { type: integer } } } } }
        /places/{id}:
          get:
            operationId: getPlace
            parameters: [{ name: id, in: path, required: true, schema: { type: string } }]
            responses:
              "200":
                description: fine
                content: { application/json: { schema: { type: object, properties: { id: { type: string } } } } }
      """)
  }

  /// The rules and grounds that a response raises.
  private func doubts(_ target: String, _ body: String) throws -> [String] {
    let contract = try Self.contract.get()
    let reader = RelationReader(ContractRelations(contract))
    let parser = TapeParser()
    let item = target.hasPrefix("/places/") ? "getPlace" : "getThing"
    let operation = try #require(contract.index(of: target.dropFirst().contains("/") ? item : "listThings"))
    return Array(body.utf8).withUnsafeBytes { bytes in
      guard case .tape(let tape) = parser.parse(bytes) else { return ["no tape"] }
      reader.read(tape, operation: operation, target: target)
      return reader.subject == .none ? ["nothing read"] : reader.doubts.map { "\($0.rule.rawValue) \($0.ground)" }
    }
  }

  private func page(_ rows: [String], _ meta: String = "") -> String {
    "{\"rows\":[\(rows.map { "{\($0)}" }.joined(separator: ","))],\"meta\":{\(meta)}}"
  }

  @Test func `what fits raises nothing`() throws {
    let rows = [
      #""id":1,"rank":1,"name":"a","kind":"a""#, #""kind":"a","name":"b","rank":1,"id":2"#,
      #""id":3,"rank":5,"kind":"a""#,
    ]
    let body = page(rows, #""total":9,"offset":3,"per_page":3,"last_page":3"#)
    #expect(try doubts("/things?limit=3&offset=3&kind=a", body) == [])
    #expect(try doubts("/things?offset=3", body) == [])
  }

  @Test func `the size of the page`() throws {
    let rows = (1...4).map { "\"id\":\($0),\"rank\":\($0)" }
    #expect(try doubts("/things?limit=3", page(rows)) == ["page-size plain"])
    #expect(try doubts("/things", page(rows)) == ["page-size plain"])
    #expect(try doubts("/things?limit=4", page(rows)) == [])
    // Outside of its bounds or not a number, the parameter asks for nothing that is known.
    #expect(try doubts("/things?limit=0", page(rows)) == [])
    #expect(try doubts("/things?limit=many", page(rows)) == [])
    #expect(try doubts("/things?limit=3&limit=9", page(rows)) == [])
    #expect(try doubts("/things?limit=99", page(rows)) == [])
  }

  @Test func `what the page says of itself`() throws {
    let rows = (1...3).map { "\"id\":\($0),\"rank\":\($0)" }
    #expect(try doubts("/things?offset=3&limit=3", page(rows, #""offset":0"#)) == ["echo plain"])
    // Without the parameter the server may begin where it likes.
    #expect(try doubts("/things?limit=3", page(rows, #""offset":1"#)) == [])
    #expect(try doubts("/things?limit=3", page(rows, #""per_page":10"#)) == ["echo synonym"])
    #expect(try doubts("/things?limit=3", page(rows, #""total":2"#)) == ["total snapshot"])
    #expect(try doubts("/things?limit=5", page(rows, #""total":9"#)) == ["short-page snapshot"])
    #expect(try doubts("/things?limit=3", page(rows, #""total":7,"last_page":2"#)) == ["last-page plain"])
    #expect(try doubts("/things?limit=3", page([], #""total":0,"last_page":1"#)) == [])
    #expect(try doubts("/things?limit=3&offset=9", page([], #""total":7,"last_page":3"#)) == [])
  }

  /// Requests and servers can name any number; none of them ends the process.
  @Test(arguments: ["9223372036854775807", "-9223372036854775808", "9223372036854775808", "4611686018427387904"])
  func `numbers at the edge`(_ number: String) throws {
    let rows = (1...3).map { "\"id\":\($0),\"rank\":\($0)" }
    for query in ["offset=\(number)", "limit=\(number)", "offset=\(number)&limit=\(number)", "page=\(number)&limit=3"] {
      for meta in ["\"total\":\(number)", "\"last_page\":\(number)", "\"total\":\(number),\"offset\":\(number)"] {
        #expect(try doubts("/things?\(query)", page(rows, meta)) != ["no tape"])
      }
    }
  }

  @Test func `what every page says of its number`() throws {
    let rows = (1...3).map { "\"id\":\($0),\"rank\":\($0)" }
    // A page of three cannot be a page of two, whatever the name means.
    #expect(try doubts("/things?limit=3", page(rows, #""per_page":2"#)) == ["echo plain"])
    #expect(try doubts("/things?limit=4", page(rows, #""per_page":3"#)) == ["echo synonym"])
  }

  @Test func `a row outside the filter of its list is doubted`() throws {
    let rows = [#""id":1,"rank":4,"kind":"a""#, #""id":2,"rank":4,"kind":"b""#, #""id":3,"rank":null"#]
    #expect(try doubts("/things?kind=a", page(rows)) == ["filter row"])
    #expect(try doubts("/things?rank=4", page(rows)) == [])
    #expect(try doubts("/things?rank=5&limit=3", page(rows)) == ["filter row", "filter row"])
    #expect(try doubts("/things?rank=4&kind=a", page(rows)) == ["filter rowOfSeveral"])
    #expect(try doubts("/things?kind=a&q=x", page(rows)) == ["filter rowOfSeveral"])
    #expect(try doubts("/things?kind=a,b", page(rows)) == [])
    #expect(try doubts("/things?kind=a&kind=b", page(rows)) == [])
    // Neither is a value that a row can have: they ask for all, or for rows without one.
    #expect(try doubts("/things?kind=all", page(rows)) == [])
    #expect(try doubts("/things?rank=0&limit=3", page(rows)) == [])
  }

  @Test func `rows out of the order of their list are doubted`() throws {
    func rows(_ name: String, _ values: [String]) -> String {
      page(values.enumerated().map { "\"id\":\($0),\"\(name)\":\($1)" })
    }
    #expect(try doubts("/things", rows("rank", ["1", "2", "2"])) == [])
    #expect(try doubts("/things", rows("rank", ["1", "null", "0"])) == [])
    #expect(try doubts("/things", rows("rank", ["2", "1", "1"])) == ["order row"])
    #expect(try doubts("/things?order=desc", rows("rank", ["2", "1", "1"])) == [])
    #expect(try doubts("/things?sort=unknown&order=desc", rows("rank", ["1", "2", "3"])) == [])
    #expect(try doubts("/things?sort=name", rows("name", ["\"b\"", "\"a\"", "\"c\""])) == ["order texts"])
    #expect(try doubts("/things?sort=name", rows("name", ["\"b\"", "\"A\"", "\"ä\""])) == [])
    #expect(try doubts("/things?sort=name", rows("name", ["\"a-b\"", "\"a_a\"", "\"item9\""])) == [])
    let moments = ["\"2024-01-02T10:00:00Z\"", "\"2024-01-01T10:00:00Z\"", "\"2024-01-01T10:00:00.5Z\""]
    #expect(try doubts("/things?sort=made", rows("made", moments)) == ["order row"])
    #expect(try doubts("/things?sort=made", rows("made", Array(moments.reversed()))) == [])
  }

  @Test func `the item`() throws {
    #expect(try doubts("/things/7", #"{"id":7}"#) == [])
    #expect(try doubts("/things/7?x=1", #"{"id":8}"#) == ["identity identity"])
    #expect(try doubts("/things/7", #"{"name":"none"}"#) == ["nothing read"])
    #expect(try doubts("/things/latest", #"{"id":8}"#) == ["nothing read"])
  }

  @Test func `an item that is requested by another of its names`() throws {
    #expect(try doubts("/places/oslo", #"{"id":"7","name":"bergen","near":"oslo"}"#) == ["identity identity"])
    #expect(try doubts("/places/oslo", #"{"id":"7","name":"oslo"}"#) == ["nothing read"])
  }

  @Test func `other shapes are not read`() throws {
    #expect(try doubts("/things", "[]") == ["nothing read"])
    #expect(try doubts("/things", #"{"rows":{}}"#) == ["nothing read"])
    #expect(try doubts("/things", #"{"rows":[1,null,[]]}"#) == [])
  }
}
