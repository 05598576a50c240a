import MurphyModel
import Testing

/// One limit log of the logs of several loops or shards.
@Suite struct LimitLogMergeTests {
  private static func log(_ address: String, sent: Int64, body: String) -> LimitLog {
    var log = LimitLog(start: Instant(nanoseconds: 0))
    log.operations = ["vote"]
    log.identities = [ClientIdentity(sourceAddress: address, headers: [])]
    log.bodies = [body]
    let moment = Instant(nanoseconds: sent)
    log.observations = [
      LimitObservation(operation: 0, identity: 0, sent: moment, answered: moment, status: 429, body: 0)
    ]
    return log
  }

  @Test func `what is appended keeps its own client and texts`() {
    var whole = Self.log("a", sent: 1, body: "slow down")
    whole.append(Self.log("b", sent: 2, body: "wait"))
    #expect(whole.observations.map { whole.identities[Int($0.identity)].sourceAddress } == ["a", "b"])
    #expect(whole.observations.map { whole.bodies[Int($0.body)] } == ["slow down", "wait"])
  }

  /// The first machine is often the reference: the others' clocks are known less well.
  @Test func `the clock of the whole is known as well as the worst of its parts`() {
    var (whole, other) = (Self.log("a", sent: 1, body: ""), Self.log("b", sent: 2, body: ""))
    (other.clockWidth, other.spansMachines, other.missesIssues) = (7_000_000, true, true)
    whole.append(other)
    #expect(whole.clockWidth == 7_000_000 && whole.spansMachines && whole.missesIssues)
    whole.append(Self.log("c", sent: 3, body: ""))
    #expect(whole.clockWidth == 7_000_000 && whole.spansMachines && whole.missesIssues)
  }
}
