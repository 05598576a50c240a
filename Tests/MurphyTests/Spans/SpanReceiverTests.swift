import Foundation
import MurphyModel
import MurphyServer
import Testing

@testable import Murphy

/// Exporters over real HTTP, and whole runs.
@Suite struct SpanReceiverTests {
  private static func post(
    _ receiver: SpanReceiver, _ headers: [String: String], _ body: [UInt8], to path: String = "/v1/traces"
  ) async throws -> Int {
    var request = TargetRequest(base: receiver.endpoint, path: path, failure: "cannot send the export")
    request.method = "POST"
    request.headers = headers.map { HeaderField($0.key, $0.value) }
    request.body = body
    return try await request.response().status
  }

  @Test func `bad exports get the status that tells their sender why`() async throws {
    let receiver = try await SpanReceiver.start(port: 0)
    let json = ["Content-Type": "application/json; charset=utf-8"]
    let binary = ["Content-Type": "application/x-protobuf"]
    #expect(try await Self.post(receiver, json, Array("{}".utf8)) == 200)
    #expect(try await Self.post(receiver, binary, []) == 200)
    #expect(try await Self.post(receiver, binary, [1], to: "/v1/metrics") == 200)
    #expect(try await Self.post(receiver, json, Array("{}".utf8), to: "/v1/logs") == 200)
    #expect(try await Self.post(receiver, json, [], to: "/v1/profiles") == 404)
    #expect(try await Self.post(receiver, json, Array("[".utf8)) == 400)
    #expect(try await Self.post(receiver, binary, [255]) == 400)
    #expect(try await Self.post(receiver, binary.merging(["Content-Encoding": "gzip"]) { $1 }, [1, 2]) == 400)
    #expect(try await Self.post(receiver, binary.merging(["Content-Encoding": "br"]) { $1 }, []) == 415)
    #expect(try await Self.post(receiver, ["Content-Type": "text/plain"], []) == 415)
    #expect(try await Self.post(receiver, json.merging(["Host": "evil.example"]) { $1 }, Array("{}".utf8)) == 403)
    #expect(try await Self.post(receiver, binary, Array(repeating: 0, count: 5 << 20)) == 413)
    #expect(receiver.collector.report([]).rejected == 6)
    await receiver.stop()
  }

  @Test func `a port that is in use is a sentence`() async throws {
    let receiver = try await SpanReceiver.start(port: 0)
    let port = try #require(URL(string: receiver.endpoint)?.port)
    let error = await #expect(throws: LiveError.self) { _ = try await SpanReceiver.start(port: port) }
    #expect(
      error?.description == "cannot receive spans on 127.0.0.1:\(port): the port is in use. Choose another port with "
        + "--otlp=PORT, or any free port with --otlp=0.")
    await receiver.stop()
  }

  @Test(arguments: ["murphys-laws?limits=off", "murphys-laws?limits=off&work=2"])
  func `the spans of an embedded API are joined with all requests`(_ system: String) async throws {
    try await withScenario(
      """
      name: spans
      contract: CONTRACT
      sessions:
        read: { steps: [{ call: listLaws, save: { ids: "$.data[*].id" } }, { call: getLaw, path: { id: "${pick(ids)}" } }] }
      load: [{ hold: 50/s, for: 2s }]
      expect: { budgets: { getLaw: { p95: 1us } } }
      """
    ) { file in
      let gate = try Gate.load(file, environment: [:])
      var options = RunOptions()
      options.target = try Target("embedded:" + system)
      options.spans = try await SpanReceiver.start(port: 0)
      let result = gate.judge(try await gate.run(options), options: options)
      await options.spans?.stop()
      let spans = try #require(result.spans)
      #expect(spans.incomplete + spans.late + spans.foreign + spans.dropped + spans.rejected == 0)
      #expect(spans.operations.map(\.operation) == ["listLaws", "getLaw"])
      for operation in spans.operations {
        #expect(operation.traces == operation.requests && operation.traces > 80)
        let names = ["check the limit", "query and encode", "read the request"]
        let parts = names + (system.contains("work") ? ["wait for a worker"] : [])
        let whole = operation.operation == "listLaws" ? "GET /api/v1/laws" : "GET /api/v1/laws/:id"
        #expect(operation.spans.map(\.name).sorted() == ([whole] + parts).sorted())
        #expect(
          operation.spans.allSatisfy { $0.perTrace == 1 } && operation.spans.first { $0.name == whole }?.kind == .server
        )
        #expect(abs(operation.spans.reduce(0) { $0 + $1.share } - 1) < 1e-6)
      }
      let finding = try #require(result.findings.first { $0.kind == .budgetLatency })
      #expect(
        finding.message.contains("of the self time in the slowest 5% of the requests is \""), "\(finding.message)")
    }
  }
}
