import MurphyModel

/// Which parts of the headers are about one policy, where they report several limits.
struct HeaderScope {
  /// By response: the statement about the policy.
  let owns: [LimitStatement?]
  /// The numbers that the statements give as the limit.
  let limits: [Int]
  /// True if all statements are about one counter for each key.
  let isOneCounter: Bool
  /// The longest window that the headers announce, seconds.
  let longestWindow: Double
  /// True if the partition keys of the headers divide clients in another way than the policy's key.
  let hasOtherPartitions: Bool
  private let policy: LimitPolicy
  private let responses: [LimitResponse]
  private let others: [[LimitStatement]]
  /// True if the headers report further limits, which may also reject.
  private let reportsOthers: Bool
  /// True if the headers name several causes of rejections.
  private let hasReasons: Bool

  init(_ judged: JudgedPolicy, responses: [LimitResponse]) {
    self.responses = responses
    let policy = judged.policy
    self.policy = policy
    let keys = judged.keys.map { key in
      Set(key.observations.map { Int(judged.log.observations[$0].headers) }.filter { $0 >= 0 })
    }
    let used = keys.reduce(into: Set<Int>()) { $0.formUnion($1) }
    let counters = responses.enumerated().map { index, response -> (own: LimitStatement?, others: [LimitStatement]) in
      used.contains(index) ? response.counter(of: policy) : (nil, [])
    }
    let partitions = keys.map { Set($0.compactMap { counters[$0].own?.partition }) }
    hasOtherPartitions =
      partitions.contains { $0.count > 1 }
      || partitions.reduce(0) { $0 + $1.count } > partitions.reduce(into: Set<String>()) { $0.formUnion($1) }.count
    let owns = hasOtherPartitions ? counters.map { _ in nil } : counters.map(\.own)
    self.owns = owns
    others = counters.map(\.others)
    let stated = used.compactMap { owns[$0] }
    limits = Set(stated.compactMap(\.limit)).sorted()
    isOneCounter = !hasOtherPartitions && limits.count < 2 && Set(stated.compactMap(\.name)).count < 2
    let quotas = used.flatMap { responses[$0].quotas }
    longestWindow = max(
      quotas.compactMap(\.window).map(Double.init).max() ?? 0,
      used.flatMap { responses[$0].counters }.compactMap(\.window).max() ?? 0)
    reportsOthers =
      counters.contains { !$0.others.isEmpty }
      || used.contains {
        responses[$0].quotas.count > 1 && responses[$0].quotas.contains { !policy.isAnnounced(by: $0) }
      }
    hasReasons = Set(used.compactMap { responses[$0].reason }).count > 1
  }

  /// True if the response itself names the policy, and no other limit, as the cause of a rejection: as the only violated
  /// one, or as the only one without quota.
  func isOwn(_ observation: LimitObservation, in log: LimitLog) -> Bool {
    let index = Int(observation.headers)
    guard index >= 0, let own = owns[index], own.limit == policy.allowance, !isForeign(observation, in: log) else {
      return false
    }
    if observation.body >= 0, let problem = LimitProblem(log.bodies[Int(observation.body)]), let name = own.name,
      problem.violated == [name]
    {
      return true
    }
    return own.remaining == 0 && !others[index].contains { $0.remaining == 0 }
  }

  /// True if another limit may have made a rejection: only a response with the policy's `remaining` 0, and no other, is
  /// certainly its own.
  func isForeign(_ observation: LimitObservation, in log: LimitLog) -> Bool {
    let index = Int(observation.headers)
    if index >= 0, responses[index].isElsewhere || (hasReasons && responses[index].reason != nil) { return true }
    let own = index < 0 ? nil : owns[index]
    if observation.body >= 0, let problem = LimitProblem(log.bodies[Int(observation.body)]) {
      guard problem.kind == .quotaExceeded else { return true }
      let quota = index < 0 ? nil : responses[index].quotas.first { policy.isAnnounced(by: $0) }
      if let name = own?.name ?? quota?.name, !problem.violated.isEmpty, problem.violated != [name] { return true }
    }
    guard reportsOthers else { return false }
    return own?.remaining != 0 || others[index].contains { $0.remaining == 0 }
  }
}
