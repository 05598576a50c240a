import MurphyServer
import Testing

@Suite(.serialized) struct EndpointTests {
  @Test func `a page has the laws that were asked for, in the order that was asked for`() async throws {
    try await withServer(unlimited) { client async throws in
      let page = try await client.get("/laws?limit=5&offset=10&sort=upvotes&order=asc")
      #expect(page.status == 200)
      #expect(page.headers["content-type"] == "application/json")
      #expect(page.json.names == ["data", "total", "limit", "offset"])
      #expect(page.json["total"].int == 1234 && page.json["limit"].int == 5 && page.json["offset"].int == 10)
      let upvotes = page.json["data"].elements.compactMap { $0["upvotes"].int }
      #expect(upvotes.count == 5 && upvotes == upvotes.sorted())
    }
  }

  @Test func `without parameters a page has the 25 laws of the highest score`() async throws {
    try await withServer(unlimited) { client async throws in
      let laws = try await client.get("/laws").json["data"].elements
      let scores = laws.map { ($0["upvotes"].int ?? 0) - ($0["downvotes"].int ?? 0) }
      #expect(laws.count == 25 && scores == scores.sorted(by: >))
    }
  }

  @Test func `all pages together have each law once`() async throws {
    try await withServer(unlimited) { client async throws in
      var ids: [Int] = []
      for offset in stride(from: 0, to: 1250, by: 25) {
        ids += try await client.get("/laws?sort=created_at&offset=\(offset)").json["data"].elements.compactMap {
          $0["id"].int
        }
      }
      #expect(ids.sorted() == Array(1...1234))
    }
  }

  @Test func `a search finds text and title whatever the case`() async throws {
    try await withServer(unlimited) { client async throws in
      let found = try await client.get("/laws?q=MURPHY%27s+law").json
      #expect(found["data"].elements.contains { $0["title"].string == "Murphy's Law" })
      let total = try #require(found["total"].int)
      #expect(total == found["data"].elements.count || total > 25)
      let none = try await client.get("/laws?q=zzzz").json
      #expect(none["total"].int == 0 && none["data"].elements.isEmpty)
    }
  }

  @Test(arguments: ["it%20will", "it+will", "i%74+wil%6C", "go+wrong%2C+it"])
  func `a search reads spaces and percent signs as forms write them`(text: String) async throws {
    try await withServer(unlimited) { client async throws in
      let found = try await client.get("/laws?limit=25&q=" + text).json["data"].elements
      #expect(found.contains { $0["id"].int == 1 })
    }
  }

  @Test(arguments: ["a", "th", "%22", "%27s", "%00ab", "100%25", "%ff", "e*", "NOT", "\"a\"+OR+b"])
  func `no search text is an error, and what is found has it`(text: String) async throws {
    try await withServer(unlimited) { client async throws in
      let answer = try await client.get("/laws?q=" + text.replacing("\"", with: "%22"))
      #expect(answer.status == 200)
      for law in answer.json["data"].elements {
        let plain = text.replacing("%27", with: "'").replacing("%22", with: "\"").replacing("+", with: " ").lowercased()
        let words = "\(law["text"].string ?? "")\n\(law["title"].string ?? "")".lowercased()
        #expect(words.contains(plain), "\(plain) is not in \(words)")
      }
    }
  }

  /// A quote before a combining mark or a joiner is one `Character` with it, but the full-text index reads scalars.
  @Test func `no sequence of scalars in a text filter is an error`() async throws {
    let scalars: [Unicode.Scalar] = [
      "\"", "'", "\u{8}", "\u{f}", "\u{301}", "\u{200d}", "\u{200e}", "*", "(", "^", "-", "a", "🔤",
    ]
    var numbers = SystemRandomNumberGenerator()
    try await withServer(unlimited) { client async throws in
      for _ in 0..<500 {
        let text = (0..<Int.random(in: 1...8, using: &numbers)).compactMap { _ in scalars.randomElement(using: &numbers)
        }
        let sent = String(String.UnicodeScalarView(text)).utf8.map {
          "%" + String(0x100 + Int($0), radix: 16).dropFirst()
        }
        for name in ["q", "attribution"] {
          let answer = try await client.get("/laws?\(name)=" + sent.joined())
          #expect(answer.status == 200, "\(name)=\(sent.joined())")
        }
      }
    }
  }

