import MurphyHTTP
import MurphyModel
import Testing
import WildServer

/// Frames of HTTP/2 that break rules, or come at a bad time. Every request ends, and the next one has a response.
struct HostileStreamTests {
  typealias Frame = StreamServer.Frame

  struct Meeting {
    var replies: [Reply] = []
    var connections = 0
  }

  /// `:status: 200` with END_HEADERS; the response goes on.
  static let begin = Frame(1, flags: 4, [0x88])
  /// The same with END_STREAM.
  static let answer = Frame(1, flags: 5, [0x88])
  private static let hello = Frame(0, flags: 1, Array("hello".utf8))

  static func reset(_ code: UInt8) -> Frame { Frame(3, [0, 0, 0, code]) }

  /// Two requests of one user, one after the other; the first gets the frames.
  static func meet(
    _ frames: [Frame], method: String = "GET", body: String? = nil, time: Duration = .seconds(10), limit: Int = 1000
  ) async throws -> Meeting {
    let server = try StreamServer { $0 == 1 ? .frames(frames) : .answer }
    defer { server.stop() }
    var options = TransportOptions()
    options.version = .http2
    options.timeout = time
    options.bodyLimit = ByteCount(limit)
    let replies = try await withTransport(to: server.url, options: options) { transport in
      let user = try transport.connect()
      return [await user.reply(method, body: body), await user.reply()]
    }
    #expect(replies[1].status == 200, "the next request: \(replies[1].ending)")
    return Meeting(replies: replies, connections: server.connections)
  }

  @Test func `frames in any order that the standard allows are one response`() async throws {
    let frames = [
      Frame(1, flags: 4, [0x08, 3] + Array("103".utf8)), Frame(6, on: .connection, Array(repeating: 7, count: 8)),
      Self.begin, Frame(8, on: .connection, [0, 0, 1, 0]), Frame(0, Array("hel".utf8)), Frame(0xFA, [1, 2, 3]),
      Frame(0, Array("lo".utf8)), Frame(1, flags: 5, [0, 3] + Array("x-t".utf8) + [1, 0x31]),
    ]
    let meeting = try await Self.meet(frames)
    #expect(meeting.replies[0].status == 200 && meeting.replies[0].body == "hello", "\(meeting.replies[0])")
    #expect(!meeting.replies[0].headerBlock.contains("x-t"), "a trailer counts as a header")
    #expect(meeting.connections == 1)
  }

  @Test func `frames that break the protocol end the connection and not the user`() async throws {
    let broken: [[Frame]] = [
      [Self.hello],
      [Frame(1, flags: 5, on: .connection, [0x88])],
      [Frame(1, flags: 5, on: .stream(2), [0x88])],
      [Frame(1, flags: 4, [0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF])],
      [Frame(9, flags: 4, [0x88])],
      [Frame(4, on: .connection, [0])],
      [Frame(5, flags: 4, [0, 0, 0, 2, 0x82])],
      [Frame(8, on: .connection, [0, 0, 0, 0])],
    ]
    for frames in broken {
      let meeting = try await Self.meet(frames)
      let failure = try #require(meeting.replies[0].failure, "\(frames)")
      #expect(failure.kind.name == "closed", "\(frames): \(failure)")
    }
  }

  @Test func `header fields that HTTP/2 forbids make the response unreadable`() async throws {
    for name in ["connection", "transfer-encoding", "X-Upper"] {
      let field = [0, UInt8(name.utf8.count)] + Array(name.utf8) + [1, 0x31]
      let meeting = try await Self.meet([Frame(1, flags: 5, [0x88] + field)])
      #expect(meeting.replies[0].failure?.kind.name == "closed", "\(name): \(meeting.replies[0])")
    }
    let short = try await Self.meet([Frame(1, flags: 4, [0x88, 0x0F, 0x0D, 1, 0x39]), Self.hello])
    #expect(short.replies[0].failure?.kind.name == "incomplete", "9 bytes were announced, and 5 came")
  }

