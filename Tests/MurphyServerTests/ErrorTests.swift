import MurphyServer
import Testing

@Suite(.serialized) struct ErrorTests {
  @Test(arguments: [
    ("limit=0", "limit"), ("limit=26", "limit"), ("limit=ten", "limit"), ("limit=", "limit"), ("limit=%2B5", "limit"),
    ("offset=-1", "offset"), ("sort=text", "sort"), ("order=up", "order"), ("category_id=0", "category_id"),
    ("attribution=", "attribution"), ("q=" + String(repeating: "a", count: 201), "q"),
  ])
  func `a wrong parameter is a 400 that names it`(query: String, field: String) async throws {
    try await withServer(unlimited) { client async throws in
      let answer = try await client.get("/laws?" + query)
      #expect(answer.status == 400)
      #expect(answer.json["error"].string == "Invalid request" && answer.json["field"].string == field)
    }
  }

  @Test(arguments: ["", "nonsense", "[]", "null", #"{"vote_type":"up""#])
  func `a body that is not an object is a 400 without a field`(body: String) async throws {
    try await withServer(unlimited) { client async throws in
      let answer = try await client.post("/laws/1/vote", body)
      #expect(answer.status == 400)
      #expect(answer.json.names == ["error", "message", "field"] && answer.json["field"] == .null)
    }
  }

  @Test(arguments: [
    (#"{"text":"too short","category_id":1}"#, "text"), (#"{"text":"long enough for a law"}"#, "category_id"),
    (#"{"text":"long enough for a law","category_id":999}"#, "category_id"),
    (#"{"text":"long enough for a law","category_id":1.5}"#, "category_id"),
    (#"{"text":"long enough for a law","category_id":1,"email":"nobody"}"#, "email"),
    (#"{"text":"long enough for a law","category_id":1,"title":""}"#, "title"),
    (#"{"text":"long enough for a law","category_id":1,"stars":5}"#, "stars"),
    (#"{"text":7,"category_id":1}"#, "text"),
  ])
  func `a wrong submission is a 400 that names the field`(body: String, field: String) async throws {
    try await withServer(unlimited) { client async throws in
      let answer = try await client.post("/laws", body)
      #expect(answer.status == 400)
      #expect(answer.json["field"].string == field, "\(answer.text)")
    }
  }

  @Test func `the shortest and the longest text are taken, and not one character less or more`() async throws {
    try await withServer(unlimited) { client async throws in
      for (length, status) in [(9, 400), (10, 201), (1000, 201), (1001, 400)] {
        let text = String(repeating: "é", count: length)
        #expect(try await client.post("/laws", #"{"text":"\#(text)","category_id":1}"#).status == status)
      }
    }
  }

  @Test func `an unknown law is a 404, an id that is not a number a 400`() async throws {
    try await withServer(unlimited) { client async throws in
      #expect(
        try await client.get("/laws/99999").json
          == .object(["error": .string("Not found"), "message": .string("There is no law 99999.")]))
      #expect(try await client.vote("up", on: 99999).status == 404)
      #expect(try await client.removeVote(on: 99999).status == 404)
      #expect(try await client.get("/laws/abc").status == 400)
      #expect(try await client.get("/laws/0").status == 400)
    }
  }

  @Test(arguments: ["/laws/%31", "/%6Caws/1", "/laws/1?q=%31", "/%6c%61ws/%31"])
  func `an encoded letter or digit of a path is the same resource`(path: String) async throws {
    try await withServer(unlimited) { client async throws in
      let (plain, other) = (try await client.get("/laws/1"), try await client.get(path))
      #expect(other.status == 200 && other.json["id"] == plain.json["id"])
    }
  }

  @Test(arguments: ["/laws/%2B1", "/laws%2F1", "/laws/%3", "/laws/%+1", "/laws/%"])
  func `another escape of a path stays as it is`(path: String) async throws {
    try await withServer(unlimited) { client async throws in #expect(try await client.get(path).status >= 400) }
  }

  @Test func `another media type is a 415, a larger body a 413`() async throws {
    try await withServer(unlimited) { client async throws in
      let text = try await client.post("/laws", "text", headers: ["Content-Type": "text/plain"])
      #expect(text.status == 415 && text.json["error"].string == "Unsupported media type")
      let large = try await client.post("/laws", String(repeating: " ", count: 16 * 1024 + 1))
      #expect(large.status == 413 && large.json["error"].string == "Payload too large")
      let charset = ["Content-Type": "Application/JSON; charset=utf-8"]
      #expect(try await client.vote("up", on: 1, headers: charset).status == 200)
    }
  }

  @Test func `an unknown path is a 404 and an unknown method a 405, both with the API's own body`() async throws {
    try await withServer(unlimited) { client async throws in
      let path = try await client.get("/jokes")
      #expect(path.status == 404 && path.json.names == ["error", "message"])
      for method in ["PUT", "QUERY", "PROPFIND"] {
        let answer = try await client.send(method, "/api/v1/laws/1/vote")
        #expect(answer.status == 405 && answer.headers["allow"] == "POST, DELETE", "\(method)")
        #expect(answer.json["error"].string == "Method not allowed", "\(method)")
        #expect(try await client.send(method, "/jokes").status == 404, "\(method)")
      }
    }
  }

  @Test func `a browser of another origin is let in`() async throws {
    try await withServer(unlimited) { client async throws in
      let question = try await client.send("OPTIONS", "/api/v1/laws/1/vote")
      #expect(question.status == 204 && question.headers["access-control-allow-methods"] == "POST, DELETE")
      #expect(try await client.get("/laws/1").headers["access-control-allow-origin"] == "*")
    }
  }

  @Test func `a device id that is not of the documented form is a 400`() async throws {
    try await withServer(unlimited) { client async throws in
      for device in ["a b", String(repeating: "a", count: 65), "ü"] {
        let answer = try await client.with(device: device).get("/laws/1")
        #expect(answer.status == 400 && answer.json["field"].string == "X-Device-ID")
      }
    }
  }

  @Test func `what a client wrote comes back as the same text, however strange`() async throws {
    try await withServer(unlimited) { client async throws in
      let answer = try await client.post("/laws/1/vote", #"{"a\"\\\n\u0001é😀":1}"#)
      #expect(answer.json["field"].string == "a\"\\\n\u{1}é😀")
    }
  }

  @Test func `every response has a request id of its own`() async throws {
    try await withServer(unlimited) { client async throws in
      var ids = Set<String>()
      for path in ["/laws", "/laws/1", "/laws/99999", "/laws?limit=0", "/jokes"] {
        let id = try #require(try await client.get(path).headers["x-request-id"])
        #expect(id.wholeMatch(of: /[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}/) != nil)
        #expect(ids.insert(id).inserted)
      }
    }
  }
}
