import MurphyServer
import Testing

@Suite(.serialized) struct StateFaultTests {
  @Test(arguments: ReferenceAPI.murphysLaws.faults.filter { $0.family == .state }.map(\.name))
  func `a state fault shows to who keeps count, and only in a server that has it`(fault: String) async throws {
    // A vote can only be refused by a limiter.
    let settings = fault == "refused-vote-counted" ? [("limit", "votes=1/60s")] : unlimited
    #expect(try await withServer(settings + [("fault", fault)]) { try await shows(fault, $0) })
    #expect(try await !withServer(settings) { try await shows(fault, $0) })
  }

  private func shows(_ fault: String, _ client: WireClient) async throws -> Bool {
    switch fault {
    case "lost-vote": return try await gained(by: 8, on: 1, client) == 6
    case "double-vote": return try await gained(by: 8, on: 1, client) == 10
    case "wrong-law-vote":
      let neighbour = try await upvotes(of: 2, client)
      let gained = try await gained(by: 8, on: 1, client)
      let after = try await upvotes(of: 2, client)
      return gained == 6 && after == neighbour + 2
    case "repeat-vote":
      let first = try await client.vote("up", on: 1).json["upvotes"].int ?? 0
      return try await client.vote("up", on: 1).json["upvotes"].int == first + 1
    case "repeat-takes-back":
      let first = try await client.vote("up", on: 1).json["upvotes"].int ?? 0
      return try await client.vote("up", on: 1).json["upvotes"].int == first - 1
    case "vote-flips-back":
      let voted = try await client.vote("up", on: 1).json["upvotes"].int ?? 0
      let before = try await upvotes(of: 1, client)
      try await Task.sleep(for: .milliseconds(1500))
      let after = try await upvotes(of: 1, client)
      return before == voted && after == voted - 1
    case "vote-race":
      let before = try await upvotes(of: 1, client)
      try await withThrowingTaskGroup(of: Void.self) { group in
        for voter in 0..<20 { group.addTask { _ = try await client.with(device: "v\(voter)").vote("up", on: 1) } }
        try await group.waitForAll()
      }
      return try await upvotes(of: 1, client) < before + 20
    case "removed-vote-stays":
      let voted = try await client.vote("up", on: 1).json["upvotes"].int ?? 0
      let removed = try await client.removeVote(on: 1)
      let after = try await upvotes(of: 1, client)
      return removed.status == 200 && after == voted
    case "changed-vote-adds":
      let voted = try await client.vote("up", on: 1).json["upvotes"].int ?? 0
      return try await client.vote("down", on: 1).json["upvotes"].int == voted
    case "refused-vote-counted":
      let voted = try await client.vote("up", on: 2).json["upvotes"].int
      let before = try await upvotes(of: 1, client)
      let refused = try await client.vote("down", on: 1).status
      let after = try await upvotes(of: 1, client)
      return voted != nil && refused == 429 && after == before + 1
    case "votes-written-late":
      let before = try await upvotes(of: 1, client)
      let voted = try await client.vote("up", on: 1).json["upvotes"].int
      let after = try await upvotes(of: 1, client)
      return voted == before + 1 && after == before
    case "stale-lists":
      let before = try await client.get("/laws?sort=id&order=asc").json["data"][0]["upvotes"].int
      _ = try await client.vote("up", on: 1)
      return try await client.get("/laws?sort=id&order=asc").json["data"][0]["upvotes"].int == before
    case "stale-reads":
      let before = try await upvotes(of: 1, client)
      _ = try await client.vote("up", on: 1)
      return try await upvotes(of: 1, client) == before
    case "counts-go-back":
      for _ in 0..<4 { _ = try await client.get("/laws/1") }
      _ = try await client.vote("up", on: 1)
      var seen: [Int] = []
      for _ in 0..<6 { seen.append(try await upvotes(of: 1, client)) }
      return zip(seen, seen.dropFirst()).contains { $0 > $1 }
    case "changing-law-of-day":
      var ids = Set<Int?>()
      for _ in 0..<4 { ids.insert(try await client.get("/law-of-day").json["law"]["id"].int) }
      return ids.count > 1
    case "duplicates-across-pages":
      let first = try await client.get("/laws?sort=id").json["data"].elements
      return try await client.get("/laws?sort=id&offset=25").json["data"][0] == first.last
    case "unsorted-list":
      let ids = try await client.get("/laws?sort=id&order=asc").json["data"].elements.compactMap { $0["id"].int }
      return ids != ids.sorted() && ids.sorted() == Array(1...25)
    case "filter-ignored": return try await client.get("/laws?category_id=3").json["total"].int == 1234
    case "shifting-total":
      var totals = Set<Int?>()
      for _ in 0..<4 { totals.insert(try await client.get("/laws?limit=1").json["total"].int) }
      return totals.count > 1
    case "repeated-id":
      let body = #"{"text":"Identity is a matter of trust.","category_id":1}"#
      let first = try await client.post("/laws", body).json["id"]
      return try await client.post("/laws", body).json["id"] == first
    case "preferences-lost", "preferences-stale", "time-reset", "unregistered-device-stays":
      return try await showsInPreferences(fault, client)
    case "preferences-mixed-up":
      for device in ["a", "b"] { _ = try await register(device, client) }
      async let first = client.get("/notifications/preferences?device_id=a")
      async let second = client.get("/notifications/preferences?device_id=b")
      return try await first.json["device_id"] == second.json["device_id"]
    default:
      Issue.record("nothing shows \(fault)")
      return false
    }
  }

  private func register(_ device: String, _ client: WireClient) async throws -> Exchange {
    try await client.post(
      "/notifications/register",
      #"{"device_id":"\#(device)","token":"fcm-0001","platform":"ios","notification_time":"07:30"}"#)
  }

  private func showsInPreferences(_ fault: String, _ client: WireClient) async throws -> Bool {
    func read() async throws -> Exchange { try await client.get("/notifications/preferences?device_id=a") }
    _ = try await register("a", client)
    _ = try await read()
    var stale = 0
    for isEnabled in [false, true, false] {
      let body = #"{"device_id":"a","notification_enabled":\#(isEnabled)}"#
      let changed = try await client.send("PUT", "/api/v1/notifications/preferences", body: body).json
      #expect(changed["notification_enabled"] == .bool(isEnabled))
      if try await read().json["notification_enabled"] != .bool(isEnabled) { stale += 1 }
    }
    let isReset = try await read().json["notification_time"].string != "07:30"
    let path = "/api/v1/notifications/unregister"
    #expect(try await client.send("DELETE", path, body: #"{"device_id":"a"}"#).status == 204)
    let stays = try await read().status == 200
    return switch fault {
    case "time-reset": isReset
    case "unregistered-device-stays": stays
    default: stale > 0
    }
  }

  private func upvotes(of law: Int, _ client: WireClient) async throws -> Int {
    try #require(try await client.get("/laws/\(law)").json["upvotes"].int)
  }

  /// What the law has gained when so many have voted for it, one after the other, each with the server's blessing.
  private func gained(by voters: Int, on law: Int, _ client: WireClient) async throws -> Int {
    let before = try await upvotes(of: law, client)
    for voter in 0..<voters {
      let answer = try await client.with(device: "voter-\(voter)").vote("up", on: law)
      #expect(answer.status == 200)
    }
    return try await upvotes(of: law, client) - before
  }
}