  @Test(arguments: [0, 9, 99, 100, 199, 200, 599, 600, 999])
  func `a status means the same over both versions of HTTP`(status: Int) async throws {
    let digits = String(repeating: "0", count: 3 - String(status).count) + String(status)
    let server = try WildServer { _, connection in
      connection.send("HTTP/1.1 \(digits) X\r\n" + (status / 100 == 1 ? "\r\n" : "Content-Length: 0\r\n\r\n"))
      if status / 100 == 1 { connection.answer() }
    }
    defer { server.stop() }
    let plain = try await withTransport(to: server.url) { try await $0.connect().reply() }
    // END_STREAM would end an interim response before the final one.
    let head = Frame(1, flags: status / 100 == 1 ? 4 : 5, [0x08, 3] + Array(digits.utf8))
    let streamed = try await Self.meet([head] + (status / 100 == 1 ? [Self.answer] : [])).replies[0]
    #expect(streamed.failure == plain.failure && streamed.status == plain.status, "\(streamed) \(plain)")
    #expect((streamed.failure == nil) == (status >= 100), "\(streamed.ending)")
    #expect(streamed.violations.each.contains(.status) == (status > 599))
    #expect(plain.violations.each.contains(.status) == (status > 599))
  }

  @Test func `a header section that grows when it is read is cut`() async throws {
    // One field of 4,000 bytes in the table of HPACK, and then its number, a hundred times.
    let field = [0x40, 1, 0x61, 0x7F, 0xA1, 0x1E] + Array(repeating: UInt8(ascii: "v"), count: 4_000)
    let bomb = [0x88] + field + Array(repeating: 0xBE, count: 100)
    let meeting = try await Self.meet([Frame(1, flags: 5, bomb)])
    #expect(meeting.replies[0].failure?.kind.name == "header-size", "\(meeting.replies[0].ending)")
  }

  @Test func `interim responses without end are cut`() async throws {
    let interim = Frame(1, flags: 4, [0x08, 3] + Array("103".utf8))
    let few = try await Self.meet(Array(repeating: interim, count: 100) + [Self.answer])
    #expect(few.replies[0].status == 200)
    let many = try await Self.meet(Array(repeating: interim, count: 101) + [Self.answer])
    #expect(many.replies[0].failure?.kind.name == "interim", "\(many.replies[0].ending)")
  }

