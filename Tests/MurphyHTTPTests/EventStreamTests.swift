import MurphyHTTP
import MurphyModel
import TestSupport
import Testing
import WildServer

/// Answers without an end: streams of events.
@Suite(.requires(.haproxy, .nginx, .openssl)) struct EventStreamTests {
  /// Sends an event every 10 ms until the client goes, or until it has sent `most`.
  private static func tell(
    _ connection: WildConnection, type: String = "text/event-stream", most: Int = 3_000, isChunked: Bool = false
  ) {
    let coding = isChunked ? "Transfer-Encoding: chunked\r\n" : "Connection: close\r\n"
    let event = "event: tick\ndata: {\"n\":1}\n\n"
    let piece = isChunked ? "\(String(event.utf8.count, radix: 16))\r\n\(event)\r\n" : event
    // The first event comes with the header section.
    connection.send("HTTP/1.1 200 OK\r\nContent-Type: \(type)\r\nX-Accel-Buffering: no\r\n\(coding)\r\n\(piece)")
    for _ in 1..<most {
      guard connection.send(piece) else { break }
      connection.pause(milliseconds: 10)
    }
    if isChunked { connection.send("0\r\n\r\n") }
    connection.finish()
  }

  struct Seen: Sendable {
    var isAnswered: Bool
    var status: Int
    var events: Int
    var latency: Int64
    var waited: Int64
    var body: Int
  }

  private static func seen(_ user: Connection, _ target: String, _ patience: StreamPatience?) async -> Seen {
    let begun = Instant.now
    let transfer = user.start(HTTPRequest(method: "GET", target: target, stream: patience))
    await transfer.finished()
    defer { transfer.release() }
    return Seen(
      isAnswered: Reply(transfer).isAnswered, status: transfer.status, events: transfer.streamFigures.events,
      latency: transfer.ended - transfer.sent, waited: .now - begun, body: transfer.bytesReceived)
  }

  @Test(arguments: Route.allCases, [false, true])
  func `a stream is answered with its header, read for its time and then closed`(
    _ route: Route, _ isChunked: Bool
  ) async throws {
    let server = try WildServer { _, connection in Self.tell(connection, isChunked: isChunked) }
    defer { server.stop() }
    let (stream, next) = try await withTransport(to: server.url, by: route) { transport in
      let user = try transport.connect()
      let first = await Self.seen(user, "/", StreamPatience(time: .milliseconds(300)))
      return (first, await Self.seen(user, "/", StreamPatience(time: .seconds(60), events: 3)))
    }
    for seen in [stream, next] {
      #expect(seen.isAnswered && seen.status == 200)
      #expect(seen.latency < seen.waited, "its time is no part of its latency")
    }
    #expect(stream.waited >= 300_000_000)
    #expect(stream.events >= 1)
    #expect(stream.body >= (stream.events) * 26)
    #expect(next.events >= 3)
    #expect(next.waited < 60_000_000_000)
  }

  @Test(arguments: Route.allCases) func `a stream that the server ends is a whole response`(_ route: Route) async throws
  {
    let server = try WildServer { _, connection in Self.tell(connection, most: 4, isChunked: true) }
    defer { server.stop() }
    let seen = try await withTransport(to: server.url, by: route) { transport in
      await Self.seen(try transport.connect(), "/", StreamPatience(time: .seconds(60)))
    }
    #expect(seen.isAnswered && seen.events == 4)
    #expect(seen.waited < 60_000_000_000)
  }

  @Test func `a stream over HTTP/2 ends without its connection`() async throws {
    let server = try WildServer { _, connection in Self.tell(connection) }
    defer { server.stop() }
    let nginx = try NginxFixture(backend: server.url + "/")
    defer { nginx.stop() }
    var options = TransportOptions()
    options.authorities = nginx.authority
    let (stream, law) = try await withTransport(to: nginx.secure, options: options) { transport in
      let user = try transport.connect()
      let stream = await Self.seen(user, "/backend/", StreamPatience(time: .milliseconds(300)))
      return (stream, await user.reply("GET", "/law.json"))
    }
    #expect(stream.isAnswered && stream.events >= 1 && stream.latency < stream.waited)
    #expect(law.status == 200, "\(law.ending)")
  }

  @Test(arguments: Route.allCases) func `a stream without an event is answered all the same`(
    _ route: Route
  ) async throws {
    let server = try WildServer { _, connection in
      connection.send("HTTP/1.1 200 OK\r\nContent-Type: text/event-stream; charset=utf-8\r\n\r\n: nothing yet\n\n")
      connection.pause(milliseconds: 1_000)
    }
    defer { server.stop() }
    var options = TransportOptions()
    options.stream = StreamPatience(time: .milliseconds(100))
    let seen = try await withTransport(to: server.url, by: route, options: options) { transport in
      await Self.seen(try transport.connect(), "/", nil)
    }
    #expect(seen.isAnswered && seen.status == 200 && seen.events == 0)
  }

  @Test(arguments: Route.allCases) func `another response that does not end times out as before`(
    _ route: Route
  ) async throws {
    let server = try WildServer { _, connection in Self.tell(connection, type: "text/plain") }
    defer { server.stop() }
    let kind = try await withTransport(to: server.url, by: route) { transport in
      let transfer = (try transport.connect()).start(
        HTTPRequest(method: "GET", target: "/", timeout: .seconds(2), stream: StreamPatience(time: .milliseconds(1))))
      await transfer.finished()
      defer { transfer.release() }
      return Reply(transfer).failure?.kind
    }
    #expect(kind == .transportTimeout)
  }

  @Test(arguments: Route.allCases) func `an interim response is no beginning of a stream`(_ route: Route) async throws {
    let server = try WildServer { _, connection in
      connection.send("HTTP/1.1 103 Early Hints\r\nContent-Type: text/event-stream\r\n\r\n")
      connection.pause(milliseconds: 400)
      Self.tell(connection)
    }
    defer { server.stop() }
    let (seen, phases) = try await withTransport(to: server.url, by: route) { transport in
      let user = try transport.connect()
      let transfer = user.start(
        HTTPRequest(method: "GET", target: "/", stream: StreamPatience(time: .milliseconds(300))))
      await transfer.finished()
      defer { transfer.release() }
      return (
        Seen(
          isAnswered: Reply(transfer).isAnswered, status: transfer.status, events: transfer.streamFigures.events,
          latency: transfer.ended - transfer.sent, waited: transfer.left - transfer.sent,
          body: transfer.bytesReceived), transfer.phases
      )
    }
    #expect(seen.isAnswered && seen.status == 200 && seen.events >= 1)
    #expect(seen.latency >= 400_000_000 && seen.waited >= 700_000_000)
    #expect(phases.total == seen.latency && phases.connect ?? 0 > 0, "the stream is in no phase")
  }

  @Test(arguments: Route.allCases) func `a stream that breaks off was answered, and is counted as broken`(
    _ route: Route
  ) async throws {
    let server = try WildServer { _, connection in
      connection.send(
        "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\n\r\n9\r\ndata: 1\n\n\r\n")
      connection.pause(milliseconds: 50)
      connection.finish()
    }
    defer { server.stop() }
    let figures = try await withTransport(to: server.url, by: route) { transport in
      let transfer = (try transport.connect()).start(
        HTTPRequest(method: "GET", target: "/", stream: StreamPatience(time: .seconds(60))))
      await transfer.finished()
      defer { transfer.release() }
      return (Reply(transfer).isAnswered, transfer.streamFigures)
    }
    #expect(figures.0 && figures.1.events == 1 && figures.1.broken == 1, "\(figures)")
  }

  @Test(arguments: Route.allCases) func `a long stream is read on, and little of it is kept`(
    _ route: Route
  ) async throws {
    let server = try WildServer { _, connection in
      let event = "data: " + String(repeating: "x", count: 1_000) + "\n\n"
      connection.send("HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nConnection: close\r\n\r\n")
      for _ in 0..<1_000 { connection.send(event) }
      connection.finish()
    }
    defer { server.stop() }
    var options = TransportOptions()
    options.bodyLimit = ByteCount(200_000)
    let (events, bytes, kept, isCutOff) = try await withTransport(to: server.url, by: route, options: options) {
      transport in
      let transfer = (try transport.connect()).start(
        HTTPRequest(method: "GET", target: "/", stream: StreamPatience(time: .seconds(60))))
      await transfer.finished()
      defer { transfer.release() }
      return (
        transfer.streamFigures.events, transfer.bytesReceived, transfer.bodyBytes.count, transfer.isCutOff
      )
    }
    #expect(events == 1_000 && bytes == 1_008_000 && kept <= 65_536 && !isCutOff, "\(events) \(bytes) \(kept)")
  }

  @Test func `a switch of protocols is a response where it was asked for`() async throws {
    let server = try WildServer { _, connection in
      connection.send("HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\n\u{1}x")
    }
    defer { server.stop() }
    let asked = [HeaderField("Upgrade", "websocket"), HeaderField("Connection", "Upgrade")]
    let (wanted, unasked) = try await withTransport(to: server.url) { transport in
      let user = try transport.connect()
      return (await user.reply("GET", "/", headers: asked), await user.reply())
    }
    #expect(wanted.isAnswered && wanted.status == 101)
    #expect(wanted.headerBlock.contains("Upgrade: websocket"))
    #expect(unasked.failure?.kind == .transportUpgrade)
  }
}

