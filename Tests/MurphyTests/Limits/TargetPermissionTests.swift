import Murphy
import TestSupport
import Testing

/// What `murphy limits` refuses before it sends anything.
@Suite struct TargetPermissionTests {
  private func refusal(_ change: (inout LimitsOptions) throws -> Void) async throws -> GateError? {
    var options = LimitsOptions()
    try change(&options)
    let gate = try ProbeBench.gate("rate-limits")
    return await #expect(throws: GateError.self) { try await gate.probeLimits(options) }
  }

  @Test func `a target elsewhere needs a word`() async throws {
    // TEST-NET-1 of RFC 5737: nobody is there, and nothing is sent to it.
    let error = try await refusal { $0.target = try Target("http://192.0.2.1:8080") }
    #expect(error?.description.contains("--i-may-test-this-target") == true)
    #expect(error?.exitStatus == .usage)
  }

  @Test func `an unknown operation is named`() async throws {
    let error = try await refusal { $0.operation = "voteLaws" }
    #expect(error?.description.contains("Did you mean \"voteLaw\"?") == true)
  }

  @Test func `nobody at the target is unreachable`() async throws {
    let port = try FreePort.find()
    let error = try await refusal {
      $0.target = try Target("http://127.0.0.1:\(port)")
      $0.operation = "voteLaw"
    }
    #expect(error?.exitStatus == .unreachable)
  }
}
