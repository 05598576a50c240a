import MurphyHTTP
import MurphyModel
import TestSupport
import Testing
import WildServer

@Suite(.requires(.haproxy, .openssl)) struct CookieFuzzTests {
  private static let pieces = [
    "a=b", "; ", ";", "Max-Age=", "Expires=", "Path=/", "Path=/v1", "Domain=", "Secure", "9223372036854775807", "-1",
    "-9223372036854775808", "99999999999999999999", "Fri, 31 Dec 9999 23:59:59 GMT", "Thu, 01-Jan-1601 00:00:00", "=",
    ",",
    "99:99:99", "00:00:00:00", "٣:٣:٣", "é", "127.0.0.1", ".",
  ]

  @Test func `no cookie and no date of one ends the process`() throws {
    let seed = UInt64.random(in: 1...1 << 40)
    print("cookies: seed \(seed)")
    var random = RandomSource(seed: seed)
    var jar = CookieJar(origin: try Origin("http://127.0.0.1/v1"))
    for number in 0..<20_000 {
      let text = (0..<Int(random.next() % 8)).map { _ in Self.pieces[Int(random.next() % UInt64(Self.pieces.count))] }
        .joined()
      jar.store(text[...], target: "/v1/laws", now: 1_800_000_000)
      if let seconds = HTTPDate.seconds(cookie: text) {
        #expect(seconds > -12_000_000_000 && seconds < 254_000_000_000, "seed \(seed) \(number): \(text)")
      }
      if number % 16 == 0 { _ = jar.field(for: "/v1/laws?x", now: 1_800_000_000) }
    }
  }

  @Test func `a server cannot make a user carry any number of cookies`() throws {
    var jar = CookieJar(origin: try Origin("http://127.0.0.1"))
    for number in 0..<1000 { jar.store("c\(number)=1", target: "/", now: 0) }
    jar.store("long=\(String(repeating: "x", count: 5000))", target: "/", now: 0)
    let kept = jar.field(for: "/", now: 0)?.split(separator: "; ").map(String.init) ?? []
    #expect(kept == (820..<1000).map { "c\($0)=1" })
  }

  @Test(arguments: Route.allCases) func `a cookie of the base path comes back below it`(_ route: Route) async throws {
    let server = try WildServer { _, connection in connection.answer(headers: ["Set-Cookie": "sid=42; Path=/v1"]) }
    defer { server.stop() }
    try await withTransport(to: server.url + "/v1", by: route) { transport in
      let user = try transport.connect()
      _ = await user.reply("GET", "/login")
      _ = await user.reply("GET", "/laws")
    }
    #expect(server.requests.map { $0.header("cookie") } == [nil, "sid=42"])
  }
}
