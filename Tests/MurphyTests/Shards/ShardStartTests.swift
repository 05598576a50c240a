import Foundation
import Murphy
import MurphyEngine
import MurphyHTTP
import MurphyModel
import TestSupport
import Testing
import WildServer

/// When a shard begins, and by whose clock.
@Suite(.timed) struct ShardStartTests {
  /// A server whose clock is so many seconds ahead.
  private func server(ahead: Double) throws -> WildServer {
    try WildServer { _, connection in
      var date = Date(timeIntervalSinceNow: ahead)
      date = Date(timeIntervalSince1970: date.timeIntervalSince1970.rounded(.down))
      let format = DateFormatter()
      format.locale = Locale(identifier: "en_US_POSIX")
      format.timeZone = TimeZone(identifier: "GMT")
      format.dateFormat = "EEE, dd MMM yyyy HH:mm:ss 'GMT'"
      connection.answer(headers: ["Date": format.string(from: date)], body: ShopAPI.body)
    }
  }

  @Test(arguments: [5.0, -40.0])
  func `the targets date says how the clocks differ`(ahead: Double) async throws {
    let server = try server(ahead: ahead)
    defer { server.stop() }
    let bound = try await onThread { TargetClock.bound(try Origin(server.url), TransportOptions()) }
    let found = try #require(bound)
    #expect(found.reference == .target && found.low <= ahead && ahead <= found.high && found.width < 0.5, "\(found)")
    #expect(abs((found.disagreement?.inSeconds ?? 0) - ahead) < 0.3)
  }

  @Test func `a target without dates says nothing`() async throws {
    let server = try WildServer { _, connection in connection.answer(body: ShopAPI.body) }
    defer { server.stop() }
    #expect(try await onThread { TargetClock.bound(try Origin(server.url), TransportOptions()) } == nil)
    #expect(server.requests.count == 1, "it is not asked again")
    #expect(try await onThread { TargetClock.bound(try Origin("http://127.0.0.1:1"), TransportOptions()) } == nil)
  }

  /// Where nothing else tells this machine's clock, the start is moved to the target's.
  @Test func `a clock that is off moves the start`() async throws {
    let server = try server(ahead: -3)
    defer { server.stop() }
    let scenario = ShopAPI.scenario(url: server.url, steps: "- call: listItems", load: "[{ hold: 20/s, for: 1s }]")
    try await ShopAPI.withFiles(scenario) { file in
      let gate = try Gate.load(file, environment: [:])
      var options = RunOptions()
      options.target = try Target(server.url)
      options.seed = 3
      var shard = ShardChoice(number: 1, of: 2, origin: "the test")
      let wanted = Int64(Date().timeIntervalSince1970 * 1e9) + 4_000_000_000
      shard.start = StartTime(nanoseconds: wanted)
      options.shard = shard
      let measured = try await gate.measure(options)
      let info = try #require(measured.record.info.shard)
      // chrony, where this machine runs it, is believed before a target.
      let expected = MachineClock.bounds(folder: nil).isEmpty ? 3.0 : 0
      #expect(abs((info.corrected?.inSeconds ?? 0) - expected) < 0.3, "\(String(describing: info.corrected))")
      // By its own clock three seconds later, which is the moment that was asked for by the target's.
      #expect(abs(Double(info.clock.wall - wanted) / 1e9 - expected) < 0.5)
      #expect(info.late < .milliseconds(500))
      let result = gate.judge(measured.record, options: options)
      #expect(
        result.verdict == .shard && result.reasons.contains { $0.contains("clock is off by") } == (expected > 0),
        "\(result.reasons)")
    }
  }

  @Test func `what a start is corrected by`() throws {
    let chrony = ClockBound(.chrony, low: -0.01, high: 0.01)
    let folder = ClockBound(.folder, low: 1.9, high: 2.1)
    let target = ClockBound(.target, low: -7.2, high: -6.8)
    let moment = StartTime(nanoseconds: 0)
    let agreed = StartTime(nanoseconds: 0, folder: "/shared")
    #expect(moment.correction([]) == nil && agreed.correction([chrony]) == nil)
    #expect(moment.correction([chrony, target]) == nil, "a time service is right")
    #expect(moment.correction([target]) == .seconds(7))
    #expect(agreed.correction([chrony, folder]) == .seconds(-2), "the moment is by the folder's clock")
  }
}
