import MurphyExamples
import MurphyServer
import Testing

@Suite(.serialized) struct MiloTests {
  private static let project = "6f1d3a52-5b0f-4a52-9b3f-2f7f6f0c1a11"
  private static let nobody = "ExponentPushToken[AAAAAAAAAAAAAAAAAAAAAA]"

  private func phone(_ number: Int) -> String { "0b0d3a52-5b0f-4a52-9b3f-2f7f6f0c1a1\(number)" }

  private func token(
    _ client: WireClient, _ number: Int, address: String = "apple", project: String = Self.project
  ) async throws -> String {
    let answer = try await post(
      client, "getExpoPushToken",
      #"{"deviceId":"\#(phone(number))","projectId":"\#(project)","appId":"milo","deviceToken":"\#(address)","type":"apns"}"#
    )
    return try #require(answer.json["data"]["expoPushToken"].string)
  }

  private func post(
    _ client: WireClient, _ path: String, _ body: String, token: String? = nil
  ) async throws -> Exchange {
    let headers = token.map { ["Authorization": "Bearer \($0)"] } ?? [:]
    return try await client.send("POST", "/--/api/v2/push/" + path, headers: headers, body: body)
  }

  private func receipts(_ client: WireClient, _ ids: [String]) async throws -> JSON {
    let list = ids.map { "\"\($0)\"" }.joined(separator: ",")
    return try await post(client, "getReceipts", #"{"ids":[\#(list)]}"#).json["data"]
  }

  private func withMilo<T: Sendable>(_ body: (WireClient) async throws -> T) async throws -> T {
    try await withServer([("time-scale", "20")], system: "milo", body)
  }

  @Test func `each message has its ticket, in order, and each phone shows its notification once`() async throws {
    try await withMilo { client in
      let (first, second) = (try await token(client, 1), try await token(client, 2))
      #expect(try await token(client, 1) == first && first != second)
      let begun = ContinuousClock.now
      let answer = try await post(
        client, "send",
        #"[{"to":["\#(first)","\#(Self.nobody)"],"title":"Hi","data":{"n":7}},{"to":"\#(second)","body":"there"}]"#)
      let tickets = answer.json["data"].elements
      #expect(tickets.map { $0["status"].string } == ["ok", "error", "ok"])
      #expect(tickets[1]["details"]["error"].string == "DeviceNotRegistered")
      #expect(tickets[1]["details"]["expoPushToken"].string == Self.nobody)
      let ids = tickets.compactMap { $0["id"].string }
      let early = try await receipts(client, ids).names
      #expect(early.isEmpty || ContinuousClock.now - begun >= .microseconds(MiloStore.receiptDelay))
      try await Task.sleep(for: .milliseconds(200))
      let receipts = try await receipts(client, ids + ["never-given"])
      #expect(receipts.names == Set(ids) && receipts[ids[0]]["status"].string == "ok")
      let shown = try await client.send("GET", "/phones/\(phone(1))/notifications").json
      #expect(shown["total"].int == 1 && shown["notifications"][0]["data"]["n"].int == 7)
      #expect(shown["notifications"][0]["id"].string == ids[0])
    }
  }

  @Test func `one message to one phone is answered with the ticket itself`() async throws {
    try await withMilo { client in
      let token = try await token(client, 1)
      #expect(try await post(client, "send", #"{"to":"\#(token)"}"#).json["data"]["status"].string == "ok")
      #expect(try await post(client, "send", #"[{"to":"\#(token)"}]"#).json["data"].elements.count == 1)
      #expect(try await post(client, "send", #"{"to":["\#(token)"]}"#).json["data"].elements.count == 1)
    }
  }

  @Test func `the first notification finds out that the app is gone, the next is told at once`() async throws {
    try await withMilo { client in
      let token = try await token(client, 1, address: "gone-17")
      let ticket = try await post(client, "send", #"{"to":"\#(token)"}"#).json["data"]
      let id = try #require(ticket["id"].string)
      try await Task.sleep(for: .milliseconds(200))
      #expect(try await receipts(client, [id])[id]["details"]["error"].string == "DeviceNotRegistered")
      let again = try await post(client, "send", #"{"to":"\#(token)"}"#).json["data"]
      #expect(again["details"]["error"].string == "DeviceNotRegistered")
      #expect(try await client.send("GET", "/phones/\(phone(1))/notifications").json["total"].int == 0)
    }
  }

  @Test func `a request that asks for too much is told the code that Expo has for it`() async throws {
    try await withMilo { client in
      let token = try await token(client, 1)
      let other = try await self.token(client, 2, project: "7f1d3a52-5b0f-4a52-9b3f-2f7f6f0c1a11")
      let many = Array(repeating: "\"\(token)\"", count: 101).joined(separator: ",")
      let ids = Array(repeating: "\"x\"", count: 1001).joined(separator: ",")
      let big = String(repeating: "x", count: 4096)
      for (path, body, code) in [
        ("send", #"{"to":[\#(many)]}"#, "PUSH_TOO_MANY_NOTIFICATIONS"),
        ("send", #"{"to":["\#(token)","\#(other)"]}"#, "PUSH_TOO_MANY_EXPERIENCE_IDS"),
        ("send", #"{"to":"\#(token)","sound":"siren.mp3"}"#, "VALIDATION_ERROR"), ("send", "[]", "VALIDATION_ERROR"),
        ("getReceipts", #"{"ids":[\#(ids)]}"#, "PUSH_TOO_MANY_RECEIPTS"),
      ] {
        let answer = try await post(client, path, body)
        #expect(answer.status == 400 && answer.json["errors"][0]["code"].string == code)
      }
      let ticket = try await post(client, "send", #"{"to":"\#(token)","body":"\#(big)"}"#).json["data"]["id"].string
      let id = try #require(ticket)
      try await Task.sleep(for: .milliseconds(200))
      #expect(try await receipts(client, [id])[id]["details"]["error"].string == "MessageTooBig")
    }
  }

  @Test(arguments: [(nil, [200, 429, 200]), ("limit-counts-requests" as String?, [200, 200, 200])])
  func `a project may notify 600 times a second, however few the requests`(fault: String?, expected: [Int]) async throws
  {
    let many = Array(repeating: "\"\(Self.nobody)\"", count: 100).joined(separator: ",")
    let statuses = try await withServer(
      [("time-scale", "600")] + (fault.map { [("fault", $0)] } ?? []), system: "milo"
    ) { client in
      var statuses: [Int] = []
      for _ in 0..<6 {
        statuses.append(try await post(client, "send", #"{"to":[\#(many)]}"#, token: "a").status)
      }
      let admitted = Set(statuses)
      #expect(admitted == [200])
      let next = try await post(client, "send", #"{"to":["\#(Self.nobody)"]}"#, token: "a").status
      let other = try await post(client, "send", #"{"to":["\#(Self.nobody)"]}"#, token: "b").status
      return [statuses[0], next, other]
    }
    #expect(statuses == expected)
  }
}
