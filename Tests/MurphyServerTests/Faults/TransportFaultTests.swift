import MurphyServer
import Testing

@Suite(.serialized) struct TransportFaultTests {
  @Test(arguments: ReferenceAPI.murphysLaws.faults.filter { $0.family == .transport }.map(\.name))
  func `a transport fault breaks the connection, and only in a server that has it`(fault: String) async throws {
    #expect(try await withServer(unlimited + [("fault", fault)]) { try await shows(fault, $0) })
    #expect(try await !withServer(unlimited) { try await shows(fault, $0) })
  }

  private func shows(_ fault: String, _ client: WireClient) async throws -> Bool {
    var client = client
    switch fault {
    case "reset":
      return try await breaches(20, "/laws/1", client).filter { $0 == .reset }.count == 2
    case "cut-body":
      return try await breaches(20, "/laws", client).filter { $0 == .closedEarly || $0 == .reset }.count == 2
    case "garbage":
      return try await breaches(20, "/laws/1", client).filter { $0 == .notHTTP }.count == 2
    case "hang":
      client.timeout = .seconds(2)
      return try await breaches(20, "/laws/1", client).filter { $0 == .timeout }.count == 1
    case "huge-body": return try await client.get("/attributions").body.count > 99_000_000
    case "slow-body": return try await client.get("/attributions").elapsed > .seconds(5)
    case "early-close":
      let request = "GET /api/v1/laws/1 HTTP/1.1\r\nHost: localhost\r\n\r\n"
      client.timeout = .seconds(2)
      let first = try await client.exchange(request)
      // A whole response and then the end; a server that keeps its word waits for the next request until we give up.
      return first.status == 200 && first.elapsed < .seconds(2) && first.headers["connection"] != "close"
    default:
      Issue.record("nothing shows \(fault)")
      return false
    }
  }

  private func breaches(_ count: Int, _ path: String, _ client: WireClient) async throws -> [Exchange.Breach] {
    var breaches: [Exchange.Breach] = []
    for _ in 0..<count {
      if let breach = try await client.get(path).breach { breaches.append(breach) }
    }
    return breaches
  }
}
