import MurphyHTTP
import MurphyModel
import TestSupport
import Testing
import WildServer

@Suite(.requires(.haproxy, .openssl)) struct CancellationTests {
  @Test(arguments: Route.allCases) func `the server sees a request in flight being taken back`(_ route: Route)
    async throws
  {
    let (begun, seen) = (Flag(), Flag())
    let server = try WildServer { request, connection in
      guard request.target == "/slow" else { return connection.answer() }
      begun.raise()
      if connection.waitForClose(atMost: 5) { seen.raise() }
    }
    defer { server.stop() }
    try await withTransport(to: server.url, by: route) { transport in
      let connection = try transport.connect()
      let slow = connection.start(HTTPRequest(method: "GET", target: "/slow"))
      for _ in 0..<100 where !begun.isRaised { _ = await transport.loop.sleep(until: .now + 50_000_000) }
      try #require(begun.isRaised, "the request is in flight")
      slow.cancel()
      await slow.finished()
      guard case .cancelled = slow.ending else { return #expect(Bool(false), "ended as \(slow.ending)") }
      slow.release()
      #expect(await connection.reply("GET", "/next").status == 200)
      for _ in 0..<100 where !seen.isRaised { _ = await transport.loop.sleep(until: .now + 50_000_000) }
      #expect(seen.isRaised)
    }
  }

  @Test(arguments: Route.allCases) func `whoever waits for a request is told that it was abandoned`(_ route: Route)
    async throws
  {
    let server = try WildServer { _, connection in _ = connection.waitForClose(atMost: 5) }
    defer { server.stop() }
    let count = try await withTransport(to: server.url, by: route) { transport in
      let transfers = try (0..<5).map { _ in try transport.connect().start(HTTPRequest(method: "GET", target: "/")) }
      transport.loop.start(with: transport) { transport in
        _ = await transport.loop.sleep(until: .now + 50_000_000)
        transport.abandonAll()
      }
      var abandoned = 0
      for transfer in transfers {
        await transfer.finished()
        if case .abandoned = transfer.ending { abandoned += 1 }
        transfer.release()
      }
      #expect(transport.inFlight == 0)
      return abandoned
    }
    #expect(count == 5)
  }
}
