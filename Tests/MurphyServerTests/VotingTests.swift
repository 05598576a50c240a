import Foundation
import MurphyServer
import Testing

@Suite(.serialized) struct VotingTests {
  private func counts(_ answer: Exchange) -> [Int?] { [answer.json["upvotes"].int, answer.json["downvotes"].int] }

  @Test func `a vote counts once, moves, and is taken back`() async throws {
    try await withServer(unlimited) { client async throws in
      let before = try await client.get("/laws/50")
      let (up, down) = (try #require(before.json["upvotes"].int), try #require(before.json["downvotes"].int))
      #expect(counts(try await client.vote("up", on: 50)) == [up + 1, down])
      #expect(counts(try await client.vote("up", on: 50)) == [up + 1, down])
      #expect(counts(try await client.vote("down", on: 50)) == [up, down + 1])
      #expect(counts(try await client.get("/laws/50")) == [up, down + 1])
      #expect(counts(try await client.removeVote(on: 50)) == [up, down])
      #expect(counts(try await client.removeVote(on: 50)) == [up, down])
    }
  }

  @Test func `the votes of many at once are all counted`() async throws {
    try await withServer(unlimited + [("threads", "2")]) { client async throws in
      let before = try #require(try await client.get("/laws/9").json["upvotes"].int)
      try await withThrowingTaskGroup(of: Void.self) { group in
        for voter in 0..<40 {
          group.addTask {
            let voter = client.with(device: "voter-\(voter)")
            for direction in ["up", "down", "up", "up"] {
              let answer = try await voter.vote(direction, on: 9)
              #expect(answer.status == 200)
            }
          }
        }
        try await group.waitForAll()
      }
      #expect(try await client.get("/laws/9").json["upvotes"].int == before + 40)
    }
  }

  @Test func `without a device the address votes, and forwarding headers are not believed`() async throws {
    try await withServer(unlimited) { client async throws in
      var here = client.with(device: nil)
      let before = try #require(try await client.get("/laws/3").json["upvotes"].int)
      _ = try await here.vote("up", on: 3)
      let forged = try await here.vote("up", on: 3, headers: ["X-Forwarded-For": "10.1.2.3", "X-Real-IP": "10.1.2.3"])
      #expect(forged.json["upvotes"].int == before + 1)
      here.source = "127.0.0.2"
      #expect(try await here.vote("up", on: 3).json["upvotes"].int == before + 2)
    }
  }

  @Test func `votes survive the server in its database file`() async throws {
    let file = FileManager.default.temporaryDirectory.appendingPathComponent("murphy-\(UUID().uuidString).sqlite").path
    defer { for suffix in ["", "-wal", "-shm"] { try? FileManager.default.removeItem(atPath: file + suffix) } }
    var options = ReferenceOptions()
    options.database = file
    let first = try await ReferenceAPI.murphysLaws.start(options)
    let voted = try await WireClient(port: first.port, device: "a").vote("up", on: 12)
    await first.stop()
    let second = try await ReferenceAPI.murphysLaws.start(options)
    let again = try await WireClient(port: second.port, device: "a").vote("up", on: 12)
    await second.stop()
    #expect(voted.status == 200 && voted.json == again.json)
  }
}
