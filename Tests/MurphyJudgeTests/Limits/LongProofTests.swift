import MurphyJudge
import MurphyModel
import Testing

/// Proofs in logs that are too long to be searched as a whole.
@Suite struct LongProofTests {
  enum Load: CaseIterable { case everywhere, atTheStart, inTheMiddle }

  /// Admissions: 0.5 ms apart where the limiter fails, elsewhere as far apart as the policy allows.
  private static func trace(_ load: Load) -> LimitTrace {
    let count = 40_000
    let allowed = 60.0 / 30 * 1.01
    var moment = 120.0
    var requests: [LimitTrace.Request] = []
    for index in 0..<count {
      let isExcess =
        switch load {
        case .everywhere: true
        case .atTheStart: index < 4_000
        case .inTheMiddle: (20_000..<24_000).contains(index)
        }
      moment += isExcess ? 0.0005 : allowed
      requests.append(LimitTrace.Request(sent: moment, settled: moment + 0.003, role: .certain, id: index))
    }
    return LimitTrace(requests)
  }

  @Test(arguments: Load.allCases, LimitAlgorithm.concrete + [.any])
  func `a long log is explained by a few requests that prove it by themselves`(
    _ load: Load, _ algorithm: LimitAlgorithm
  ) throws {
    let trace = Self.trace(load)
    let policy = LimitPolicy(
      name: "*", operations: [], algorithm: algorithm, allowance: 30, window: .seconds(60), key: .global)
    let proof = try #require(LimitProof.find(in: trace, policy: policy))
    #expect(proof.kind == .overAdmission)
    #expect(proof.isComplete)
    #expect(proof.witness.count <= 130, "\(proof.witness.count)")
    #expect(proof.witness == proof.witness.sorted())
    let alone = LimitProof.find(in: trace.alone(proof.witness), policy: policy)
    #expect(alone?.kind == .overAdmission)
    #expect(try #require(proof.refutedAllowance) >= 300)
  }
}
