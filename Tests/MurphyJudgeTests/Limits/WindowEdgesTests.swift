import MurphyJudge
import MurphyModel
import Testing

/// Several keys that were admitted more than once the allowance: no limit of that size was kept.
@Suite struct WindowEdgesTests {
  /// Two servers with a counter of 30 each, between which requests alternate: 80 of each device within 8 s.
  private static func twoCounters(devices: Int, restart: Bool = false) -> LogBuilder {
    var builder = LogBuilder()
    for device in 0..<devices {
      for index in 0..<80 {
        let sent = 1 + Double(device) * 3.7 + Double(index) * 0.1
        builder.add(sent, sent + 0.01, index < 58 || index == 60 || index == 62 ? 200 : 429, device: "device-\(device)")
      }
      let later = 90 + Double(device)
      if restart { builder.add(later, later + 0.01, 200, device: "device-\(device)") }
    }
    return builder
  }

  private static func row(_ builder: LogBuilder, _ algorithm: LimitAlgorithm) -> LimitRow {
    LimitJudge.judge(log: builder.log, policies: [LimitJudgeTests.policy(algorithm)]).rows[0]
  }

  @Test(arguments: [LimitAlgorithm.any, .fixed, .fixedAligned], [false, true])
  func `two counters behind one address are never one limit that was kept`(
    _ algorithm: LimitAlgorithm, _ restart: Bool
  ) {
    let row = Self.row(Self.twoCounters(devices: 6, restart: restart), algorithm)
    #expect(row.verdict != .consistent, "\(row.sentence)")
    if row.verdict == .inconclusive {
      #expect(row.isOpen)
      #expect(row.tests?.first?.outcome == .notTested)
      #expect(row.sentence.contains("6 of 6 keys were admitted more than 30 times within 60 s"), "\(row.sentence)")
      // What a second counter admits a moment after the refusal renews nothing.
      #expect(row.tests?.last?.outcome == (restart ? .kept : .notTested), "\(row.sentence)")
    }
  }

  @Test func `windows that end for all keys at one moment may admit twice`() {
    var builder = LogBuilder()
    for device in 0..<5 {
      // Aligned to 60 s: 30 before the edge, 30 after it, of each device at its own pace.
      for index in 0..<64 {
        let sent = index < 32 ? 50 + Double(index) * 0.2 : 60.5 + Double(index) * 0.1 + Double(device)
        builder.add(sent, sent + 0.01, index % 32 < 30 ? 200 : 429, device: "device-\(device)")
      }
    }
    #expect(Self.row(builder, .any).verdict == .consistent)
    #expect(Self.row(builder, .fixedAligned).verdict == .consistent)
  }

  @Test func `windows that began in the run and ended in it are kept`() {
    var builder = LogBuilder()
    for device in 0..<4 {
      let start = 1 + Double(device) * 5
      var offsets = [0.0]
      for index in 0..<31 { offsets.append(50 + Double(index) * 0.1) }
      for index in 0..<31 { offsets.append(61 + Double(index) * 0.1) }
      for (index, offset) in offsets.enumerated() {
        let isRefused = index == 30 || index == 31 || index == 62
        builder.add(
          start + offset, start + offset + 0.01, isRefused ? 429 : 200, device: "device-\(device)")
      }
    }
    let row = Self.row(builder, .fixed)
    #expect(row.verdict == .consistent, "\(row.sentence)")
  }
}
