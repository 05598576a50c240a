import Foundation
import MurphyServer
import Testing

/// Each fault is looked for in a server that has it, and in one that has not.
@Suite(.serialized) struct ContractFaultTests {
  @Test(arguments: ReferenceAPI.murphysLaws.faults.filter { $0.family == .contract }.map(\.name))
  func `a contract fault shows in the response, and only in a server that has it`(fault: String) async throws {
    #expect(try await withServer(unlimited + [("fault", fault)]) { try await shows(fault, $0) })
    #expect(try await !withServer(unlimited) { try await shows(fault, $0) })
  }

  private func shows(_ fault: String, _ client: WireClient) async throws -> Bool {
    switch fault {
    case "missing-field": return try await client.get("/laws/1").json["created_at"] == .null
    case "number-as-string": return try await client.get("/laws").json["data"][0]["upvotes"].string != nil
    case "null-field": return try await client.get("/law-of-day").json["featured_date"] == .null
    case "extra-field": return try await client.get("/categories").json["data"][0].names.contains("row_version")
    case "bad-date": return try await client.get("/laws/1").json["created_at"].string?.contains("T") == false
    case "bad-enum":
      return try await client.get("/attributions").json["data"].elements.allSatisfy {
        $0["contact_type"].string == "fax"
      }
    case "long-text": return try await client.get("/laws/1").json["text"].string.map { $0.count > 1000 } == true
    case "invalid-utf8": return try await String(validating: client.get("/laws/1").body, as: UTF8.self) == nil
    case "negative-total": return try await client.get("/laws").json["total"].int == -1
    case "fractional-count": return try await client.vote("up", on: 1).json["upvotes"].int == nil
    case "object-for-array": return try await !client.get("/laws").json["data"].names.isEmpty
    case "page-too-long": return try await client.get("/laws").json["data"].elements.count == 28
    case "undocumented-status": return try await client.vote("up", on: 1).status == 202
    case "teapot": return try await isOne(in: 4, { try await client.get("/laws/1") }) { $0.status == 418 }
    case "error-as-200":
      return try await isOne(in: 6, { try await client.get("/laws?limit=1") }) {
        $0.status == 200 && $0.json["error"].string != nil
      }
    case "server-error":
      return try await isOne(in: 10, { try await client.get("/laws?limit=1") }) { $0.status == 500 }
    case "html-error":
      return try await isOne(in: 2, { try await client.get("/categories") }) {
        $0.status == 502 && $0.headers["content-type"]?.hasPrefix("text/html") == true
      }
    case "wrong-content-type":
      return try await client.get("/laws").headers["content-type"]?.hasPrefix("text/plain") == true
    case "missing-content-type": return try await client.get("/laws/1").headers["content-type"] == nil
    case "missing-header": return try await client.get("/laws/1").headers["x-request-id"] == nil
    case "bad-header": return try await client.vote("up", on: 1).headers["x-request-id"] == "request-42"
    case "truncated-json":
      let answer = try await client.get("/laws/1")
      return answer.breach == nil && answer.json == .null
    case "empty-body": return try await client.vote("up", on: 1).body.isEmpty
    case "bare-error": return try await client.get("/laws/99999").json.names == ["error"]
    case "time-with-seconds", "enabled-as-number":
      let device = #"{"device_id":"a","token":"fcm-0001","platform":"ios"}"#
      _ = try await client.post("/notifications/register", device)
      let changed = try await client.send(
        "PUT", "/api/v1/notifications/preferences", body: #"{"device_id":"a","notification_enabled":true}"#)
      let read = try await client.get("/notifications/preferences?device_id=a")
      return changed.json["notification_enabled"].int == 1 || read.json["notification_time"].string == "09:00:00"
    default:
      Issue.record("nothing shows \(fault)")
      return false
    }
  }

  /// Whether exactly two responses in two rounds of `period` are struck.
  private func isOne(
    in period: Int, _ send: () async throws -> Exchange, where isStruck: (Exchange) -> Bool
  ) async throws -> Bool {
    var struck = 0
    for _ in 0..<2 * period { struck += isStruck(try await send()) ? 1 : 0 }
    return struck == 2
  }
}
