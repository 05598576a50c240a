import MurphyServer
import Testing

/// The limits of the running server. Where the end of a window matters, the test moves the limiters' clock.
@Suite(.serialized) struct LimitTests {
  private func voteUntilRefused(_ client: WireClient, atMost: Int = 40) async throws -> (
    admitted: Int, refusal: Exchange?
  ) {
    for admitted in 0..<atMost {
      let answer = try await client.vote("up", on: 1)
      if answer.status == 429 { return (admitted, answer) }
      #expect(answer.status == 200)
    }
    return (atMost, nil)
  }

  @Test(arguments: LimiterAlgorithm.allCases)
  func `a rejection says when to come back, and then a request is admitted`(algorithm: LimiterAlgorithm) async throws {
    let clock = HandClock()
    let settings = [("limiter", algorithm.rawValue), ("limit", "votes=4/8s")]
    try await withServer(settings, clock: clock.limits) { client async throws in
      let (admitted, refusal) = try await voteUntilRefused(client)
      #expect(admitted == 4)
      let answer = try #require(refusal)
      let seconds = try #require(answer.headers["retry-after"].flatMap { Int($0) })
      #expect(1...9 ~= seconds)
      #expect(answer.json.names == ["error", "message", "retry_after"])
      #expect(answer.json["error"].string == "Rate limit exceeded" && answer.json["retry_after"].int == seconds)
      clock.pass(.seconds(seconds))
      #expect(try await client.vote("up", on: 1).status == 200)
    }
  }

  @Test func `the documented limits hold, and each operation but the votes has its own`() async throws {
    try await withServer([("time-scale", "10")]) { client async throws in
      let submission = #"{"text":"Limits are met one request early.","category_id":1}"#
      for _ in 0..<3 { #expect(try await client.post("/laws", submission).status == 201) }
      let refusal = try await client.post("/laws", submission)
      #expect(refusal.status == 429)
      #expect(refusal.json["message"].string?.hasPrefix("Too many submissions. Please try again in ") == true)
      for _ in 0..<60 { #expect(try await client.get("/laws/1").status == 200) }
      #expect(try await client.get("/laws/1").status == 429)
      #expect(try await client.get("/laws").status == 200)
    }
  }

  @Test func `votes given and taken back share a counter, and devices do not`() async throws {
    try await withServer([("limit", "voteLaw=3/10m")]) { client async throws in
      _ = try await client.vote("up", on: 1)
      _ = try await client.removeVote(on: 1)
      _ = try await client.vote("up", on: 2)
      #expect(try await client.removeVote(on: 2).status == 429)
      #expect(try await client.with(device: "device-2").vote("up", on: 1).status == 200)
      var other = client.with(device: nil)
      #expect(try await other.vote("up", on: 1).status == 200)
      other.source = "127.0.0.3"
      for _ in 0..<3 { #expect(try await other.vote("up", on: 1).status == 200) }
      #expect(try await other.vote("up", on: 1, headers: ["X-Forwarded-For": "10.0.0.1"]).status == 429)
    }
  }

  @Test func `a rejected vote is not counted as a vote`() async throws {
    try await withServer([("limit", "votes=1/10m")]) { client async throws in
      let counts = try await client.vote("up", on: 1).json
      #expect(try await client.vote("up", on: 2).status == 429)
      #expect(try await client.get("/laws/1").json["upvotes"] == counts["upvotes"])
      let other = try await client.with(device: "b").vote("down", on: 2).json
      #expect(try await client.get("/laws/2").json["upvotes"] == other["upvotes"])
    }
  }

  @Test func `requests that fail by themselves do not count`() async throws {
    try await withServer([("limit", "votes=2/10m")]) { client async throws in
      for _ in 0..<5 { #expect(try await client.vote("sideways", on: 1).status == 400) }
      for _ in 0..<5 { #expect(try await client.vote("up", on: 99999).status == 404) }
      #expect(try await voteUntilRefused(client).admitted == 2)
    }
  }

  @Test func `the time scale shortens windows and what Retry-After says`() async throws {
    let clock = HandClock()
    let settings = [("time-scale", "0.05"), ("limit", "votes=2/60s")]
    try await withServer(settings, clock: clock.limits) { client async throws in
      let refusal = try #require(try await voteUntilRefused(client).refusal)
      let seconds = try #require(refusal.headers["retry-after"].flatMap { Int($0) })
      #expect(1...3 ~= seconds)
      clock.pass(.seconds(seconds))
      #expect(try await client.vote("up", on: 1).status == 200)
    }
  }

  @Test(arguments: [
    (RateHeaders.xRateLimit, ["x-ratelimit-limit": "3", "x-ratelimit-remaining": "2", "x-ratelimit-reset": "60"]),
    (
      .draft3,
      [
        "ratelimit-policy": "3;w=60", "ratelimit-limit": "3", "ratelimit-remaining": "2", "ratelimit-reset": "60",
      ]
    ),
    (.draft7, ["ratelimit-policy": "3;w=60", "ratelimit": "limit=3, remaining=2, reset=60"]),
    (.draft10, ["ratelimit-policy": #""votes";q=3;w=60"#, "ratelimit": #""votes";r=2;t=60"#]),
  ])
  func `responses tell of the limit in the dialect that was asked for`(
    headers: RateHeaders, expected: [String: String]
  ) async throws {
    try await withServer([("rate-headers", headers.rawValue), ("limit", "votes=3/60s")]) { client async throws in
      let answer = try await client.vote("up", on: 1)
      #expect(answer.headers.filter { $0.key.contains("ratelimit") } == expected)
    }
  }

  @Test func `a server without limits rejects nobody`() async throws {
    try await withServer(unlimited) { client async throws in
      #expect(try await voteUntilRefused(client).refusal == nil)
    }
  }
}
