import Murphy
import MurphyHTTP
import MurphyJudge
import MurphyModel
import Testing
import WildServer

/// The prober's driver against a real server: moments, volleys, refusals, lost responses.
@Suite struct HTTPProbeTargetTests {
  /// Runs `body` with a driver on a loop of its own, against the reference API.
  private func drive<Value: Sendable>(
    _ settings: [(String, String)], request: HTTPRequest, timeout: Duration = .seconds(5),
    stop: StopSignal = StopSignal(), _ body: @escaping @Sendable (HTTPProbeTarget) async throws -> Value
  ) async throws -> Value {
    var options = ReferenceOptions()
    for (name, value) in settings { try options.set(name, to: value) }
    let server = try await ReferenceAPI.murphysLaws.start(options)
    let origin = try Origin(server.url)
    let resolved = try ResolvedHost(origin, TransportOptions())
    let loop = try EventLoop(number: 0)
    let result = await loop.submit { () async -> Result<Value, any Error> in
      var settings = TransportOptions()
      settings.timeout = timeout
      let transport = Transport(loop: loop, origin: origin, options: settings, resolved: resolved)
      defer { transport.close() }
      let target = HTTPProbeTarget(
        ProbeSubject(operation: request.target, base: request), transport: transport, stop: stop)
      do { return .success(try await body(target)) } catch { return .failure(error) }
    }.value
    loop.shutdown()
    await server.stop()
    return try result.get()
  }

  /// Nothing is awaited for longer than the probe may last, and nothing for less than a second.
  @Test func `the end of the probe cuts timeouts`() async throws {
    let server = try WildServer { _, connection in _ = connection.waitForClose(atMost: 60) }
    defer { server.stop() }
    let origin = try Origin(server.url)
    let resolved = try ResolvedHost(origin, TransportOptions())
    let loop = try EventLoop(number: 0)
    let observations = try await loop.submit { () async -> Result<[ProbeObservation], any Error> in
      let transport = Transport(loop: loop, origin: origin, options: TransportOptions(), resolved: resolved)
      defer { transport.close() }
      let target = HTTPProbeTarget(
        ProbeSubject(operation: "laws", base: Self.laws), transport: transport, time: .milliseconds(1500))
      do {
        return .success(try await target.send(ProbeVolley(at: 0, spacing: 0.001, requests: [.base, .base])))
      } catch {
        return .failure(error)
      }
    }.value.get()
    loop.shutdown()
    #expect(observations.map(\.decision) == [.unknown, .unknown])
    // The usual timeout is 30 s.
    #expect(observations.allSatisfy { 1...10 ~= $0.settled - $0.sent }, "\(observations)")
  }

  private static let laws = HTTPRequest(method: "GET", target: "/api/v1/laws?limit=1")

  @Test func `nothing is sent before its moment`() async throws {
    let volley = ProbeVolley(at: 0.05, spacing: 0.0007, requests: [ProbeRequest](repeating: .base, count: 60))
    let observations = try await drive([("limits", "off")], request: Self.laws) { try await $0.send(volley) }
    #expect(observations.count == 60)
    for observation in observations {
      #expect(observation.sent >= 0.05 + Double(observation.index) * 0.0007)
      #expect(observation.settled > observation.sent)
      #expect(observation.decision == .admitted)
    }
  }

  @Test func `a volley without spacing goes out together`() async throws {
    let volley = ProbeVolley(at: 0.3, spacing: 0, requests: [ProbeRequest](repeating: .base, count: 40))
    let (observations, log) = try await drive([("limits", "off")], request: Self.laws) {
      (try await $0.send(volley), $0.log)
    }
    #expect(observations.count == 40)
    // All are sent before the first response could be read: the loop does not turn in between.
    let lastSent = observations.map(\.sent).max() ?? 0
    let firstSettled = observations.map(\.settled).min() ?? 0
    #expect(lastSent < firstSettled)
    // As many again had opened the connections beforehand.
    #expect(log.observations.count == 80)
  }