  @Test func `filters by category and by attribution agree with the counts of both lists`() async throws {
    try await withServer(unlimited) { client async throws in
      let category = try await client.get("/categories").json["data"][7]
      let id = try #require(category["id"].int)
      let byCategory = try await client.get("/laws?category_id=\(id)").json
      #expect(byCategory["total"] == category["law_count"])
      #expect(byCategory["data"].elements.allSatisfy { $0["category_id"].int == id })
      let person = try await client.get("/attributions").json["data"][3]
      let name = try #require(person["name"].string)
      let byPerson = try await client.get("/laws?attribution=" + name.split(separator: " ").joined(separator: "%20"))
        .json
      #expect(byPerson["total"] == person["law_count"])
      #expect(
        byPerson["data"].elements.allSatisfy { law in
          law["attributions"].elements.contains { $0["name"].string == name }
        })
    }
  }

  @Test func `a law alone is the law of the list`() async throws {
    try await withServer(unlimited) { client async throws in
      let listed = try await client.get("/laws?limit=1&sort=id&order=asc").json["data"][0]
      let alone = try await client.get("/laws/1")
      #expect(alone.json == listed)
      #expect(alone.json["text"].string == "If anything can go wrong, it will.")
      #expect(
        alone.json["attributions"][0]["contact_value"].string == "https://en.wikipedia.org/wiki/Edward_A._Murphy_Jr.")
    }
  }

  @Test func `the law of the day is the same twice and dated today`() async throws {
    try await withServer(unlimited) { client async throws in
      let first = try await client.get("/law-of-day").json
      let second = try await client.get("/law-of-day").json
      #expect(first["law"] == second["law"])
      #expect(first["featured_date"].string?.count == 10)
    }
  }

  @Test func `there are more than forty categories, alphabetical, and their laws are all laws`() async throws {
    try await withServer(unlimited) { client async throws in
      let categories = try await client.get("/categories").json["data"].elements
      let titles = categories.compactMap { $0["title"].string }
      #expect(titles.count > 40 && titles == titles.sorted())
      #expect(categories.compactMap { $0["law_count"].int }.reduce(0, +) == 1234)
      #expect(Set(categories.compactMap { $0["slug"].string }).count == titles.count)
    }
  }

  @Test func `HEAD is answered as GET, without the body`() async throws {
    try await withServer(unlimited) { client async throws in
      let get = try await client.get("/laws/1")
      let head = try await client.send("HEAD", "/api/v1/laws/1")
      #expect(head.status == 200 && head.body.isEmpty)
      #expect(head.headers["content-type"] == get.headers["content-type"])
      #expect(head.headers["content-length"] == "\(get.body.count)")
    }
  }

  @Test func `a submitted law is under review and not listed`() async throws {
    try await withServer(unlimited) { client async throws in
      let body = #"{"text":"Tests pass until they are shown to somebody.","category_id":3,"email":"ada@example.com"}"#
      let receipt = try await client.post("/laws", body)
      #expect(receipt.status == 201)
      #expect(receipt.json["status"].string == "under_review")
      let id = try #require(receipt.json["id"].int)
      #expect(try await client.get("/laws/\(id)").status == 404)
      #expect(try await client.get("/laws?q=shown+to+somebody").json["total"].int == 0)
      #expect(try await client.post("/laws", body).json["id"].int == id + 1)
    }
  }

  @Test func `a shared calculation is Sod's Law`() async throws {
    try await withServer(unlimited) { client async throws in
      let body = #"{"email":"tom@example.com","urgency":5,"complexity":7,"importance":8,"skill":6,"frequency":4}"#
      let answer = try await client.post("/share-calculation", body)
      // ((5+7+8) × (10−6))/20 × 0.7 / (1 − sin 0.4) = 4.586 of 8.6
      #expect(answer.status == 200)
      #expect(answer.json["probability"] == .number(53.3) && answer.json["risk"].string == "medium")
    }
  }

  @Test func `the same seed gives the same laws, another seed gives others`() async throws {
    func laws(_ seed: String) async throws -> [JSON] {
      try await withServer(unlimited + [("seed", seed)]) { client async throws in
        try await client.get("/laws?sort=id&order=asc&offset=600").json["data"].elements
      }
    }
    let first = try await laws("7")
    #expect(try await laws("7") == first)
    #expect(try await laws("8") != first)
  }

  @Test func `no two laws have the same text`() async throws {
    try await withServer(unlimited) { client async throws in
      var texts = Set<String>()
      for offset in stride(from: 0, to: 1250, by: 25) {
        for law in try await client.get("/laws?sort=id&offset=\(offset)").json["data"].elements {
          let text = try #require(law["text"].string)
          #expect(texts.insert(text).inserted, "twice: \(text)")
          #expect(!text.contains("{") && text.hasSuffix(".") && text.first?.isUppercase == true, "\(text)")
        }
      }
      #expect(texts.count == 1234)
    }
  }
}
