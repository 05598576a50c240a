import MurphyModel

/// Quotas that `RateLimit-Policy` announces for operations that no policy covers.
///
/// The header does not say by what key it counts, and a wrong guess would accuse an honest server; so they are shown as
/// rows that nothing was decided on, with what is missing.
enum AnnouncedQuotas {
  static func rows(in log: LimitLog, answers: [LimitAnswer], besides policies: [LimitPolicy]) -> [LimitRow] {
    let open = log.operations.map { name in !policies.contains { $0.covers(name) } }
    var found: [UInt32: (quotas: [LimitQuota], requests: Int, refused: Int, unknown: Int)] = [:]
    for observation in log.observations where open[Int(observation.operation)] {
      let quotas = observation.headers < 0 ? [] : answers[Int(observation.headers)].quotas
      var entry = found[observation.operation] ?? ([], 0, 0, 0)
      if entry.quotas.isEmpty { entry.quotas = quotas }
      entry.requests += 1
      if observation.status == 429 { entry.refused += 1 }
      if observation.status == 0 { entry.unknown += 1 }
      found[observation.operation] = entry
    }
    return found.filter { !$0.value.quotas.isEmpty }.sorted { $0.key < $1.key }.flatMap { operation, entry in
      entry.quotas.map { quota in
        let name = log.operations[Int(operation)]
        let text = quota.window.map { "\(quota.quota) per \($0)s" } ?? "\(quota.quota)"
        return LimitRow(
          name: name, operations: [name], policy: text + ", as its headers say",
          declaredBy: .headers, verdict: .inconclusive,
          sentence:
            "RateLimit-Policy announces \(text) and not by what key: say it under `expect: limits: \(name)` to have it verified.",
          keys: 0, requests: entry.requests, admitted: entry.requests - entry.refused - entry.unknown,
          refused: entry.refused, unknown: entry.unknown, allowance: Double(quota.quota),
          window: quota.window.map(Double.init))
      }
    }
  }
}