  /// What was sent to open connections was admitted: the experiment that needs a fresh allowance waits for it.
  @Test func `a volley keeps its distance from what the prober does not see`() async throws {
    for quiet in [0, 1.5] {
      let volley = ProbeVolley(
        at: 0.6, spacing: 0, requests: [ProbeRequest](repeating: .base, count: 5), quiet: quiet)
      let (observations, log) = try await drive([("limits", "off")], request: Self.laws) {
        (try await $0.send(volley), $0.log)
      }
      #expect(log.observations.count == 10)
      let opened = log.observations.prefix(5).compactMap(\.answered).max() ?? log.start
      let first = try #require(observations.map(\.sent).min())
      #expect(first >= max(0.6, Double(opened - log.start) * 1e-9 + quiet))
    }
  }

  @Test func `rejections end a volley`() async throws {
    let volley = ProbeVolley(
      at: 0, spacing: 0.001, requests: [ProbeRequest](repeating: .base, count: 500), stopsAfterRefusals: 5)
    let observations = try await drive([("limit", "listLaws=20/60s")], request: Self.laws) {
      try await $0.send(volley)
    }
    #expect(observations.count { $0.decision == .admitted } == 20)
    let refused = observations.filter { $0.decision == .refused }
    #expect(refused.count >= 5)
    #expect(observations.count < 500)
    #expect(refused.allSatisfy { $0.status == 429 && ($0.retryAfter ?? 0) > 0 })
  }

  @Test func `lost responses are unknown`() async throws {
    let volley = ProbeVolley(at: 0, spacing: 0.001, requests: [ProbeRequest](repeating: .base, count: 60))
    let request = HTTPRequest(method: "GET", target: "/api/v1/laws/1")
    let (observations, log) = try await drive(
      [("limits", "off"), ("fault", "hang")], request: request, timeout: .seconds(2)
    ) { (try await $0.send(volley), $0.log) }
    // The fault leaves exactly one in 20 without a response.
    #expect(observations.count { $0.decision == .unknown } == 3)
    #expect(observations.count { $0.decision == .admitted } == 57)
    #expect(log.observations.count { $0.answered == nil } == 3)
  }

  @Test func `a stop ends a wait`() async throws {
    let stop = StopSignal()
    let volley = ProbeVolley(at: 60, spacing: 0, requests: [.base])
    await #expect(throws: ProbeInterruption.self) {
      try await drive([("limits", "off")], request: Self.laws, stop: stop) {
        stop.request()
        return try await $0.send(volley)
      }
    }
  }

  @Test func `variations are what they say`() {
    var subject = ProbeSubject(
      operation: "x", base: HTTPRequest(method: "GET", target: "/a?b=1", headers: [HeaderField("X-Device-ID", "me")]))
    subject.otherDevices = [[HeaderField("X-Device-ID", "you")]]
    subject.hasOtherAddresses = true
    func vary(_ dimension: ProbeDimension, _ fresh: Int) -> ProbeSubject.Outgoing {
      subject.outgoing(ProbeRequest(variant: ProbeVariant(dimension: dimension, number: 1)), fresh: fresh)
    }
    #expect(vary(.sourceAddress, 1).sourceAddress == "127.0.0.3")
    #expect(vary(.forwardedFor, 1).http.headers.last == HeaderField("X-Forwarded-For", "198.18.0.3"))
    #expect(vary(.forwarded, 1).http.headers.last == HeaderField("Forwarded", "for=198.18.0.3"))
    #expect(vary(.device, 1).http.headers == [HeaderField("X-Device-ID", "you")])
    #expect(vary(.query, 7).http.target == "/a?b=1&murphy=7")
    #expect(vary(.method, 7).http.method == "HEAD")
    #expect(Set((1...500).map { vary(.forwardedFor, $0).http.headers.last }).count == 500)
  }
}
