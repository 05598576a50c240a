import MurphyJudge
import MurphyModel
import Testing

/// What a run must have seen before it says that a limit is kept.
@Suite struct LimitEvidenceTests {
  private static func judge(_ builder: LogBuilder, _ policies: LimitPolicy...) -> [LimitRow] {
    LimitJudge.judge(log: builder.log, policies: policies, options: LimitJudgeTests.fresh).rows
  }

  private static func outcomes(_ row: LimitRow) -> [LimitTest.State]? { row.tests?.map(\.outcome) }

  /// `count` requests a hundredth of a second apart, the first `admitted` of them let through.
  private static func burst(_ builder: inout LogBuilder, at start: Double, _ count: Int, admitted: Int) {
    for index in 0..<count {
      let sent = start + Double(index) * 0.01
      builder.add(sent, sent + 0.005, index < admitted ? 200 : 429)
    }
  }

  @Test(arguments: [(59, 12.0), (100, 12.0), (59, 100.0), (20, 12.0)])
  func `a server without a limiter is never called kept`(_ admitted: Int, _ span: Double) {
    var builder = LogBuilder()
    for index in 0..<admitted {
      let sent = 1 + Double(index) * span / Double(admitted)
      builder.add(sent, sent + 0.005, 200)
    }
    let row = Self.judge(builder, LimitJudgeTests.policy(.any))[0]
    // No algorithm admits more than twice the allowance within less than a window.
    #expect(row.verdict == (admitted > 60 && span < 60 ? .overAdmission : .inconclusive), "\(row.sentence)")
    if row.verdict == .inconclusive {
      #expect(row.isOpen)
      #expect(Self.outcomes(row) == [.notTested, .notTested, .notTested])
      #expect(row.sentence.contains("Not tested: no request was rejected"), "\(row.sentence)")
    }
  }

  @Test func `kept is what was reached, held and renewed`() {
    var builder = LogBuilder()
    Self.burst(&builder, at: 1, 35, admitted: 30)
    var row = Self.judge(builder, LimitJudgeTests.policy())[0]
    #expect(row.verdict == .inconclusive && row.isOpen)
    #expect(Self.outcomes(row) == [.kept, .kept, .notTested])
    #expect(row.sentence.contains("the window's length was not tested"), "\(row.sentence)")

    var accepting = LimitJudgeTests.policy()
    accepting.tested = [.allowance]
    row = Self.judge(builder, accepting)[0]
    #expect(row.verdict == .consistent)
    #expect(Self.outcomes(row) == [.kept, .kept, .notTested])
    #expect(row.sentence.contains("Not tested: renewed") && row.sentence.contains("`tested: [allowance]`"))

    builder.add(62, 62.01, 200)
    row = Self.judge(builder, LimitJudgeTests.policy())[0]
    #expect(row.verdict == .consistent, "\(row.sentence)")
    #expect(Self.outcomes(row) == [.kept, .kept, .kept])
  }

