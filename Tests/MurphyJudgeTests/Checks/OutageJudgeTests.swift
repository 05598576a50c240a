import MurphyJudge
import MurphyModel
import Testing

@Suite struct OutageJudgeTests {
  @Test func `a killed target is one outage to the end`() throws {
    let record = SimulatedTarget { _, sent in sent >= 11.9 ? (.transportRefused, 0.001) : nil }.record()
    let outages = OutageJudge.outages(in: record)
    let outage = try #require(outages.first)
    #expect(outages.count == 1)
    #expect(!outage.isOver)
    #expect(abs(outage.from - 11.9) < 0.051 && abs(outage.until - 15) < 0.051)
    var lost = record.findings
    lost[0].evidence = Evidence(curl: "curl http://127.0.0.1/laws")
    let findings = OutageJudge.folded(lost, under: outages, in: record)
    #expect(findings.map(\.kind) == [.transportOutage])
    // One request does not reproduce it.
    #expect(findings[0].evidence != nil && findings[0].evidence?.curl == nil)
    #expect(
      findings[0].message
        == "no response from 11.9 s to the end (15 s): 62 requests got no response (connection refused)")
    #expect(findings[0].details == ["listLaws: connection refused 62 times"])
    #expect(findings[0].operation == nil)
  }

  @Test func `a restart is named with its gap`() throws {
    let record = SimulatedTarget { _, sent in (11.9..<14.2).contains(sent) ? (.transportRefused, 0.001) : nil }
      .record()
    let outages = OutageJudge.outages(in: record)
    #expect(outages.map(\.isOver) == [true])
    #expect(abs(outages[0].from - 11.9) < 0.051 && abs(outages[0].until - 14.25) < 0.051)
    let message = OutageJudge.folded(record.findings, under: outages, in: record)[0].message
    #expect(message.hasPrefix("no response from 11.9 s to 14.3 s: 46 requests"))
  }

  @Test func `two restarts are one finding that names both`() {
    let record = SimulatedTarget { _, sent in
      (3..<4).contains(sent) || (8..<9.5).contains(sent) ? (.transportClosed, 0.001) : nil
    }.record()
    let outages = OutageJudge.outages(in: record)
    #expect(outages.count == 2)
    let findings = OutageJudge.folded(record.findings, under: outages, in: record)
    #expect(findings.count == 1)
    #expect(findings[0].count == 2)
    #expect(findings[0].message.contains(" and from 8"))
  }

  @Test func `a silent target is seen though every request only times out`() {
    let record = SimulatedTarget { _, sent in sent >= 5 ? (.transportTimeout, 3) : nil }.record()
    #expect(OutageJudge.outages(in: record).map { $0.from.rounded() } == [5])
    let unanswered = SimulatedTarget { _, sent in sent >= 5 ? (.transportUnanswered, 25 - sent) : nil }.record()
    #expect(OutageJudge.outages(in: unanswered).count == 1)
  }

  /// One response every 0.7 seconds, in order: what is still open at the end was never lost.
  @Test func `a slow queue is no outage`() {
    var target = SimulatedTarget { index, sent in
      Double(index) * 0.7 + 0.7 > 15 ? (.transportUnanswered, 20 - sent) : nil
    }
    target.answering = { index, sent in Double(index) * 0.7 + 0.7 - sent }
    #expect(OutageJudge.outages(in: target.record()).filter(\.isOver) == [])
  }

  @Test func `a request that is open through two outages is counted once`() throws {
    let record = SimulatedTarget { _, sent in
      (3..<5).contains(sent) ? (.transportTimeout, 8) : (8..<10).contains(sent) ? (.transportTimeout, 3) : nil
    }.record()
    let outages = OutageJudge.outages(in: record)
    #expect(outages.reduce(0) { $0 + $1.losses.count } <= record.responses.losses.count)
    let first = try #require(OutageJudge.folded(record.findings, under: outages, in: record).first)
    #expect(first.message.hasSuffix(": \(record.responses.losses.count) requests got no response (timeout)"))
  }

  @Test func `a latency budget that only an outage breaks is a part of it`() {
    func explained(_ loss: Double, limit: Duration) -> Bool {
      var record = SimulatedTarget { _, sent in sent >= 12 ? (.transportTimeout, loss) : nil }.record()
      for _ in 0..<240 { record.operations[0].account.countResponse(latency: 50_000_000, service: 50_000_000) }
      for _ in 0..<60 { record.operations[0].account.censor(.timeout, waited: Int64(loss * 1e9)) }
      let budget = Budget(operation: "listLaws", metric: .latency(percentile: 95), limit: .atMost(limit))
      let findings = BudgetJudge.findings(BudgetJudge.judge([budget], record: record))
      return findings.count == 1
        && OutageJudge.outages(in: record).explain(findings[0], budgets: [budget], record: record)
    }
    #expect(explained(3, limit: .milliseconds(300)))
    #expect(!explained(3, limit: .milliseconds(20)), "its responses break it, too")
  }

  @Test func `what was lost elsewhere keeps its own finding with its own count`() throws {
    let record = SimulatedTarget { index, sent in
      sent >= 12 ? (.transportClosed, 0.001) : index % 60 == 7 ? (.transportClosed, 0.001) : nil
    }.record()
    let before = try #require(record.findings.first).count
    let findings = OutageJudge.folded(record.findings, under: OutageJudge.outages(in: record), in: record)
    #expect(findings.map(\.kind) == [.transportOutage, .transportClosed])
    let inside = record.responses.losses.count { $0.sent >= 12 }
    #expect(findings[1].count == before - inside)
    #expect(findings[1].lastSeen < .seconds(12))
  }

  @Test func `single requests that hang are no outage`() {
    let record = SimulatedTarget { index, sent in index % 50 == 3 ? (.transportTimeout, 30) : nil }.record()
    #expect(OutageJudge.outages(in: record) == [])
    #expect(OutageJudge.folded(record.findings, under: [], in: record) == record.findings)
  }

  @Test func `a quiet load is no outage`() {
    // A request each three seconds, all answered; and one of them lost.
    #expect(OutageJudge.outages(in: SimulatedTarget(rate: 1.0 / 3, length: 60).record()) == [])
    let lost = SimulatedTarget(rate: 1.0 / 3, length: 60) { index, _ in index == 5 ? (.transportClosed, 0.01) : nil }
    #expect(OutageJudge.outages(in: lost.record()) == [])
  }

  @Test func `a slow target is no outage`() {
    #expect(OutageJudge.outages(in: SimulatedTarget(rate: 2, length: 60, service: 8).record()) == [])
  }

  @Test(arguments: 1...200 as ClosedRange<UInt64>) func `random failures are no outage`(seed: UInt64) {
    // A fifth to nine tenths of all requests fail, each by itself.
    var random = RandomSource(seed: seed)
    let share = 0.2 + 0.7 * random.unit()
    let fails = (0..<1200).map { _ in random.unit() < share }
    let record = SimulatedTarget(rate: 20, length: 60) { index, _ in
      fails[index] ? (.transportClosed, 0.001) : nil
    }.record()
    #expect(OutageJudge.outages(in: record).map(\.text) == [], "seed \(seed), share \(share)")
  }

  @Test func `a sleep of murphy itself is no outage`() {
    var record = SimulatedTarget { _, sent in (5..<6).contains(sent) ? (.transportTimeout, 0.5) : nil }.record()
    #expect(OutageJudge.outages(in: record).count == 1)
    record.generator.longestStall = .milliseconds(900)
    #expect(OutageJudge.outages(in: record) == [])
  }

  @Test func `the silence that ended the load is an outage however few it cost`() {
    let record = SimulatedTarget(rate: 0.2, length: 25) { _, sent in sent >= 15 ? (nil, 25 - sent) : nil }
      .record(aborted: .seconds(25))
    let outages = OutageJudge.outages(in: record)
    #expect(outages.count == 1)
    let finding = OutageJudge.folded(record.findings, under: outages, in: record)[0]
    #expect(finding.details.contains { $0.contains("abort-after") })
    #expect(finding.details.contains("listLaws: in flight at the end 2 times"))
  }

  @Test func `a target that never answered is said so`() {
    let record = SimulatedTarget(length: 4) { _, _ in (.transportRefused, 0.001) }.record()
    let finding = OutageJudge.folded(record.findings, under: OutageJudge.outages(in: record), in: record)[0]
    #expect(finding.message.hasPrefix("no response at all, from 0 s to 4 s: 80 requests"))
  }
}
