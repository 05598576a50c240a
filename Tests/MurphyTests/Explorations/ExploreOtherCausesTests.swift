import Foundation
import Murphy
import MurphyModel
import Synchronization
import TestSupport
import Testing
import WildServer

/// Bookings whose end must be after their start, with a set of tags that the server returns in another order.
@Suite(.serialized, .timed) struct ExploreOtherCausesTests {
  private static let contract = """
    openapi: 3.0.3
    info: { title: Bookings, version: "1" }
    paths:
      /bookings:
        post: { operationId: book, requestBody: { required: true, content: { application/json: { schema: &booking {
            type: object, required: [start_time, tags], properties: {
              start_time: { type: string, format: date-time }, end_time: { type: string, format: date-time },
              tags: { type: array, uniqueItems: true, items: { type: string } } } } } } },
          responses: { "201": &any { description: any, content: { application/json: { schema: { type: object,
            properties: { id: { type: integer } } } } } }, "400": *any } }
      /bookings/{id}:
        parameters: [{ name: id, in: path, required: true, schema: { type: integer } }]
        get: { operationId: getBooking, responses: { "200": *any, "400": *any, "404": *any } }
    """

  private static func explore() async throws -> RunResult {
    let bookings = Mutex<[String]>([])
    let server = try WildServer { request, connection in
      let parts = request.target.prefix { $0 != "?" }.split(separator: "/")
      func answer(_ status: Int, _ body: String) {
        connection.answer(status, body: request.method == "HEAD" ? "" : body)
      }
      if parts.count == 2, let id = Int(parts[1]) {
        let known = bookings.withLock { $0.indices.contains(id) ? $0[id] : nil }
        return answer(known == nil ? 404 : 200, known ?? "{}")
      }
      guard request.method == "POST", parts == ["bookings"] else { return answer(parts.count == 2 ? 400 : 404, "{}") }
      let sent = (try? JSONSerialization.jsonObject(with: Data(request.body))) as? [String: Any] ?? [:]
      let times = ["start_time", "end_time"].map { ($0, sent[$0] as? String) }
      let dates = times.map { $0.1.flatMap { try? Date($0, strategy: .iso8601) } }
      guard let start = dates[0], let tags = sent["tags"] as? [String], Set(tags).count == tags.count,
        sent["end_time"] == nil || dates[1] != nil
      else { return answer(400, #"{"error":"The booking is not valid"}"#) }
      if let end = dates[1], end <= start {
        return answer(400, #"{"error":"`start_time` must be earlier than `end_time`."}"#)
      }
      var booking: [String: Any] = ["tags": Array(tags.reversed())]
      for (name, time) in times { booking[name] = time }
      let body = bookings.withLock { bookings in
        booking["id"] = bookings.count
        let data = (try? JSONSerialization.data(withJSONObject: booking)) ?? Data()
        bookings.append(String(decoding: data, as: UTF8.self))
        return bookings[bookings.count - 1]
      }
      answer(201, body)
    }
    defer { server.stop() }
    return try await withTemporaryFolder { folder in
      try contract.write(toFile: folder + "/openapi.yaml", atomically: true, encoding: .utf8)
      var options = ExploreOptions(target: try Target(server.url))
      (options.seed, options.time) = (1, .seconds(20))
      return try await ContractExplorer.open(folder + "/openapi.yaml", options).run()
    }
  }

  @Test func `a relation of two fields and the order of a set are no errors`() async throws {
    let result = try await Self.explore()
    #expect(result.findings.filter { $0.kind == .exploreNotKept }.map(\.headline) == [])
    let refused = result.findings.filter { $0.kind == .exploreValidRefused && $0.message.contains("end_time") }
    #expect(!refused.isEmpty && refused.allSatisfy { $0.severity == .note }, "\(result.findings.map(\.headline))")
    #expect(refused.allSatisfy { $0.details.contains { $0.contains("names start_time") } }, "\(refused)")
  }
}
