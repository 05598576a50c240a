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

  private static let form = ["Content-Type": "application/x-www-form-urlencoded"]

  @Test func `a token of the token endpoint expires after an hour, and writes only with the scope write`() async throws
  {
    let clock = HandClock()
    try await withServer(unlimited, system: "monica", clock: clock.limits) { client in
      func grant(_ scope: String) async throws -> JSON {
        let body = "grant_type=client_credentials&client_id=app&client_secret=s&scope=" + scope
        return try await client.send("POST", "/oauth/token", headers: Self.form, body: body).json
      }
      let (wide, narrow) = (try await grant("read+write"), try await grant("read"))
      #expect(wide["expires_in"].int == 3600 && wide["scope"].string == "read write")
      let reader = Reader(client: client, token: try #require(wide["access_token"].string))
      let limited = Reader(client: client, token: try #require(narrow["access_token"].string))
      #expect(try await limited.get("/tags").status == 200)
      #expect(try await upload(limited, Self.document).status == 403)
      #expect(try await upload(reader, Self.document).status == 201)
      clock.pass(.seconds(3599))
      #expect(try await reader.get("/tags").status == 200)
      clock.pass(.seconds(1))
      #expect(try await reader.get("/tags").status == 401)
    }
  }

  @Test(arguments: [
    ("", 400, "invalid_request"), ("grant_type=password", 400, "unsupported_grant_type"),
    ("grant_type=client_credentials", 400, "invalid_request"),
    ("grant_type=client_credentials&client_id=app&client_secret=wrong", 401, "invalid_client"),
    ("grant_type=client_credentials&client_id=app&client_secret=s&scope=admin", 400, "invalid_scope"),
    (
      "grant_type=client_credentials&client_id=\(String(repeating: "a", count: 101))&client_secret=s", 400,
      "invalid_request"
    ),
    ("&&=%&grant_type=%ff", 400, "unsupported_grant_type"),
  ])
  func `an invalid token request is rejected as OAuth describes it`(body: String, status: Int, error: String)
    async throws
  {
    try await withMonica { reader in
      let answer = try await reader.client.send("POST", "/oauth/token", headers: Self.form, body: body)
      #expect(answer.status == status && answer.json["error"].string == error)
      #expect((answer.headers["www-authenticate"] == nil) == (status != 401))
    }
  }

  @Test func `a client may send its secret as Basic`() async throws {
    try await withMonica { reader in
      for (secret, status) in [("YTpi", 200), ("YTp3cm9uZw==", 401), ("?", 400)] {
        let headers = Self.form.merging(["Authorization": "Basic \(secret)"]) { $1 }
        let body = "grant_type=client_credentials"
        let answer = try await reader.client.send("POST", "/oauth/token", headers: headers, body: body)
        #expect(answer.status == status)
      }
    }
  }

  private static let contact = "--B\r\nContent-Disposition: form-data; name=\"contact_id\"\r\n\r\n7\r\n"
  private static let file =
    "--B\r\nContent-Disposition: form-data; name=\"document\"; filename=\"a;\\\"b\\\".txt\"\r\n"
    + "Content-Type: text/plain\r\n\r\nhello\r\n\r\n--\r\n"
  private static let document = contact + file + "--B--\r\n"

  private func upload(
    _ reader: Reader, _ body: String, type: String = "multipart/form-data; boundary=B"
  ) async throws -> Exchange {
    try await reader.client.send(
      "POST", "/api/documents", headers: ["Authorization": "Bearer \(reader.token)", "Content-Type": type], body: body)
  }

  @Test(arguments: [nil, "upload-loses-bytes"])
  func `a document has each byte of its file, unless a fault loses one`(fault: String?) async throws {
    try await withMonica(unlimited + (fault.map { [("fault", $0)] } ?? [])) { reader in
      var sizes: [Int?] = []
      for body in [Self.document, "preamble\r\n" + Self.document + "epilogue", Self.document] {
        let data = try await upload(reader, body, type: "Multipart/Form-Data; charset=x; boundary=\"B\"").json["data"]
        #expect(data["original_filename"].string == "a;\"b\".txt" && data["type"].string == "text/plain")
        #expect(data["contact"]["id"].int == 7)
        sizes.append(data["filesize"].int)
      }
      #expect(sizes.count { $0 == 11 } == (fault == nil ? 3 : 2))
    }
  }

  @Test func `a form that is not as described is rejected`() async throws {
    try await withMonica { reader in
      let (contact, file, whole) = (Self.contact, Self.file, Self.document)
      let large = whole.replacing("hello", with: String(repeating: "x", count: 1 << 20))
      for (body, status) in [
        ("", 400), ("--B--", 400), (String(whole.dropLast(5)), 400), ("--B\r\n--B--", 400),
        ("--B\r\n\r\n\r\n--B--", 400),
        (contact + "--B--", 400), (file + "--B--", 400), (contact + whole, 400),
        (String(repeating: contact, count: 30) + whole, 400), (whole.replacing("\r\n", with: "\n"), 400),
        (whole.replacing("name=", with: "nam="), 400), (whole.replacing("form-data", with: "attachment"), 400),
        (whole.replacing("7\r\n", with: "seven\r\n"), 400), (whole.replacing("contact_id", with: "contact"), 400),
        (whole.replacing("; filename", with: "; file"), 400), (whole.replacing("\"\r\n", with: "\r\n"), 400),
        (whole.replacing("text/plain", with: String(repeating: "a", count: 5000)), 400),
        (whole.replacing("7\r\n", with: "10001\r\n"), 404), (large, 413),
      ] {
        let answer = try await upload(reader, body)
        #expect(answer.status == status, "\(body.prefix(300)): \(answer.text)")
      }
      for (type, status) in [
        ("multipart/form-data", 400), ("multipart/form-data; boundary=C", 400),
        ("multipart/form-data; boundary=\"B", 400),
        ("multipart/form-data; boundary=" + String(repeating: "B", count: 71), 400),
        ("multipart/mixed; boundary=B", 415), ("application/json", 415),
      ] {
        #expect(try await upload(reader, whole, type: type).status == status, "\(type)")
      }
    }
  }
}