  /// Clients that wait as a longer window tells them to never meet the end of the declared one.
  @Test(arguments: [(75.0, nil), (80, "80 s"), (110, "110 s")])
  func `a key that comes back late shows no window`(_ after: Double, _ window: String?) {
    var builder = LogBuilder()
    for start in [1, 1 + after] { Self.burst(&builder, at: start, 35, admitted: 30) }
    let row = Self.judge(builder, LimitJudgeTests.policy())[0]
    #expect(Self.outcomes(row) == [.kept, .kept, window == nil ? .kept : .notTested], "\(row.sentence)")
    if let window { #expect(row.sentence.contains("a window of up to \(window) also matches"), "\(row.sentence)") }
  }

  /// Whole seconds of Retry-After make a client of a short window up to a second late, which is no longer window.
  @Test(arguments: [
    (3.01, LimitTest.State.kept), (3.77, .kept), (3.94, .kept), (4.0, .notTested), (4.77, .notTested),
  ])
  func `a wait in whole seconds still shows a short window`(_ after: Double, _ outcome: LimitTest.State) {
    var builder = LogBuilder()
    for start in [1, 1 + after] { Self.burst(&builder, at: start, 8, admitted: 5) }
    let row = Self.judge(builder, LimitJudgeTests.policy(.fixed, 5, window: .seconds(3)))[0]
    #expect(Self.outcomes(row) == [.kept, .kept, outcome], "\(row.sentence)")
  }

  /// A limiter may delay its rejections. The tokens that it adds meanwhile also count for the requests that it admits.
  @Test(arguments: [(10, LimitTest.State.kept), (12, .notTested)])
  func `a delayed rejection shows no larger bucket`(_ burst: Int, _ outcome: LimitTest.State) {
    var builder = LogBuilder()
    Self.burst(&builder, at: 1, 10, admitted: 10)
    builder.add(1.11, 1.61, 429)
    for sent in [1.22, 1.42, 1.62] { builder.add(sent, sent + 0.005, 200) }
    let policy = LimitJudgeTests.policy(.tokenBucket, burst, window: .milliseconds(burst * 200))
    // Earlier requests of the key may be unknown, so the rejection is not a proof against the declared bucket.
    var options = LimitJudgeTests.fresh
    options.startsQuiet = false
    let row = LimitJudge.judge(log: builder.log, policies: [policy], options: options).rows[0]
    #expect(Self.outcomes(row)?[1] == outcome, "\(row.sentence)")
  }

  @Test func `an acceptance of everything asks for nothing and keeps nothing`() {
    var builder = LogBuilder()
    Self.burst(&builder, at: 1, 5, admitted: 5)
    var policy = LimitJudgeTests.policy()
    policy.tested = []
    let row = Self.judge(builder, policy)[0]
    #expect(row.verdict == .inconclusive)
    #expect(!row.isOpen)
  }

  @Test func `five an hour is not kept by a run that only met three a minute`() {
    var builder = LogBuilder()
    Self.burst(&builder, at: 1, 5, admitted: 3)
    builder.add(62, 62.005, 200)
    let minute = LimitJudgeTests.policy(.fixed, 3)
    let hour = LimitJudgeTests.policy(.fixed, 5, window: .seconds(3600))
    let rows = Self.judge(builder, hour, minute)
    #expect(rows.map(\.verdict) == [.inconclusive, .consistent], "\(rows.map(\.sentence))")
    #expect(Self.outcomes(rows[0]) == [.notTested, .notTested, .notTested])
    #expect(Self.outcomes(rows[1]) == [.kept, .kept, .kept])
  }

  @Test func `a rejection that two policies explain is evidence for neither`() {
    var builder = LogBuilder()
    Self.burst(&builder, at: 1, 12, admitted: 10)
    builder.add(62, 62.005, 200)
    let device = LimitJudgeTests.policy(.fixed, 10)
    let all = LimitPolicy(
      name: "*", operations: [], algorithm: .fixed, allowance: 10, window: .seconds(30), key: .global)
    // Each row names the other limit.
    for (row, other) in zip(Self.judge(builder, device, all), [all, device]) {
      #expect(row.verdict == .inconclusive)
      #expect(
        row.sentence.contains("\(other.name) (\(other.text)) explains all 2 rejections as well"), "\(row.sentence)")
    }
    // Declared twice, it is one counter.
    var contract = device
    contract.algorithm = .any
    contract.declaredBy = .contract
    #expect(Self.judge(builder, device, contract).map(\.verdict) == [.consistent, .consistent])
  }

