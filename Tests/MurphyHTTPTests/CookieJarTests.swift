import MurphyHTTP
import MurphyModel
import Testing

@Suite struct CookieJarTests {
  private func jar(_ cookies: [String], target: String = "/api/laws", url: String = "http://laws.example.org") throws
    -> CookieJar
  {
    var jar = CookieJar(origin: try Origin(url))
    for cookie in cookies { jar.store(Substring(cookie), target: target, now: 1000) }
    return jar
  }

  @Test func `a cookie goes to its path and below, the longest path first`() throws {
    let jar = try jar(["a=1; Path=/", "b=2", "c=3; Path=/api/laws"])
    #expect(jar.field(for: "/api/laws/7?x=/", now: 1000) == "c=3; b=2; a=1")
    #expect(jar.field(for: "/api", now: 1000) == "b=2; a=1")
    #expect(jar.field(for: "/apis", now: 1000) == "a=1")
  }

  @Test func `a newer cookie of the same name replaces, an expired one removes`() throws {
    #expect(try jar(["a=1", "a=2"]).field(for: "/api/", now: 1000) == "a=2")
    #expect(try jar(["a=1", "a=; Max-Age=0"]).field(for: "/api/", now: 1000) == nil)
    #expect(try jar(["a=1", "a=x; Expires=Thu, 01 Jan 1970 00:00:01 GMT"]).field(for: "/api/", now: 1000) == nil)
    let short = try jar(["a=1; Max-Age=10; Expires=Thu, 01 Jan 1970 00:00:01 GMT"])
    #expect(short.field(for: "/api/", now: 1009) == "a=1")
    #expect(short.field(for: "/api/", now: 1011) == nil)
  }

  @Test func `cookies of other domains and secure ones without TLS are not kept`() throws {
    #expect(try jar(["a=1; Domain=example.com"]).field(for: "/api/", now: 1000) == nil)
    #expect(try jar(["a=1; Domain=.example.org"]).field(for: "/api/", now: 1000) == "a=1")
    #expect(try jar(["a=1; Secure"]).field(for: "/api/", now: 1000) == nil)
    #expect(try jar(["a=1; Secure"], url: "https://laws.example.org").field(for: "/api/", now: 1000) == "a=1")
    #expect(try jar(["=1", "novalue", ""]).field(for: "/api/", now: 1000) == nil)
  }

  @Test(
    arguments: [
      ("Sun, 06 Nov 1994 08:49:37 GMT", 784_111_777), ("Sunday, 06-Nov-94 08:49:37 GMT", 784_111_777),
      ("Sun Nov  6 08:49:37 1994", 784_111_777), ("Thu, 29 Feb 2024 00:00:00 GMT", 1_709_164_800),
      ("Fri, 01 Jan 2100 00:00:00 GMT", 4_102_444_800), ("yesterday", nil), ("06 Nov 1994", nil),
    ] as [(String, Int64?)])
  func `dates are read in all forms that servers send`(_ text: String, _ seconds: Int64?) {
    #expect(HTTPDate.seconds(cookie: text) == seconds)
  }
}
