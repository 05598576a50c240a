import Foundation
import MurphyHTTP
import MurphyModel
import TestSupport
import Testing
import WildServer

/// A connection that is closed before a response: who lost the request, and whether it is sent again.
@Suite(.requires(.haproxy, .openssl)) struct RepeatTests {
  /// What one request met on a connection that had answered another.
  struct Meeting: Sendable {
    var reply: Reply
    var repeats: [LostAttempt]
    var isOrdered: Bool
  }

  /// Answers each connection's first request and closes on its second.
  private func meeting(
    _ method: String, _ route: Route, headers: [String: String] = ["Keep-Alive": "timeout=60"], idle: Int64 = 0
  ) async throws
    -> (meeting: Meeting, requests: Int)
  {
    let seen = Counter()
    let server = try WildServer { _, connection in
      if seen.add() == 2 { connection.finish() } else { connection.answer(headers: headers) }
    }
    defer { server.stop() }
    let meeting = try await withTransport(to: server.url, by: route) { transport in
      let user = try transport.connect()
      _ = await user.reply()
      if idle > 0 { _ = await transport.loop.sleep(until: .now + idle) }
      let transfer = user.start(HTTPRequest(method: method, target: "/"))
      await transfer.finished()
      defer { transfer.release() }
      return Meeting(
        reply: Reply(transfer), repeats: transfer.repeats,
        isOrdered: transfer.sent <= transfer.lastSent && transfer.lastSent <= transfer.ended)
    }
    return (meeting, server.requests.count)
  }

  @Test(arguments: Route.allCases, ["GET", "PUT", "DELETE", "HEAD", "OPTIONS"])
  func `an idempotent request that was lost is sent once more, and both sendings are known`(
    _ route: Route, _ method: String
  ) async throws {
    let (meeting, requests) = try await meeting(method, route)
    #expect(meeting.reply.status == 200)
    #expect(meeting.repeats.count == 1)
    #expect(meeting.repeats.first?.isEarly == true)
    #expect(meeting.isOrdered)
    #expect(requests == 3)
  }

  @Test(arguments: Route.allCases, ["POST", "PATCH"])
  func `what is not idempotent is never sent twice`(_ route: Route, _ method: String) async throws {
    let (meeting, requests) = try await meeting(method, route)
    #expect(meeting.reply.failure?.kind.name == "closed-early")
    #expect(meeting.reply.failure?.isRace == false)
    #expect(meeting.repeats.isEmpty)
    #expect(requests == 2)
  }

  @Test(arguments: Route.allCases) func `a close after longer idling is the known race`(_ route: Route) async throws {
    // Announced: one second, of which nine tenths count.
    let (read, _) = try await meeting("GET", route, headers: ["Keep-Alive": "timeout=1, max=10"], idle: 950_000_000)
    #expect(read.reply.status == 200)
    #expect(read.repeats.map(\.isEarly) == [false])
    let (write, requests) = try await meeting("POST", route, headers: ["Keep-Alive": "timeout=1"], idle: 950_000_000)
    #expect(write.reply.failure?.kind.name == "closed-idle")
    #expect(write.reply.failure?.isRace == true)
    #expect(requests == 2)
  }

  @Test(arguments: Route.allCases) func `a close within the time that the server announced is its error`(
    _ route: Route
  ) async throws {
    let (meeting, _) = try await meeting("GET", route, headers: ["Keep-Alive": "timeout=3600"], idle: 1_100_000_000)
    #expect(meeting.repeats.map(\.isEarly) == [true])
    #expect(meeting.repeats.first?.announced == .seconds(3600))
  }

  @Test(arguments: Route.allCases) func `a request is repeated once, not for ever`(_ route: Route) async throws {
    let seen = Counter()
    let server = try WildServer { _, connection in
      if seen.add() == 1 { connection.answer() } else { connection.finish() }
    }
    defer { server.stop() }
    let failure = try await withTransport(to: server.url, by: route) { transport in
      let user = try transport.connect()
      _ = await user.reply()
      return await user.reply().failure
    }
    #expect(failure?.kind.name == "closed")
    #expect(server.requests.count == 3)
  }

  @Test(arguments: Route.allCases) func `a request that is sent again has its own time to connect`(
    _ route: Route
  ) async throws {
    // Closed without a response after longer than a connection may take, as a server does that was stopped and goes on.
    let seen = Counter()
    let server = try WildServer { _, connection in
      if seen.add() == 2 {
        Thread.sleep(forTimeInterval: 2.5)
        connection.finish()
      } else {
        connection.answer(headers: ["Keep-Alive": "timeout=60"])
      }
    }
    defer { server.stop() }
    var options = TransportOptions()
    options.connectTimeout = .seconds(2)
    let reply = try await withTransport(to: server.url, by: route, options: options) { transport in
      let user = try transport.connect()
      _ = await user.reply()
      return await user.reply()
    }
    #expect(reply.failure == nil)
    #expect(reply.status == 200)
  }

  @Test(arguments: Route.allCases) func `a connection that was closed while idle loses no request`(_ route: Route)
    async throws
  {
    let server = try WildServer { _, connection in
      connection.answer()
      connection.finish()
    }
    defer { server.stop() }
    let repeats = try await withTransport(to: server.url, by: route) { transport in
      let user = try transport.connect()
      _ = await user.reply()
      _ = await transport.loop.sleep(until: .now + 100_000_000)
      let transfer = user.start(HTTPRequest(method: "POST", target: "/"))
      await transfer.finished()
      defer { transfer.release() }
      #expect(transfer.status == 200)
      return transfer.repeats.count
    }
    #expect(repeats == 0)
  }
}

@Suite struct LostAttemptTests {
  @Test func `a second is what a server that announces nothing must keep an idle connection`() {
    #expect(LostAttempt.sample(idle: .milliseconds(999), announced: nil).isEarly)
    #expect(!LostAttempt.sample(idle: .milliseconds(1000), announced: nil).isEarly)
    #expect(LostAttempt.sample(idle: .milliseconds(4400), announced: .seconds(5)).isEarly)
    #expect(!LostAttempt.sample(idle: .milliseconds(4600), announced: .seconds(5)).isEarly)
    #expect(!LostAttempt.sample(idle: .zero, announced: .zero).isEarly)
  }
}

extension LostAttempt {
  fileprivate static func sample(idle: Duration, announced: Duration?) -> LostAttempt {
    LostAttempt(sent: Instant(nanoseconds: 0), idle: idle, announced: announced)
  }
}
