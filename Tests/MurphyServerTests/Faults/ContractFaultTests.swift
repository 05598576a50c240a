import Foundation
import MurphyServer
import Testing

/// Each fault is looked for in a server that has it, and in one that has not.
@Suite(.serialized) struct ContractFaultTests {
  @Test(arguments: Fault.all.filter { $0.family == .contract })
  func `a contract fault shows in the answer, and only in a server that has it`(fault: Fault) async throws {
    #expect(try await withServer(unlimited + [("fault", fault.name)]) { try await shows(fault, $0) })
    #expect(try await !withServer(unlimited) { try await shows(fault, $0) })
  }

  private func shows(_ fault: Fault, _ client: WireClient) async throws -> Bool {
    switch fault {
    case .missingField: return try await client.get("/laws/1").json["created_at"] == .null
    case .numberAsString: return try await client.get("/laws").json["data"][0]["upvotes"].string != nil
    case .nullField: return try await client.get("/law-of-day").json["featured_date"] == .null
    case .extraField: return try await client.get("/categories").json["data"][0].names.contains("row_version")
    case .badDate: return try await client.get("/laws/1").json["created_at"].string?.contains("T") == false
    case .badEnum:
      return try await client.get("/attributions").json["data"].elements.allSatisfy {
        $0["contact_type"].string == "fax"
      }
    case .longText: return try await client.get("/laws/1").json["text"].string.map { $0.count > 1000 } == true
    case .invalidUTF8: return try await String(validating: client.get("/laws/1").body, as: UTF8.self) == nil
    case .negativeTotal: return try await client.get("/laws").json["total"].int == -1
    case .fractionalCount: return try await client.vote("up", on: 1).json["upvotes"].int == nil
    case .objectForArray: return try await !client.get("/laws").json["data"].names.isEmpty
    case .pageTooLong: return try await client.get("/laws").json["data"].elements.count == 28
    case .undocumentedStatus: return try await client.vote("up", on: 1).status == 202
    case .teapot: return try await isOne(in: 4, { try await client.get("/laws/1") }) { $0.status == 418 }
    case .errorAs200:
      return try await isOne(in: 6, { try await client.get("/laws?limit=1") }) {
        $0.status == 200 && $0.json["error"].string != nil
      }
    case .serverError:
      return try await isOne(in: 10, { try await client.get("/laws?limit=1") }) { $0.status == 500 }
    case .htmlError:
      return try await isOne(in: 2, { try await client.get("/categories") }) {
        $0.status == 502 && $0.headers["content-type"]?.hasPrefix("text/html") == true
      }
    case .wrongContentType:
      return try await client.get("/laws").headers["content-type"]?.hasPrefix("text/plain") == true
    case .missingContentType: return try await client.get("/laws/1").headers["content-type"] == nil
    case .missingHeader: return try await client.get("/laws/1").headers["x-request-id"] == nil
    case .badHeader: return try await client.vote("up", on: 1).headers["x-request-id"] == "request-42"
    case .truncatedJSON:
      let answer = try await client.get("/laws/1")
      return answer.breach == nil && answer.json == .null
    case .emptyBody: return try await client.vote("up", on: 1).body.isEmpty
    case .bareError: return try await client.get("/laws/99999").json.names == ["error"]
    default:
      Issue.record("nothing shows \(fault.name)")
      return false
    }
  }

  /// Whether exactly two answers in two rounds of `period` are struck.
  private func isOne(
    in period: Int, _ send: () async throws -> Exchange, where isStruck: (Exchange) -> Bool
  ) async throws -> Bool {
    var struck = 0
    for _ in 0..<2 * period { struck += isStruck(try await send()) ? 1 : 0 }
    return struck == 2
  }
}
