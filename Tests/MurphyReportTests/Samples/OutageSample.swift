import MurphyModel

/// A target that is killed at 11.9 s: its silence ends the load, and most sessions fail.
enum OutageSample {
  static let result = make()

  private static func make() -> RunResult {
    var result = SampleRun(seconds: 22).result(.fail)
    result.run.aborted = .milliseconds(22400)
    result.run.duration = .milliseconds(22400)
    let lost = 240
    result.operations[0].outcomes.ok -= lost
    result.operations[0].outcomes.transport = lost
    result.operations[0].statuses = [StatusCount(status: 200, count: result.operations[0].outcomes.ok)]
    result.ledger.answered -= lost
    result.ledger.conformant -= lost
    result.ledger.transport = lost
    result.sessions = [
      SessionResult(
        session: "browse", started: 180, completed: 60,
        failed: [
          ReasonCount(reason: "listLaws: refused", count: 117), ReasonCount(reason: "listLaws: closed", count: 1),
        ],
        unfinished: 2),
      SessionResult(
        session: "vote", started: 130, completed: 0,
        failed: [ReasonCount(reason: "listLaws: refused", count: 122)], unfinished: 0,
        left: [ReasonCount(reason: "voteLaw: status 429", count: 8)]),
    ]
    result.traffic = [
      TrafficRow(
        kind: .completed, limit: "99%", met: 68, samples: 308,
        exceptions: [ReasonCount(reason: "listLaws: refused", count: 239)],
        sentence: "68 of 308 sessions ended as scripted (22.08%); ended early: 239 × listLaws: refused",
        state: .failed(trials: 308)),
      TrafficRow(
        kind: .called, limit: "all", met: 5, samples: 6, exceptions: [ReasonCount(reason: "submitLaw", count: 0)],
        sentence: "1 of 6 operations was never called: submitLaw", state: .noData(trials: 5)),
      TrafficRow(
        kind: .sessions, limit: "all", met: 1, samples: 2, exceptions: [ReasonCount(reason: "vote", count: 130)],
        sentence: "session types that never completed: vote (130 began, 122 ended early)", state: .failed(trials: 2)),
    ]
    result.findings = [
      Finding(
        kind: .transportOutage, severity: .error, operation: nil,
        message: "no response from 11.9 s to the end (22.4 s): 240 requests got no response (connection refused 239 "
          + "times, connection closed or reset once)",
        details: [
          "The load ended after 22.4 s because no response was received. If responses may take longer, raise "
            + "`settings: abort-after`, the maximum time without a response.",
          "listLaws: connection refused 239 times, connection closed or reset once",
        ], firstSeen: .milliseconds(11900), lastSeen: .milliseconds(22400), discriminator: "outage")
    ]
    for index in [0, 2] { result.traffic[index].findings = [result.findings[0].fingerprint] }
    result.reasons = [result.findings[0].message]
    return result
  }
}
