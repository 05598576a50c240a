import MurphyEngine
import MurphyHTTP
import MurphyModel
import Testing
import WildServer

@Suite struct RedirectTests {
  private let api = try! Origin("https://name:word@api.example.com:8443/v1")

  @Test(arguments: [
    ("https://api.example.com:8443/v1/laws/2", "/laws/2"), ("HTTPS://API.Example.COM:8443/v1/laws", "/laws"),
    ("https://other@api.example.com:8443/v1/laws", "/laws"), ("//api.example.com:8443/v1/x?y=1#z", "/x?y=1"),
    ("/v1/laws", "/laws"), ("2", "/laws/2"), ("./2", "/laws/2"), ("../laws/./2/../3", "/laws/3"),
    ("?q=a", "/laws/1?q=a"),
    ("", "/laws/1?limit=5"), ("#top", "/laws/1?limit=5"), ("/v1", ""), ("/v1?a", "?a"), ("/a/../v1/é", "/%C3%A9"),
    ("/v1//other.example/x", "//other.example/x"),
  ]) func `a redirect within the target is resolved as RFC 3986 says`(_ location: String, _ target: String) {
    #expect(Redirect(location, from: "/laws/1?limit=5", at: api) == .within(target))
  }

  @Test(arguments: [
    "https://api.example.com:8443@other.example/steal", "https://api.example.com:8443/v1@other.example/../steal",
    "https://api.example.com.evil.com/v1/", "https://api.example.com:8443.evil.com/v1", "//other.example/v1",
    "https://api.example.com/v1/laws", "https://api.example.com:443/v1/laws", "/v2/laws", "/v1evil", "../../v2",
    "/v1/../admin", "ftp://api.example.com:8443/v1", "javascript:alert(1)", "https:/v1/laws", "///other.example/v1",
    "https://[::1]:8443/v1", "https://api.example.com.:8443/v1", "https://api%2eexample.com:8443/v1",
  ]) func `a redirect to elsewhere leads away`(_ location: String) {
    let redirect = Redirect(location, from: "/laws/1", at: api)
    #expect(redirect == .away || redirect == .malformed, "\(redirect)")
  }

  @Test func `a redirect to http is a downgrade, and what is not a reference is rejected`() {
    #expect(Redirect("http://api.example.com/v1", from: "/", at: api) == .downgrade)
    for text in [
      "/a b", "/a\r\nX: y", "\\\\other.example\\x", "https://a@b@c/", "https://api.example.com:x/", "https://:8443/",
      "https://api.example.com:99999/v1", "https://[::1/v1", "/a\u{0}b",
    ] {
      #expect(Redirect(text, from: "/", at: api) == .malformed, "\(text.debugDescription)")
    }
  }

  /// Hostile references, put together from parts whose meaning is known.
  @Test func `whatever a server says, nothing but the target is requested`() throws {
    let seed = UInt64.random(in: 1...1 << 40)
    var random = RandomSource(seed: seed)
    let parts = [
      "https:", "http:", "//", "/", "\\", "@", ":", ":8443", ":443", "api.example.com", "evil.com", ".", "..", "/v1",
      "v1",
      "?", "#", "%2f", "%40", "%00", "\t", "\r\n", " ", "é", "[::1]", "name:word", "a", "x=y", "//evil.com",
      "@evil.com",
      ".evil.com", "javascript:",
    ]
    var kinds: Set<String> = []
    for number in 0..<100_000 {
      let location = (0..<Int(random.next() % 9)).map { _ in parts[Int(random.next() % UInt64(parts.count))] }.joined()
      let redirect = Redirect(location, from: "/laws/1?a=b", at: api)
      kinds.insert("\(redirect)".prefix { $0 != "(" }.description)
      guard case .within(let target) = redirect else { continue }
      // The rest behind the host can change neither host nor port, whoever reads the URL.
      let path = target.prefix { $0 != "?" }
      let begins = target.isEmpty || target.hasPrefix("/") || target.hasPrefix("?")
      #expect(begins && target.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F && $0 != 0x5C }, "seed \(seed) \(number)")
      let reread = try Origin(api.text + path)
      #expect(
        reread.host == api.host && reread.port == api.port && reread.scheme == "https", "seed \(seed): \(location)")
      #expect(reread.credentials == nil, "seed \(seed): \(location)")
      // What names a host names this one: libcurl's own reading of an absolute reference agrees.
      let reference = String(location.prefix { $0 != "#" && $0 != "?" })
      if reference.lowercased().hasPrefix("https://"), let other = try? Origin(reference) {
        #expect(other.host.lowercased() == api.host && other.port == api.port, "seed \(seed): \(location)")
      }
    }
    #expect(kinds == ["within", "away", "downgrade", "malformed"])
  }

  @Test func `a redirect elsewhere takes no credential along`() async throws {
    let thief = try WildServer { _, connection in connection.answer() }
    defer { thief.stop() }
    let server = try WildServer { request, connection in
      let here = "127.0.0.1:\(request.header("host")?.split(separator: ":").last ?? "")"
      let locations = [
        "/laws/1": "http://\(here)@127.0.0.1:\(thief.port)/steal", "/laws/2": thief.url + "/laws/7",
        "/laws/3": "//127.0.0.1:\(thief.port)/laws/7", "/laws/4": "http://127.0.0.1:\(thief.port)",
      ]
      connection.answer(302, headers: ["Location": locations[request.target] ?? "/laws/7"])
    }
    defer { server.stop() }
    let record = try await EngineFixture.run(
      """
      settings: { redirects: 5 }
      client: { headers: { X-Api-Key: hunter2, Authorization: "Bearer hunter2" } }
      sessions:
        read: { steps: [{ call: getLaw, path: { id: "${1 + arrival}" } }] }
      load: [{ hold: 4/s, for: 1s }]
      """, against: server.url)
    #expect(thief.requests.isEmpty)
    #expect(thief.connections == 0)
    #expect(server.requests.count == 4)
    let reason = "getLaw: redirected to another server than the target"
    #expect(record.session("read").failed == [ReasonCount(reason: reason, count: 4)])
    #expect(record.ledger.contradictions == [])
  }

  @Test func `303 asks for a GET, and 307 for the same request again`() async throws {
    let server = try WildServer { request, connection in
      switch request.target {
      case "/laws/1/vote": connection.answer(303, headers: ["Location": "../7"])
      case "/laws/2/vote": connection.answer(307, headers: ["Location": "/laws/7/vote"])
      default: connection.answer()
      }
    }
    defer { server.stop() }
    _ = try await EngineFixture.run(
      """
      settings: { redirects: 1 }
      sessions:
        vote: { steps: [{ call: voteLaw, path: { id: "${1 + arrival}" }, body: { a: 1 } }] }
      load: [{ hold: 2/s, for: 1s }]
      """, against: server.url)
    #expect(
      Set(server.requests.map { "\($0.method) \($0.target) \($0.body.count)" }) == [
        "POST /laws/1/vote 7", "GET /laws/7 0", "POST /laws/2/vote 7", "POST /laws/7/vote 7",
      ])
  }
}
