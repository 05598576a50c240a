import MurphyServer
import Testing

/// Only lower bounds are asked for: a delay that was asked for is never shorter, whatever else the machine does.
@Suite(.serialized) struct LatencyFaultTests {
  @Test(arguments: ReferenceAPI.murphysLaws.faults.filter { $0.family == .latency }.map(\.name))
  func `a latency fault makes its operation wait`(fault: String) async throws {
    let settings = fault == "slow-429" ? [("limit", "votes=1/60s")] : unlimited
    #expect(try await withServer(settings + [("fault", fault)]) { try await shows(fault, $0) })
  }

  private func shows(_ fault: String, _ client: WireClient) async throws -> Bool {
    switch fault {
    case "slow-list": return try await client.get("/laws").elapsed >= .milliseconds(600)
    case "slow-vote": return try await client.vote("up", on: 1).elapsed >= .milliseconds(500)
    case "serial-votes":
      let longest = try await withThrowingTaskGroup(of: Duration.self) { group in
        for voter in 0..<6 {
          group.addTask { try await client.with(device: "v\(voter)").vote("up", on: voter + 1).elapsed }
        }
        return try await group.reduce(Duration.zero, max)
      }
      return longest >= .milliseconds(500)
    case "busy-list":
      // Twelve at a time: the ninth and those after it wait.
      let longest = try await withThrowingTaskGroup(of: Duration.self) { group in
        for _ in 0..<12 { group.addTask { try await client.get("/laws").elapsed } }
        return try await group.reduce(Duration.zero, max)
      }
      return longest >= .milliseconds(900)
    case "stall":
      // One after the other would do, but on a busy machine none of them might fall into the two seconds.
      let longest = try await withThrowingTaskGroup(of: Duration.self) { group in
        for index in 0..<20 {
          group.addTask {
            try await Task.sleep(for: .milliseconds(200 * index))
            return try await client.get("/laws/1").elapsed
          }
        }
        return try await group.reduce(Duration.zero, max)
      }
      return longest >= .milliseconds(500)
    case "growing-delay":
      _ = try await client.get("/laws/1")
      try await Task.sleep(for: .seconds(3))
      return try await client.get("/laws/1").elapsed >= .milliseconds(300)
    case "slow-tail":
      var slow = 0
      for _ in 0..<20 { slow += try await client.get("/laws/1").elapsed >= .milliseconds(1500) ? 1 : 0 }
      return slow >= 1
    case "slow-start": return try await client.get("/laws/1").elapsed >= .seconds(1)
    case "slow-429":
      _ = try await client.vote("up", on: 1)
      let refusal = try await client.vote("up", on: 1)
      return refusal.status == 429 && refusal.elapsed >= .milliseconds(1500)
    default:
      Issue.record("nothing shows \(fault)")
      return false
    }
  }
}

@Suite struct RegressionFaultTests {
  @Test(arguments: ReferenceAPI.murphysLaws.faults.filter { $0.family == .regression }.map(\.name))
  func `a regression fault leaves the responses as they are`(fault: String) async throws {
    let honest = try await withServer(unlimited) { try await $0.get("/laws").body }
    let slower = try await withServer(unlimited + [("fault", fault)]) { try await $0.get("/laws").body }
    #expect(honest == slower)
  }

  @Test func `stretched work takes longer by its share`() async throws {
    for milliseconds in [1, 60] {
      let clock = ContinuousClock()
      var work = Duration.zero
      let whole = try await clock.measure {
        try await WorkStretch.stretch(by: { _ in 0.5 }) {
          work = try await clock.measure { try await Task.sleep(for: .milliseconds(milliseconds)) }
        }
      }
      #expect(whole >= work * 1.5)
    }
  }
}
