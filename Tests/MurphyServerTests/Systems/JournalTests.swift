import MurphyServer
import Testing

@Suite(.serialized) struct JournalTests {
  private struct Device {
    var client: WireClient
    var token: String

    func send(_ method: String, _ path: String, _ body: String? = nil) async throws -> Exchange {
      try await client.send(method, "/v1" + path, headers: ["Authorization": "Bearer \(token)"], body: body)
    }

    func push(_ id: String, _ version: Int, _ content: String) async throws -> Exchange {
      try await send("PUT", "/entries/\(id)", #"{"version":\#(version),"content":"\#(content)"}"#)
    }
  }

  private static let entry = "0b0d3a52-5b0f-4a52-9b3f-2f7f6f0c1a11"

  private func device(_ client: WireClient, email: String = "ada@example.com") async throws -> Device {
    let answer = try await client.send("POST", "/v1/sessions", body: #"{"email":"\#(email)"}"#)
    #expect(answer.status == 201)
    return Device(client: client, token: try #require(answer.json["token"].string))
  }

  private func withJournal<T: Sendable>(
    fault: String? = nil, limits: String = "off", _ body: (WireClient) async throws -> T
  ) async throws -> T {
    try await withServer(
      [("limits", limits)] + (fault.map { [("fault", $0)] } ?? []), system: "journal", body)
  }

  @Test func `a push of the current version is saved, a smaller one meets the stored entry, a larger one is rejected`()
    async throws
  {
    try await withJournal { client in
      let device = try await device(client)
      let first = try await device.push(Self.entry, 0, "one")
      #expect(first.status == 201 && first.json["version"].int == 1)
      let second = try await device.push(Self.entry, 1, "two")
      #expect(second.status == 200 && second.json["version"].int == 2 && second.json["content"].string == "two")
      let late = try await device.push(Self.entry, 1, "late")
      #expect(late.status == 409 && late.json["error"]["code"].string == "conflict")
      #expect(late.json["entry"] == second.json)
      let early = try await device.push(Self.entry, 3, "early")
      #expect(early.status == 422 && early.json["error"]["currentVersion"].int == 2)
      #expect(try await device.send("GET", "/entries/\(Self.entry)").json == second.json)
    }
  }

  @Test(arguments: [nil, "version-twice"])
  func `of pushes that meet, one is saved`(fault: String?) async throws {
    let saved = try await withJournal(fault: fault) { client in
      let device = try await device(client)
      _ = try await device.push(Self.entry, 0, "one")
      return try await withThrowingTaskGroup(of: Int?.self) { group in
        for index in 0..<8 {
          group.addTask {
            let answer = try await device.push(Self.entry, 1, "push \(index)")
            return answer.status == 200 ? answer.json["version"].int : nil
          }
        }
        var versions: [Int] = []
        while let version = try await group.next() { if let version { versions.append(version) } }
        return versions
      }
    }
    #expect(saved.allSatisfy { $0 == 2 })
    #expect(fault == nil ? saved.count == 1 : saved.count > 1)
  }

  @Test func `a pull brings each change after the last sync once, the first first, and says where to go on`()
    async throws
  {
    try await withJournal { client in
      let device = try await device(client)
      let all = try await device.send("GET", "/entries").json
      #expect(all["entries"].elements.count == 3 && all["hasMore"] == .bool(false))
      let start = try #require(all["syncedAt"].string)
      let ids = (1...5).map { "0b0d3a52-5b0f-4a52-9b3f-2f7f6f0c1a1\($0)" }
      for id in ids { #expect(try await device.push(id, 0, "new").status == 201) }
      _ = try await device.push(ids[0], 1, "changed")
      var (since, seen) = (start, [String]())
      for _ in 0..<3 {
        let page = try await device.send("GET", "/entries?limit=2&lastSyncAt=\(since)").json
        seen += page["entries"].elements.compactMap { $0["id"].string }
        #expect(page["hasMore"] == .bool(seen.count < 5))
        since = try #require(page["syncedAt"].string)
      }
      #expect(seen == Array(ids.dropFirst()) + [ids[0]])
      #expect(try await device.send("GET", "/entries?lastSyncAt=\(since)").json["entries"].elements == [])
    }
  }

  @Test(arguments: [nil, "stream-skips-change"])
  func `a stream holds each change after the last sync in order, unless a fault skips some`(fault: String?) async throws
  {
    let settings = unlimited + [("time-scale", "0.005")] + (fault.map { [("fault", $0)] } ?? [])
    try await withServer(settings, system: "journal") { client in
      let device = try await device(client)
      let start = try #require(try await device.send("GET", "/entries").json["syncedAt"].string)
      for number in 1...3 { _ = try await device.push("0b0d3a52-5b0f-4a52-9b3f-2f7f6f0c1a1\(number)", 0, "\(number)") }
      func follow(_ since: String) async throws -> [String] {
        let stream = try await device.send("GET", "/changes?lastSyncAt=\(since)")
        #expect(stream.status == 200 && stream.headers["content-type"] == "text/event-stream" && stream.breach == nil)
        return stream.text.components(separatedBy: "\n\n").filter { $0.hasPrefix("id: ") }
      }
      let events = try await follow(start)
      #expect(events.count == (fault == nil ? 3 : 2))
      for (event, number) in zip(events, fault == nil ? [1, 2, 3] : [1, 3]) {
        #expect(event.contains("\nevent: entry\ndata: {") && event.contains("\"content\":\"\(number)\""), "\(event)")
      }
      let last = try #require(events.last?.dropFirst(4).prefix { $0 != "\n" })
      let later = try await follow(String(last))
      #expect(later == [])
      #expect(try await device.send("GET", "/changes?lastSyncAt=yesterday").status == 400)
    }
  }

  @Test func `devices of one author share entries, and no other author sees them`() async throws {
    try await withJournal { client in
      let (phone, tablet) = (try await device(client), try await device(client))
      let stranger = try await device(client, email: "ben@example.com")
      _ = try await phone.push(Self.entry, 0, "mine")
      #expect(try await tablet.send("GET", "/entries/\(Self.entry)").status == 200)
      #expect(try await stranger.send("GET", "/entries/\(Self.entry)").status == 404)
      #expect(try await stranger.push(Self.entry, 1, "not mine").status == 404)
      #expect(try await stranger.send("GET", "/entries").json["entries"].elements.count == 3)
      let nobody = try await client.send("GET", "/v1/entries")
      #expect(nobody.status == 401 && nobody.headers["www-authenticate"] == "Bearer")
    }
  }

  @Test func `a push token is kept once, whatever its platform, until it is removed`() async throws {
    try await withJournal { client in
      let device = try await device(client)
      func register(_ platform: String) async throws -> Exchange {
        try await device.send("POST", "/push-tokens", #"{"token":"token-0001","platform":"\#(platform)"}"#)
      }
      let (first, again) = (try await register("ios"), try await register("android"))
      #expect((first.status, again.status) == (201, 200) && first.json["id"] == again.json["id"])
      let listed = try await device.send("GET", "/push-tokens").json["pushTokens"].elements
      #expect(listed == [again.json])
      let id = try #require(first.json["id"].int)
      #expect(try await device.send("DELETE", "/push-tokens/\(id)").status == 204)
      #expect(try await device.send("DELETE", "/push-tokens/\(id)").status == 404)
      #expect(try await device.send("GET", "/push-tokens").json["pushTokens"].elements == [])
    }
  }

  @Test func `the limit counts by device, with a code that clients can read`() async throws {
    try await withJournal(limits: "on") { client in
      let device = try await device(client)
      var statuses: [Int] = []
      for _ in 0..<22 { statuses.append(try await device.send("GET", "/push-tokens").status) }
      #expect(statuses == Array(repeating: 200, count: 20) + [429, 429])
      let refused = try await device.send("GET", "/push-tokens")
      #expect(refused.json["error"]["code"].string == "rate_limited")
      #expect(refused.json["error"]["retryAfter"].int == refused.headers["retry-after"].flatMap { Int($0) })
      #expect(try await self.device(client).send("GET", "/push-tokens").status == 200)
    }
  }
}
