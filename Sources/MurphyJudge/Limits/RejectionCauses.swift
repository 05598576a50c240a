import MurphyModel

/// Finds the limit that made each rejection where several limits count the same requests: per device, per address and
/// for all clients together, for example.
struct RejectionCauses {
  /// By rejection, as an observation: the index of the limit that the response itself names as its cause.
  private(set) var named: [Int: Int] = [:]
  /// By limit: the rejections that it made, and those that only it explains if rejected requests use no quota.
  private var counts: [(certain: Int, likely: Int)]
  private var open = 0
  private var all = 0
  private let names: [String]

  init(_ judged: [JudgedPolicy], responses: [LimitResponse], log: LimitLog) {
    counts = Array(repeating: (0, 0), count: judged.count)
    names = judged.map(\.policy.name)
    guard judged.contains(where: \.isShared) else { return }
    let scopes = judged.map { HeaderScope($0, responses: responses) }
    let idle = judged.map { $0.isShared ? $0.idleAtRejections : [] }
    for (index, observation) in log.observations.enumerated() {
      let covering = judged.indices.filter {
        judged[$0].covers(index) && judged[$0].policy.rejects(observation, in: log)
      }
      guard covering.count > 1 else { continue }
      all += 1
      let claiming = covering.filter { scopes[$0].isOwn(observation, in: log) }
      let explaining = covering.filter { judged[$0].explains(index) }
      let likely = explaining.filter { !idle[$0].contains(index) }
      if claiming.count == 1 {
        named[index] = claiming[0]
        counts[claiming[0]].certain += 1
      } else if explaining.count == 1 {
        counts[explaining[0]].certain += 1
      } else if likely.count == 1 {
        counts[likely[0]].likely += 1
      } else {
        open += 1
      }
    }
  }

  /// True if the response names the limit as the cause of a rejection.
  func names(_ limit: Int, for rejection: Int) -> Bool { named[rejection] == limit }

  /// True if the response names another limit as the cause.
  func namesAnother(than limit: Int, for rejection: Int) -> Bool { named[rejection].map { $0 != limit } ?? false }

  /// ` Of 112 rejections, device made 61 and everybody 40; 11 have several possible causes.`; empty without rejections
  /// that several limits may have made.
  var sentence: String {
    guard all > 0 else { return "" }
    let made = counts.indices.filter { counts[$0].certain + counts[$0].likely > 0 }.map { index in
      "\(names[index]) made \((counts[index].certain + counts[index].likely).text)"
    }
    let likely = counts.reduce(0) { $0 + $1.likely }
    let rest = open > 0 ? ["\(open.text) \(open == 1 ? "has" : "have") several possible causes"] : []
    let note =
      likely > 0
      ? " The cause of \(counted(likely, "rejection")) is certain only if rejected requests use no quota." : ""
    return " Of \(counted(all, "rejection")), \((made + rest).joined(separator: ", ")).\(note)"
  }
}

extension JudgedPolicy {
  /// Rejections at which the policy had quota left, if only admitted requests use quota.
  fileprivate var idleAtRejections: Set<Int> {
    let alone = KeyedTrace.traces(of: log, under: policy, shared: false, options: options).traces
    let terms = LimitTerms(policy, unit: alone.first?.trace.unit ?? 1, tick: gate, drift: drift, phase: phase)
    return alone.reduce(into: []) { found, key in
      for j in LimitCheck.unexplainedRefusals(key.trace, policy.algorithm, terms) {
        found.insert(key.trace.requests[j].id)
      }
    }
  }
}
