import MurphyServer
import Testing

@Suite(.serialized) struct MonicaTests {
  private struct Reader {
    var client: WireClient
    var token: String

    func get(_ path: String) async throws -> Exchange {
      try await client.send("GET", "/api" + path, headers: ["Authorization": "Bearer \(token)"])
    }
  }

  private func reader(_ client: WireClient) async throws -> Reader {
    let answer = try await client.send("POST", "/oauth/login", body: #"{"email":"a@example.com","password":"secret"}"#)
    return Reader(client: client, token: try #require(answer.json["access_token"].string))
  }

  private func withMonica<T: Sendable>(
    _ settings: [(String, String)] = unlimited, _ body: (Reader) async throws -> T
  ) async throws -> T {
    try await withServer(settings, system: "monica") { try await body(reader($0)) }
  }

  @Test func `a search is walked to its end by the links, and holds each contact once`() async throws {
    try await withMonica { reader in
      var path = "/contacts?query=murphy&limit=30&sort=-first_name"
      var (seen, total, pages) = ([JSON](), Int?.none, 0)
      while pages < 20 {
        let page = try await reader.get(path).json
        seen += page["data"].elements
        total = page["meta"]["total"].int
        pages += 1
        #expect(page["meta"]["current_page"].int == pages && page["meta"]["query"].string == "murphy")
        guard let next = page["links"]["next"].string else { break }
        path = String(next.split(separator: "/api").last ?? "")
      }
      #expect(seen.count == total && pages > 2)
      #expect(Set(seen.compactMap { $0["id"].int }).count == seen.count)
      #expect(seen.allSatisfy { $0["complete_name"].string?.lowercased().contains("murphy") == true })
      let names = seen.compactMap { $0["first_name"].string }
      #expect(names == names.sorted { $0.unicodeScalars.lexicographicallyPrecedes($1.unicodeScalars) }.reversed())
    }
  }

  @Test func `there are ten thousand contacts, the same for a seed, and the page behind the last is empty`()
    async throws
  {
    let first = try await withMonica { reader in
      let last = try await reader.get("/contacts?limit=100&page=100").json
      #expect(last["meta"]["total"].int == 10_000 && last["data"].elements.count == 100)
      #expect(last["links"]["next"] == .null)
      let behind = try await reader.get("/contacts?limit=100&page=101").json
      #expect(behind["data"].elements == [] && behind["meta"]["from"] == .null)
      return last["data"].elements.compactMap { $0["complete_name"].string }
    }
    func names(_ seed: String) async throws -> [String] {
      try await withMonica(unlimited + [("seed", seed)]) { reader in
        try await reader.get("/contacts?limit=100&page=100").json["data"].elements.compactMap {
          $0["complete_name"].string
        }
      }
    }
    #expect(try await names("1") == first)
    #expect(try await names("2") != first)
  }

  @Test func `a contact is the same in the list and by itself, and counts what its lists hold`() async throws {
    try await withMonica { reader in
      let listed = try await reader.get("/contacts?limit=3&page=40").json["data"].elements
      for contact in listed + [try await reader.get("/contacts/150").json["data"]] {
        let id = try #require(contact["id"].int)
        #expect(try await reader.get("/contacts/\(id)").json["data"] == contact)
        for kind in ["activities", "notes", "tasks", "gifts"] {
          let page = try await reader.get("/contacts/\(id)/\(kind)?limit=100").json
          #expect(page["meta"]["total"].int == contact["statistics"]["number_of_\(kind)"].int)
          #expect(page["data"].elements.count == page["meta"]["total"].int)
          #expect(page["data"].elements.allSatisfy { $0["contact"]["id"].int == id })
        }
      }
    }
  }

  @Test func `mistakes have the numbers that Monica has for them`() async throws {
    try await withMonica { reader in
      for (path, status, code) in [
        ("/contacts/10001", 404, 31), ("/contacts/10001/notes", 404, 31), ("/contacts?limit=101", 400, 30),
        ("/contacts?sort=shoe_size", 400, 39), ("/contacts?page=0", 400, 41), ("/nowhere", 404, 31),
      ] {
        let answer = try await reader.get(path)
        #expect(answer.status == status && answer.json["error"]["error_code"].int == code, "\(path)")
      }
      var stranger = reader
      stranger.token = "mo_stolen"
      let refused = try await stranger.get("/contacts")
      #expect(refused.status == 401 && refused.json["error"]["error_code"].int == 42)
    }
  }

  @Test func `all requests of a token share a limit, and each response tells of it`() async throws {
    try await withMonica([]) { reader in
      for left in [59, 58] {
        let answer = try await reader.get(left == 59 ? "/tags" : "/contacts/1")
        #expect(answer.headers["x-ratelimit-limit"] == "60" && answer.headers["x-ratelimit-remaining"] == "\(left)")
        #expect(answer.headers["x-ratelimit-reset"] == nil)
      }
      for _ in 0..<58 { #expect(try await reader.get("/contacts/2/tasks").status == 200) }
      let refused = try await reader.get("/tags")
      #expect(refused.status == 429 && refused.headers["x-ratelimit-remaining"] == "0")
      #expect(
        refused.headers["retry-after"] != nil
          && refused.headers["x-ratelimit-reset"].flatMap { Int($0) } ?? 0 > 1_000_000_000)
      #expect(try await self.reader(reader.client).get("/tags").json["meta"]["total"].int == 12)
    }
  }
}