  @Test func `rejections before anything was admitted show nothing of the limit`() {
    var builder = LogBuilder()
    for index in 0..<11 { builder.add(9 + Double(index), 9.01 + Double(index), 429) }
    // Against a server that ran before, so that the allowance may have been used up.
    let row = LimitJudge.judge(log: builder.log, policies: [LimitJudgeTests.policy(.any)]).rows[0]
    #expect(row.verdict == .inconclusive)
    #expect(Self.outcomes(row) == [.notTested, .notTested, .notTested])
    #expect(
      row.sentence.contains(
        "for 11 rejections, this run had admitted no request of the same key in the 60 s before: requests from outside "
          + "this run"
      ),
      "\(row.sentence)")
    // Where requests of other keys were admitted, nobody can say that nothing was.
    builder.add(8, 8.01, 200, device: "device-2")
    let crowded = LimitJudge.judge(log: builder.log, policies: [LimitJudgeTests.policy(.any)]).rows[0]
    #expect(crowded.sentence.contains("but had admitted requests of other keys"), "\(crowded.sentence)")
  }

  @Test func `a rejection that only an unverified limit explains lets neither limit pass`() {
    var builder = LogBuilder()
    // Thirty a minute for each device are kept, and seen to be: 30 admitted, 5 rejected, admitted again.
    Self.burst(&builder, at: 1, 35, admitted: 30)
    builder.add(62, 62.005, 200)
    let device = LimitJudgeTests.policy()
    #expect(Self.judge(builder, device)[0].verdict == .consistent)
    // A fresh device is rejected at once. Only a limit of the whole API explains it, if five lost requests counted.
    for index in 0..<5 { builder.add(62.1 + Double(index) / 100, nil, 0, device: "device-\(index + 3)") }
    builder.add(63, 63.005, 429, device: "device-2")
    let all = LimitPolicy(
      name: "*", operations: [], algorithm: .fixed, allowance: 36, window: .seconds(3600), key: .global)
    #expect(Self.judge(builder, device)[0].verdict == .overThrottling)
    let rows = Self.judge(builder, device, all)
    #expect(
      rows[0].sentence.contains(
        "1 rejection fits only * (36 per 60 min, fixed window, key global), but this run did not verify"),
      "\(rows[0].sentence)")
    #expect(rows.map(\.verdict).allSatisfy { $0 != .consistent }, "\(rows.map(\.sentence))")
  }

  @Test func `more than one window holds and less than two is said as that`() {
    var builder = LogBuilder()
    for index in 0..<45 { builder.add(1 + Double(index), 1.005 + Double(index), 200) }
    let sentence = Self.judge(builder, LimitJudgeTests.policy(.any))[0].sentence
    #expect(
      sentence.contains("admitted 45 times within 60 s, more than 30: the end of a window in that time"), "\(sentence)")
  }

  @Test func `a broken promise breaks its own test`() {
    var builder = LogBuilder()
    Self.burst(&builder, at: 1, 35, admitted: 32)
    #expect(Self.outcomes(Self.judge(builder, LimitJudgeTests.policy())[0])?.first == .broken)
    builder = LogBuilder()
    Self.burst(&builder, at: 1, 35, admitted: 12)
    #expect(Self.outcomes(Self.judge(builder, LimitJudgeTests.policy())[0])?[1] == .broken)
  }

  @Test func `every rejection is counted, also one that a failing request in flight excuses`() {
    var builder = LogBuilder()
    builder.add(1, 1.5, 404)
    builder.add(1.1, 1.2, 429)
    var policy = LimitJudgeTests.policy()
    policy.counts.failed = .no
    let row = Self.judge(builder, policy)[0]
    #expect(row.requests == 2 && row.refused == 1 && row.admitted == 1 && row.unknown == 0)
  }

  @Test func `rejections without the key are not called no rejections`() {
    var builder = LogBuilder()
    builder.add(1, 1.1, 200)
    #expect(Self.judge(builder, LimitJudgeTests.policy())[0].sentence.contains("no request was rejected"))
    builder.add(2, 2.1, 429, device: "keyless")
    builder.log.identities[Int(builder.identity("keyless"))] = ClientIdentity(sourceAddress: "127.0.0.1", headers: [])
    let sentence = Self.judge(builder, LimitJudgeTests.policy())[0].sentence
    #expect(sentence.contains("no request with a key was rejected"), "\(sentence)")
  }

  @Test func `a limit of which requests are left out is not called kept`() {
    var builder = LogBuilder()
    Self.burst(&builder, at: 1, 35, admitted: 30)
    builder.add(62, 62.01, 200)
    #expect(Self.judge(builder, LimitJudgeTests.policy())[0].verdict == .consistent)
    builder.log.leaveOut(sent: builder.log.start + 90_000_000_000)
    let row = Self.judge(builder, LimitJudgeTests.policy())[0]
    #expect(row.verdict == .inconclusive && row.isOpen)
    #expect(row.sentence.contains("1 request of the run is not in the limit log, which keeps only the first 36"))
    // What is kept still proves what it proves.
    #expect(Self.judge(builder, LimitJudgeTests.policy(.fixed, 20))[0].verdict == .overAdmission)
  }

  /// In the time in which it fills, a bucket also admits the tokens that are added meanwhile.
  @Test(arguments: [(10, true), (12, false)])
  func `a token bucket was used up only if its burst was`(_ burst: Int, _ isHeld: Bool) {
    var builder = LogBuilder()
    Self.burst(&builder, at: 0.5, 16, admitted: 10)
    for index in 1...12 { builder.add(0.66 + 0.2 * Double(index), 0.665 + 0.2 * Double(index), 200) }
    Self.burst(&builder, at: 3.2, 4, admitted: 0)
    builder.add(6, 6.005, 200)
    var options = LimitJudgeTests.fresh
    options.startsQuiet = false
    let policy = LimitJudgeTests.policy(.tokenBucket, burst, window: .seconds(Double(burst) / 5))
    let row = LimitJudge.judge(log: builder.log, policies: [policy], options: options).rows[0]
    #expect(row.tests?[1].outcome == (isHeld ? .kept : .notTested), "\(row.sentence)")
  }
}
