import MurphyHTTP
import MurphyModel
import TestSupport
import Testing
import WildServer

@Suite(.requires(.haproxy, .openssl)) struct RequestTests {
  @Test(arguments: ["GET", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"], Route.allCases)
  func `a method goes over the wire with its body and headers`(_ method: String, _ route: Route) async throws {
    let server = try WildServer { _, connection in connection.answer() }
    defer { server.stop() }
    try await withTransport(to: server.url, by: route) { transport in
      let connection = try transport.connect()
      let headers = [HeaderField("Content-Type", "application/json"), HeaderField("X-Empty", "")]
      #expect(await connection.reply(method, "/a?b=%20c", headers: headers, body: #"{"a":1}"#).status == 200)
      #expect(await connection.reply(method, "/bare").status == 200)
    }
    let (full, bare) = (server.requests[0], server.requests[1])
    #expect(full.method == method)
    #expect(full.target == "/a?b=%20c")
    #expect(full.body == Array(#"{"a":1}"#.utf8))
    #expect(full.header("content-type") == "application/json")
    #expect(full.header("x-empty") == "")
    #expect(full.header("expect") == nil)
    #expect(bare.method == method)
    #expect(bare.body.isEmpty)
    #expect(bare.header("content-type") == nil)
    #expect(bare.header("content-length") == (["POST", "PUT", "PATCH"].contains(method) ? "0" : nil))
  }

  @Test(arguments: Route.allCases) func `HEAD is answered without a body, and GET after it with one`(_ route: Route)
    async throws
  {
    let server = try WildServer { request, connection in
      if request.method == "HEAD" {
        connection.send("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\n")
      } else {
        connection.answer(body: "[1,2,3,4]")
      }
    }
    defer { server.stop() }
    let bodies = try await withTransport(to: server.url, by: route) { transport in
      let connection = try transport.connect()
      return await [connection.reply("HEAD").body, connection.reply().body, connection.reply("HEAD").body]
    }
    #expect(bodies == ["", "[1,2,3,4]", ""])
  }

  @Test(arguments: Route.allCases) func `a line break in a header's value cannot begin another header`(_ route: Route)
    async throws
  {
    let server = try WildServer { _, connection in connection.answer() }
    defer { server.stop() }
    try await withTransport(to: server.url, by: route) { transport in
      _ = try await transport.connect().reply("GET", "/", headers: [HeaderField("X-A", "1\r\nX-B: 2")])
    }
    #expect(server.requests[0].header("x-b") == nil)
    #expect(server.requests[0].header("x-a") == "1  X-B: 2")
  }

  @Test(arguments: Route.allCases) func `all cookies of a request are sent, its own in their order and first`(
    _ route: Route
  ) async throws {
    let server = try WildServer { _, connection in connection.answer(headers: ["Set-Cookie": "c=3"]) }
    defer { server.stop() }
    let sent = try await withTransport(to: server.url, by: route) { transport in
      let connection = try transport.connect(sourceAddress: nil, keepsCookies: true)
      let request = HTTPRequest(
        method: "GET", target: "/", headers: [HeaderField("Cookie", "a=1"), HeaderField("cookie", "b=2")])
      for _ in 0..<2 {
        let transfer = connection.start(request)
        await transfer.finished()
        transfer.release()
      }
      return server.requests.map { request in request.headers.filter { $0.name == "cookie" }.map(\.value) }
    }
    #expect(sent == [["a=1; b=2"], ["a=1; b=2; c=3"]])
  }

  @Test func `a proxy gets the whole URL`() async throws {
    let proxy = try WildServer { _, connection in connection.answer(body: "\"proxied\"") }
    defer { proxy.stop() }
    var options = TransportOptions()
    options.proxy = proxy.url
    let body = try await withTransport(to: "http://127.0.0.9:81", options: options) { transport in
      try await transport.connect().reply("GET", "/laws").body
    }
    #expect(body == "\"proxied\"")
    #expect(proxy.requests[0].target == "http://127.0.0.9:81/laws")
  }

  @Test(arguments: Route.allCases) func `a target's path stands before every request's`(_ route: Route) async throws {
    let server = try WildServer { _, connection in connection.answer() }
    defer { server.stop() }
    try await withTransport(to: server.url + "/api/v1/", by: route) { transport in
      _ = try await transport.connect().reply("GET", "/laws?q=1")
    }
    #expect(server.requests[0].target == "/api/v1/laws?q=1")
  }

  @Test(arguments: ["ftp://a", "127.0.0.1:80", "http://", "http://a?b=1", "http://a:99999", "/laws"])
  func `a target that is not an HTTP URL is rejected with an example`(_ url: String) {
    let error = #expect(throws: OriginError.self) { try Origin(url) }
    #expect(error?.description.contains("Use a URL such as") == true)
  }
}
