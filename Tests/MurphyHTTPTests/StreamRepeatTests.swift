import MurphyHTTP
import MurphyModel
import TestSupport
import Testing
import WildServer

/// Requests over HTTP/2 that were refused or lost: every sending that the server saw is known to murphy.
@Suite(.requires(.haproxy, .openssl)) struct StreamRepeatTests {
  private struct Meeting {
    var replies: [Reply] = []
    var repeats: [LostAttempt] = []
    /// HEADERS frames that the server saw.
    var seen = 0
  }

  /// One request after the other of one user.
  private static func meet(
    _ methods: [String], _ treat: @escaping @Sendable (Int) -> StreamServer.Treatment
  ) async throws -> Meeting {
    let server = try StreamServer(treat)
    defer { server.stop() }
    let door = try SecureDoor(to: server.port)
    defer { door.stop() }
    var options = TransportOptions()
    options.version = .http2
    options.authorities = door.authority
    var meeting = try await withTransport(to: door.url, options: options) { transport in
      let user = try transport.connect()
      var meeting = Meeting()
      for method in methods {
        let transfer = user.start(HTTPRequest(method: method, target: "/", body: method == "GET" ? nil : [0x7B, 0x7D]))
        await transfer.finished()
        meeting.replies.append(Reply(transfer))
        meeting.repeats += transfer.repeats
        transfer.release()
      }
      return meeting
    }
    meeting.seen = server.requests
    return meeting
  }

  static let losses: [StreamServer.Treatment] = [.refuse, .goAway, .close]

  @Test(arguments: [StreamServer.Treatment.goAway, .close])
  func `a request that is lost is counted as often as it was sent`(_ loss: StreamServer.Treatment) async throws {
    for method in ["GET", "POST"] {
      let meeting = try await Self.meet(["GET", method, "GET"]) { $0 == 2 ? loss : .answer }
      #expect(meeting.seen == 3 + meeting.repeats.count, "\(method): \(meeting.replies.map(\.ending))")
      #expect((meeting.replies[1].failure == nil) == (meeting.repeats.count == 1))
      #expect(meeting.repeats.count == (method == "GET" ? 1 : 0))
      #expect(!meeting.repeats.contains { $0.isStream != (loss == .goAway) }, "\(loss)")
    }
  }

  @Test func `an idempotent request whose stream is rejected is sent once more, and both are counted`() async throws {
    for method in ["GET", "PUT", "DELETE"] {
      let meeting = try await Self.meet([method, method, method]) { $0 == 2 ? .refuse : .answer }
      #expect(meeting.replies.map(\.status) == [200, 200, 200], "\(method): \(meeting.replies.map(\.ending))")
      #expect(meeting.repeats.count == 1, "\(method)")
      #expect(!meeting.repeats.contains { !$0.isStream })
      #expect(meeting.seen == 3 + meeting.repeats.count)
    }
  }

  @Test(arguments: losses) func `what is not idempotent is never sent twice, though a rejected stream would allow it`(
    _ loss: StreamServer.Treatment
  ) async throws {
    for method in ["POST", "PATCH"] {
      let meeting = try await Self.meet(["GET", method, "GET"]) { $0 == 2 ? loss : .answer }
      #expect(meeting.replies.map(\.status) == [200, 0, 200], "\(method): \(meeting.replies.map(\.ending))")
      #expect(meeting.replies[1].failure != nil)
      #expect(meeting.repeats.isEmpty)
      #expect(meeting.seen == 3, "\(method)")
    }
  }

  @Test(arguments: losses) func `a request that is lost again and again is sent twice at most`(
    _ loss: StreamServer.Treatment
  ) async throws {
    let meeting = try await Self.meet(["GET", "GET", "GET", "GET"]) { $0 == 1 ? .answer : loss }
    #expect(meeting.replies.dropFirst().allSatisfy { $0.failure != nil })
    #expect(meeting.seen == 4 + meeting.repeats.count, "\(meeting.replies.map(\.ending))")
    #expect(meeting.repeats.count <= 3)
  }

  @Test func `a stream that is rejected on a new connection is sent once more`() async throws {
    let meeting = try await Self.meet(["GET"]) { $0 == 1 ? .refuse : .answer }
    #expect(meeting.replies.map(\.status) == [200])
    #expect(meeting.repeats.count == 1 && meeting.seen == 2)
    let post = try await Self.meet(["POST"]) { $0 == 1 ? .refuse : .answer }
    #expect(post.replies.map(\.status) == [0])
    #expect(post.repeats.isEmpty && post.seen == 1)
  }

  @Test func `a libcurl that cannot keep plain HTTP/2 connections is not used for them`() throws {
    let (plain, secure) = (try Origin("http://127.0.0.1:1"), try Origin("https://127.0.0.1:1"))
    var options = TransportOptions()
    options.version = .http2
    options.proxy = ""
    #expect(LibcurlVersion.mistake(options, to: plain) == nil, "libcurl sends nothing")
    options.proxy = "http://127.0.0.1:2"
    let mistake = LibcurlVersion.mistake(options, to: plain)
    let isOld = LibcurlVersion.text.hasPrefix("libcurl/7.87") || LibcurlVersion.text.hasPrefix("libcurl/7.88")
    #expect((mistake != nil) == isOld, "\(LibcurlVersion.text): \(mistake ?? "none")")
    #expect(LibcurlVersion.mistake(options, to: secure) == nil)
    options.version = .auto
    #expect(LibcurlVersion.mistake(options, to: plain) == nil)
  }
}
