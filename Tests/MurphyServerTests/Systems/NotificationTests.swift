import MurphyServer
import Testing

@Suite(.serialized) struct NotificationTests {
  private func send(_ client: WireClient, _ method: String, _ path: String, _ body: String? = nil) async throws
    -> Exchange
  {
    try await client.send(method, "/api/v1/notifications/" + path, body: body)
  }

  private func register(_ client: WireClient, time: String? = "07:30") async throws -> Exchange {
    let time = time.map { #","notification_time":"\#($0)""# } ?? ""
    return try await send(
      client, "POST", "register", #"{"device_id":"d-1","token":"fcm-0001","platform":"ios"\#(time)}"#)
  }

  @Test func `a device registers, chooses, reads what it chose, and leaves`() async throws {
    try await withServer(unlimited) { client in
      let registered = try await register(client)
      #expect(registered.status == 201 && registered.json["notification_enabled"] == .bool(true))
      #expect(registered.json["notification_time"].string == "07:30" && registered.json["timezone"].string == "UTC")
      let off = try await send(client, "PUT", "preferences", #"{"device_id":"d-1","notification_enabled":false}"#)
      #expect(off.json["notification_time"].string == "07:30" && off.json["notification_enabled"] == .bool(false))
      #expect(try await send(client, "GET", "preferences?device_id=d-1").json == off.json)
      #expect(try await register(client, time: nil).status == 200)
      #expect(try await send(client, "GET", "preferences?device_id=d-1").json["notification_time"].string == "09:00")
      #expect(try await send(client, "DELETE", "unregister", #"{"device_id":"d-1"}"#).status == 204)
      for answer in [
        try await send(client, "DELETE", "unregister", #"{"device_id":"d-1"}"#),
        try await send(client, "GET", "preferences?device_id=d-1"),
        try await send(client, "PUT", "preferences", #"{"device_id":"d-1","notification_enabled":true}"#),
      ] { #expect(answer.status == 404) }
    }
  }

  @Test(arguments: [
    ("notification_time", #""notification_time":"24:00""#), ("timezone", #""timezone":"Mars/Olympus""#),
    ("platform", #""platform":"vax""#), ("token", #""token":"short""#), ("device_id", #""device_id":"ä""#),
  ])
  func `a wrong field is named`(field: String, member: String) async throws {
    let known = ["device_id": #""device_id":"d-1""#, "token": #""token":"fcm-0001""#, "platform": #""platform":"ios""#]
    let members = known.filter { $0.key != field }.values + [member]
    let answer = try await withServer(unlimited) { client in
      try await send(client, "POST", "register", "{\(members.joined(separator: ","))}")
    }
    #expect(answer.status == 400 && answer.json["field"].string == field)
  }
}
