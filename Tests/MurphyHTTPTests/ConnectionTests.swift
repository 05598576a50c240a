import MurphyHTTP
import MurphyModel
import TestSupport
import Testing
import WildServer

@Suite(.requires(.haproxy, .openssl)) struct ConnectionTests {
  @Test(arguments: Route.allCases) func `each user has a TCP connection of their own and keeps it`(_ route: Route)
    async throws
  {
    let server = try WildServer { _, connection in connection.answer() }
    defer { server.stop() }
    let users = 70
    try await withTransport(to: server.url, by: route) { transport in
      let connections = try (0..<users).map { _ in try transport.connect() }
      for turn in 0..<3 {
        let transfers = connections.enumerated().map { user, connection in
          connection.start(HTTPRequest(method: "GET", target: "/\(user)/\(turn)"))
        }
        for transfer in transfers {
          await transfer.finished()
          #expect(transfer.status == 200)
          transfer.release()
        }
      }
      for connection in connections { connection.close() }
    }
    #expect(server.connections == users)
    let byUser = Dictionary(grouping: server.requests) { $0.target.split(separator: "/")[0] }
    #expect(byUser.count == users)
    for (user, requests) in byUser {
      #expect(Set(requests.map(\.connection)).count == 1, "user \(user) used several connections")
    }
  }

  @Test func `the requests of one user use several connections in turn`() async throws {
    let server = try WildServer { _, connection in connection.answer() }
    defer { server.stop() }
    try await withTransport(to: server.url, by: .direct) { transport in
      let connection = try transport.connect()
      for turn in 0..<12 {
        // Every third request is not counted by a limit.
        let transfer = connection.start(
          HTTPRequest(method: "GET", target: "/\(turn)"), over: turn % 3 == 2 ? 1 : 4)
        await transfer.finished()
        transfer.release()
      }
      #expect(transport.reopened == 0)
      connection.close()
    }
    #expect(server.connections == 4)
    let counted = server.requests.filter { (Int($0.target.dropFirst()) ?? 0) % 3 != 2 }
    #expect(Dictionary(grouping: counted, by: \.connection).values.map(\.count) == [2, 2, 2, 2])
  }

  @Test(arguments: Route.allCases) func `closing a user's connection is seen by the server at once`(_ route: Route)
    async throws
  {
    let seen = Flag()
    let server = try WildServer { _, connection in
      connection.answer()
      if connection.waitForClose(atMost: 5) { seen.raise() }
    }
    defer { server.stop() }
    try await withTransport(to: server.url, by: route) { transport in
      let connection = try transport.connect()
      _ = await connection.reply()
      connection.close()
      _ = await transport.loop.sleep(until: .now + 300_000_000)
      #expect(seen.isRaised)
    }
  }

  @Test(arguments: Route.allCases) func `cookies stay with the user who got them`(_ route: Route) async throws {
    let server = try WildServer { request, connection in
      connection.answer(headers: request.target == "/login" ? ["Set-Cookie": "sid=42; Path=/; HttpOnly"] : [:])
    }
    defer { server.stop() }
    try await withTransport(to: server.url, by: route) { transport in
      let (one, other) = (try transport.connect(), try transport.connect())
      _ = await one.reply("GET", "/login")
      _ = await one.reply("GET", "/one")
      _ = await other.reply("GET", "/other")
      _ = await one.reply("GET", "/both", headers: [HeaderField("Cookie", "theme=dark")])
      one.forgetCookies()
      _ = await one.reply("GET", "/anew")
    }
    func cookie(_ target: String) -> String? { server.requests.first { $0.target == target }?.header("cookie") }
    #expect(cookie("/one") == "sid=42")
    #expect(cookie("/other") == nil)
    #expect(cookie("/both")?.split(separator: "; ").sorted() == ["sid=42", "theme=dark"])
    #expect(cookie("/anew") == nil)
  }

  @Test(arguments: Route.allCases) func `a user without a jar sends no cookie back`(_ route: Route) async throws {
    let server = try WildServer { _, connection in connection.answer(headers: ["Set-Cookie": "sid=42"]) }
    defer { server.stop() }
    try await withTransport(to: server.url, by: route) { transport in
      let connection = try transport.connect(keepsCookies: false)
      _ = await connection.reply()
      _ = await connection.reply()
    }
    #expect(server.requests.map { $0.header("cookie") } == [nil, nil])
  }

  @Test(arguments: Route.plain) func `users send from the address they were given`(_ route: Route) async throws {
    let server = try WildServer { _, connection in connection.answer() }
    defer { server.stop() }
    try await withTransport(to: server.url, by: route) { transport in
      for address in ["127.0.0.2", "127.0.0.3", nil] {
        let connection = try transport.connect(sourceAddress: address)
        _ = await connection.reply()
        connection.close()
      }
    }
    #expect(server.requests.map(\.peer) == ["127.0.0.2", "127.0.0.3", "127.0.0.1"])
  }

  @Test(arguments: Route.allCases) func `several requests of one user may be in flight`(_ route: Route) async throws {
    // None is answered before all have come.
    let arrived = Counter()
    let server = try WildServer { _, connection in
      arrived.add()
      for _ in 0..<4000 where arrived.value < 3 { connection.pause(milliseconds: 5) }
      connection.answer()
    }
    defer { server.stop() }
    try await withTransport(to: server.url, by: route) { transport in
      let connection = try transport.connect()
      let transfers = (0..<3).map { connection.start(HTTPRequest(method: "GET", target: "/\($0)")) }
      for transfer in transfers {
        await transfer.finished()
        #expect(transfer.status == 200)
        transfer.release()
      }
    }
    #expect(server.connections == 3)
  }
}
