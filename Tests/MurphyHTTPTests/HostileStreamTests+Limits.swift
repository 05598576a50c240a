import MurphyHTTP
import MurphyModel
import Testing
import WildServer

/// Limits of HTTP/2, and requests that a server refuses.
extension HostileStreamTests {
  @Test(arguments: [true, false])
  func `a server that permits no stream gets no more connections than requests, and keeps none`(
    refuses: Bool
  ) async throws {
    let limit = Frame(4, on: .connection, [0, 3, 0, 0, 0, 0])
    let server = try StreamServer { _ in .frames([limit, refuses ? Self.reset(7) : Self.answer]) }
    defer { server.stop() }
    var options = TransportOptions()
    options.version = .http2
    let (replies, open) = try await withTransport(to: server.url, options: options) { transport in
      let user = try transport.connect()
      var replies: [Reply] = []
      for _ in 0..<20 { replies.append(await user.reply()) }
      let end = Instant.now + 10_000_000_000
      while server.openConnections > 0, .now < end { _ = await transport.loop.sleep(until: .now + 1_000_000) }
      return (replies, server.openConnections)
    }
    #expect(open == 0)
    // A GET that is refused is sent once more.
    #expect(server.requests == (refuses ? 40 : 20) && server.connections == server.requests)
    #expect(replies.allSatisfy { ($0.failure == nil) != refuses }, "\(replies.map(\.ending))")
    let details = replies.compactMap(\.failure?.detail)
    #expect(details.allSatisfy { $0.contains("the server allows no streams") }, "\(details)")
  }

  @Test func `a POST that the server wants over another version leaves no connection of it`() async throws {
    let goAway = Frame(7, on: .connection, [0, 0, 0, 1, 0, 0, 0, 0])
    // HTTP_1_1_REQUIRED, after which the connection takes no more requests.
    let meeting = try await Self.meet([Self.reset(13), goAway], method: "POST", body: "{}")
    #expect(meeting.replies[0].failure != nil)
    // The server reads HTTP/2 alone: over HTTP/1.1 the next request would have no response.
    #expect(meeting.replies[1].status == 200 && meeting.connections == 2)
  }

  @Test(arguments: [100, 1_000, 200_000]) func `no event of a stream is lost at the limit of a body`(
    limit: Int
  ) async throws {
    let type = [0x0F, 0x10, 17] + Array("text/event-stream".utf8)
    let event = Array("data: {\"n\":1}\n\n".utf8)
    let pieces = (0..<40).map { index in
      Frame(0, flags: index == 39 ? 1 : 0, Array(repeatElement(event, count: 200).joined()))
    }
    let server = try StreamServer { _ in .frames([Frame(1, flags: 4, [0x88] + type)] + pieces) }
    defer { server.stop() }
    var options = TransportOptions()
    options.version = .http2
    options.bodyLimit = ByteCount(limit)
    let figures = try await withTransport(to: server.url, options: options) { transport in
      let transfer = (try transport.connect()).start(
        HTTPRequest(method: "GET", target: "/", stream: StreamPatience(time: .seconds(60))))
      await transfer.finished()
      defer { transfer.release() }
      return transfer.streamFigures
    }
    #expect(figures.events == 8_000 && figures.broken == 0)
  }

  @Test(arguments: [60_000, 70_000, 200_000]) func `a header of any length is sent`(length: Int) async throws {
    let server = try StreamServer { _ in .answer }
    defer { server.stop() }
    var options = TransportOptions()
    options.version = .http2
    let reply = try await withTransport(to: server.url, options: options) { transport in
      let field = HeaderField("X-Long", String(repeating: "v", count: length))
      return await (try transport.connect()).reply(headers: [field])
    }
    #expect(reply.status == 200 && server.requests == 1, "\(reply.ending)")
  }

  @Test(arguments: ["GET", "POST"]) func `a refused request is said to be sent as often as it was`(
    method: String
  ) async throws {
    let server = try StreamServer { _ in .refuse }
    defer { server.stop() }
    var options = TransportOptions()
    options.version = .http2
    let reply = try await withTransport(to: server.url, options: options) { await (try $0.connect()).reply(method) }
    let sentence = try #require(reply.failure?.sentence)
    #expect(server.requests == (method == "GET" ? 2 : 1))
    #expect(sentence.contains("sent the request twice") == (method == "GET"), "\(sentence)")
    #expect(sentence.contains("not idempotent") == (method == "POST"), "\(sentence)")
  }

  @Test func `a refused request changes no byte of what was read with the refusal`() async throws {
    let limit = Frame(4, on: .connection, [0, 3, 0, 0, 0, 2])
    let server = try StreamServer { number in
      switch number {
      case 1: .frames([limit, Self.answer])
      case 2, 3: .frames([])
      default: .answer
      }
    }
    defer { server.stop() }
    var options = TransportOptions()
    options.version = .http2
    let replies = try await withTransport(to: server.url, options: options) { transport in
      let user = try transport.connect()
      _ = await user.reply()
      let transfers = (0..<2).map { _ in user.start(HTTPRequest(method: "GET", target: "/")) }
      while server.requests < 3 { _ = await transport.loop.sleep(until: .now + 1_000_000) }
      // Over a second connection, because the first one is full.
      _ = await user.reply()
      // The loop reads nothing before both connections have their frames. The second one carries the refused request.
      let refusal = Frame(3, on: .stream(3), [0, 0, 0, 7])
      server.send(
        [refusal, Frame(1, flags: 4, on: .stream(5), [0x88]), Frame(0, flags: 1, on: .stream(5), Array("hello".utf8))],
        on: 1)
      server.send((0..<20).map { Frame(6, on: .connection, Array(repeating: $0, count: 8)) }, on: 2)
      var replies: [Reply] = []
      for transfer in transfers {
        await transfer.finished()
        replies.append(Reply(transfer))
        transfer.release()
      }
      return replies
    }
    #expect(replies.map(\.status) == [200, 200], "\(replies.map(\.ending))")
    #expect(replies[1].body == "hello" && server.connections == 2)
  }
}