@Suite struct EventCounterTests {
  static let streams: [(text: String, events: Int)] = [
    ("", 0), ("data: a\n\n", 1), ("data: a\n\ndata: b\n\n", 2), ("data: a\ndata: b\n\n", 1), ("data\n\n", 1),
    ("data:\n\n", 1), ("event: a\nid: 1\n\n", 0), (": data: no\n\n", 0), ("database: no\n\n", 0), ("dat: no\n\n", 0),
    ("data: a\r\n\r\ndata: b\r\r", 2), ("data: a\r\n\r\n\r\n\n", 1), ("data: not ended\n", 0), ("\n\n\ndata: a\n\n", 1),
    (" data: no\n\n", 0),
  ]

  /// HTML Living Standard §9.2.6, however the bytes are cut into pieces.
  @Test(arguments: streams) func `events are blocks with data that an empty line ends`(
    _ stream: (text: String, events: Int)
  ) {
    for size in 1...12 {
      var counter = EventCounter()
      let bytes = Array(stream.text.utf8)
      for start in Swift.stride(from: 0, to: bytes.count, by: size) {
        bytes[start..<min(start + size, bytes.count)].withUnsafeBytes { counter.feed($0) }
      }
      #expect(counter.events == stream.events, "in pieces of \(size)")
    }
  }
}
