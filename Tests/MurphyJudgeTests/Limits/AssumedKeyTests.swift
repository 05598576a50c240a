import MurphyJudge
import MurphyModel
import Testing

/// A limit of which nobody says by what it counts: no verdict may rest on a guess of its key.
@Suite struct AssumedKeyTests {
  private static func policy(isAssumed: Bool = true, _ allowance: Int = 5) -> LimitPolicy {
    var policy = LimitPolicy(
      name: "voteLaw", operations: ["voteLaw"], allowance: allowance, window: .seconds(60), key: .sourceAddress,
      declaredBy: .contract)
    policy.keyIsAssumed = isAssumed
    return policy
  }

  private static func judge(
    _ builder: LogBuilder, _ policy: LimitPolicy, startsQuiet: Bool = false
  ) -> (row: LimitRow, findings: [Finding]) {
    var options = LimitJudgeOptions()
    options.startsQuiet = startsQuiet
    let judged = LimitJudge.judge(log: builder.log, policies: [policy], options: options)
    return (judged.rows[0], judged.findings)
  }

  /// A limiter of 5 in fixed windows of 60 s for each device, honest about the time to wait.
  private static func perDevice(devices: Int, requests: Int = 7, spacing: Double = 4.3) -> LogBuilder {
    var builder = LogBuilder()
    for device in 0..<devices {
      let begin = 1 + Double(device) * spacing
      for index in 0..<requests {
        let sent = begin + Double(index) * 0.1
        if index < 5 {
          builder.add(sent, sent + 0.01, 200, device: "device-\(device)")
        } else {
          let wait = (begin + 60 - sent).rounded(.up)
          builder.add(
            sent, sent + 0.01, 429, device: "device-\(device)",
            headers: [HeaderField("retry-after", String(Int(wait)))])
        }
      }
    }
    return builder
  }

  @Test func `a limiter that tells clients apart is not accused of a key that nobody stated`() {
    let builder = Self.perDevice(devices: 6)
    let (row, findings) = Self.judge(builder, Self.policy())
    #expect(findings.map(\.message) == [])
    #expect(row.verdict == .inconclusive)
    #expect(row.keys == 6)
    #expect(row.policy.hasSuffix("key not stated"))
    #expect(row.sentence.contains("The contract does not declare the key"), "\(row.sentence)")
    #expect(row.sentence.contains("the quota is not per address"), "\(row.sentence)")

    // The same traffic breaks a promise to count by address, and the times to wait contradict each other by it.
    let stated = Self.judge(builder, Self.policy(isAssumed: false))
    #expect(stated.findings.map(\.kind).contains(.limitOverAdmission))
    #expect(stated.row.verdict == .overAdmission)
  }

  @Test func `one client that is admitted too often is proof by any key`() {
    var builder = Self.perDevice(devices: 2)
    for index in 0..<60 {
      let sent = 30 + Double(index) * 0.1
      builder.add(sent, sent + 0.01, 200, device: "greedy")
    }
    let (row, findings) = Self.judge(builder, Self.policy())
    #expect(row.verdict == .overAdmission)
    #expect(findings.map(\.kind) == [.limitOverAdmission])
    #expect(findings.first?.message.contains("greedy") == true, "\(findings.map(\.message))")
  }

  @Test func `a rejection is proof if all clients together leave room, and not before`() {
    var builder = LogBuilder()
    for (index, device) in ["a", "b", "c"].enumerated() {
      builder.add(1 + Double(index), 1.01 + Double(index), 200, device: device)
    }
    builder.add(5, 5.01, 429, device: "d")
    #expect(Self.judge(builder, Self.policy(), startsQuiet: true).row.verdict == .overThrottling)
    // Five by the address: whether the sixth may be refused depends on the key.
    var full = LogBuilder()
    for index in 0..<5 { full.add(1 + Double(index), 1.01 + Double(index), 200, device: "device-\(index)") }
    full.add(7, 7.01, 429, device: "d")
    #expect(!Self.judge(full, Self.policy(), startsQuiet: true).findings.contains { $0.severity == .error })
  }

  @Test func `a single client is judged as ever`() {
    let builder = Self.perDevice(devices: 1)
    let (row, findings) = Self.judge(builder, Self.policy())
    #expect(findings.isEmpty)
    #expect(!row.sentence.contains("does not declare the key"))
    #expect(row.tests?.first?.outcome == .kept)
  }
}