  @Test func `a stream that is reset fails alone`() async throws {
    let before = try await Self.meet([Self.reset(2)])
    #expect(before.replies[0].failure?.kind.name == "closed")
    #expect(before.replies[0].failure?.detail.contains("INTERNAL_ERROR (err 2)") == true)
    let within = try await Self.meet([Self.begin, Frame(0, Array("hel".utf8)), Self.reset(8)])
    #expect(within.replies[0].failure?.kind.name == "incomplete")
    #expect(within.replies[0].failure?.detail.contains("3 bytes") == true)
    // RFC 9113 §8.1: a server may answer early, and then ask the client to send no more.
    let early = try await Self.meet([Self.answer, Self.reset(0)], method: "POST", body: "{}")
    #expect(early.replies[0].status == 200)
    for meeting in [before, within, early] { #expect(meeting.connections == 1) }
  }

  @Test func `a connection that the server winds up answers its last request`() async throws {
    let goAway = Frame(7, on: .connection, [0, 0, 0, 1, 0, 0, 0, 0])
    for frames in [[goAway, Self.begin, Self.hello], [Self.begin, goAway, Self.hello]] {
      let meeting = try await Self.meet(frames)
      #expect(meeting.replies[0].body == "hello", "\(meeting.replies[0].ending)")
      #expect(meeting.connections == 2, "the next request needs another connection")
    }
  }

  @Test func `a server that takes no content costs the request its time, and no more`() async throws {
    // SETTINGS_INITIAL_WINDOW_SIZE 0: the content of open streams waits as well (RFC 9113 §6.9.2).
    let window = Frame(4, on: .connection, [0, 4, 0, 0, 0, 0])
    let body = String(repeating: "x", count: 200_000)
    let meeting = try await Self.meet([window], method: "POST", body: body, time: .milliseconds(300))
    #expect(meeting.replies[0].failure == .timeout(.milliseconds(300), received: nil))
    #expect(meeting.connections == 1)
  }

  @Test func `many settings and pings delay no response, and a flood of them ends the connection`() async throws {
    let pair = [
      Frame(4, on: .connection, [0, 4, 0, 0, 0xFF, 0xFF]), Frame(6, on: .connection, Array(repeating: 1, count: 8)),
    ]
    let many = try await Self.meet((0..<400).flatMap { _ in pair } + [Self.begin, Self.hello])
    #expect(many.replies[0].body == "hello", "\(many.replies[0].ending)")
    // How many of them one read brings is up to the system.
    let flood = try await Self.meet((0..<10_000).flatMap { _ in pair } + [Self.begin, Self.hello])
    #expect(flood.replies[0].body == "hello" || flood.replies[0].failure?.kind.name == "closed")
  }

  @Test func `a body over the limit is cut, and its connection stays`() async throws {
    let meeting = try await Self.meet([Self.begin, Frame(0, Array(repeating: 0x61, count: 1_001))])
    #expect(meeting.replies[0].isCutOff && meeting.replies[0].bodySize == 1_000)
    #expect(meeting.connections == 1)
  }

  @Test func `requests of one user in flight share a connection, as far as the server permits`() async throws {
    for permitted in [UInt8(100), 1] {
      // The first response brings the server's limit.
      let limit = Frame(4, on: .connection, [0, 3, 0, 0, 0, permitted])
      let server = try StreamServer { $0 == 1 ? .frames([limit, Self.answer]) : .answer }
      defer { server.stop() }
      var options = TransportOptions()
      options.version = .http2
      try await withTransport(to: server.url, options: options) { transport in
        let user = try transport.connect()
        for _ in 0..<2 {
          let transfers = (0..<5).map { _ in user.start(HTTPRequest(method: "GET", target: "/")) }
          for transfer in transfers {
            await transfer.finished()
            #expect(transfer.status == 200)
            transfer.release()
          }
        }
      }
      #expect(server.requests == 10)
      if permitted == 100 { #expect(server.connections == 1) } else { #expect(server.connections > 1) }
    }
  }

  @Test func `a request that is withdrawn leaves the connection to others`() async throws {
    let server = try StreamServer { $0 == 1 ? .frames([]) : .answer }
    defer { server.stop() }
    var options = TransportOptions()
    options.version = .http2
    let reply = try await withTransport(to: server.url, options: options) { transport in
      let user = try transport.connect()
      let first = user.start(HTTPRequest(method: "GET", target: "/"))
      let second = await user.reply()
      first.release()
      return [second, await user.reply()]
    }
    #expect(reply.map(\.status) == [200, 200] && server.connections == 1)
  }

  @Test(arguments: UInt64(0)..<40) func `random frames end no process, and every request ends`(
    _ seed: UInt64
  ) async throws {
    var random = RandomSource(seed: seed)
    func byte(below bound: UInt64) -> UInt8 { UInt8(truncatingIfNeeded: random.next() % bound) }
    var frames: [Frame] = []
    for _ in 0..<Int(byte(below: 8)) + 1 {
      let places: [Frame.Place] = [.request, .request, .connection, .stream(UInt32(byte(below: 5)))]
      let payload = (0..<Int(byte(below: 40))).map { _ in byte(below: 256) }
      frames.append(Frame(byte(below: 11), flags: byte(below: 64), on: places[Int(byte(below: 4))], payload))
    }
    let server = try StreamServer { [frames] number in number == 1 ? .frames(frames) : .answer }
    defer { server.stop() }
    var options = TransportOptions()
    options.version = .http2
    options.timeout = .milliseconds(100)
    let (replies, other) = try await withTransport(to: server.url, options: options) { transport in
      let user = try transport.connect()
      let replies = [await user.reply(), await user.reply()]
      return (replies, await (try transport.connect()).reply())
    }
    for reply in replies { #expect(reply.isAnswered || reply.failure != nil, "\(frames)") }
    #expect(other.status == 200 || other.failure?.kind.name == "timeout", "another user: \(other.ending)")
  }
}
