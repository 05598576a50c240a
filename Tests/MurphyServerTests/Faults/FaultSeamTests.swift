import MurphyServer
import Testing

/// A fault is one value: what is declared here is in no list of the server, and shows over HTTP like any other.
@Suite struct FaultSeamTests {
  private static let shouting = Fault(
    "shouting-titles", .contract, on: .getLaw, frequency: .oneIn(2), "getLaw sends one title in 2 in capital letters",
    .body { $0.change("title") { $0.uppercased() } })

  private static let slow = Fault("slow-categories", .latency, on: .listCategories, "…", .delay(.milliseconds(300)))

  @Test func `a fault that a test declares shows on its operation, as often as it says`() async throws {
    let honest = try await withServer(unlimited) { try await titles($0) }
    let faulty = try await withServer(unlimited, faults: [Self.shouting]) { try await titles($0) }
    #expect(honest.laws == Array(repeating: honest.laws[0], count: 8))
    #expect(honest.laws[0] != honest.laws[0].uppercased())
    for pair in stride(from: 0, to: 8, by: 2) {
      #expect(Set(faulty.laws[pair..<pair + 2]) == [honest.laws[0], honest.laws[0].uppercased()])
    }
    #expect(faulty.category == honest.category)
  }

  @Test func `faults of two hooks show together, each on its own operation`() async throws {
    let faulty = try await withServer(unlimited, faults: [Self.shouting, Self.slow]) { client in
      (try await titles(client), try await client.get("/categories").elapsed)
    }
    #expect(faulty.0.laws.contains { $0 == $0.uppercased() } && faulty.1 >= .milliseconds(300))
  }

  private func titles(_ client: WireClient) async throws -> (laws: [String], category: String?) {
    var laws: [String] = []
    for _ in 0..<8 { laws.append(try #require(try await client.get("/laws/1").json["title"].string)) }
    return (laws, try await client.get("/categories").json["data"][0]["title"].string)
  }
}
