import MurphyModel

/// One key's requests under one policy.
package struct KeyedTrace: Sendable {
  /// The key's value in readable form; `everybody` for a global one.
  package var key: String
  /// The requests of the key, with their roles for the policy.
  package var trace: LimitTrace
  /// All of the key's observations, including those that the trace leaves out.
  package var observations: [Int]
  /// The number of rejections among them, including those that the trace leaves out.
  package var refusals: Int
  /// True if the target created the key's value in this run.
  package var isIssued = false

  /// Splits a log by a policy's key, busiest key first. O(n log n) in the observations covered.
  ///
  /// - Parameters:
  ///   - shared: true if other policies cover some of the same operations, so that a rejection may be theirs.
  ///   - byClient: splits by all that distinguishes clients instead of the policy's key.
  package static func traces(
    of log: LimitLog, under policy: LimitPolicy, shared: Bool = false, byClient: Bool = false,
    options: LimitJudgeOptions = LimitJudgeOptions()
  ) -> (traces: [KeyedTrace], unkeyed: Int) {
    let covered = log.operations.map { policy.covers($0) }
    var keyOfIdentity: [Int] = []
    var keys: [(value: String, isFresh: Bool, isIssued: Bool, members: [Int])] = []
    var indexOfKey: [String: Int] = [:]
    for identity in log.identities {
      guard let value = byClient ? identity.wholeText : policy.key.value(for: identity) else {
        keyOfIdentity.append(-1)
        continue
      }
      let index = indexOfKey[value] ?? keys.count
      if index == keys.count { keys.append((value, false, false, [])) }
      indexOfKey[value] = index
      keyOfIdentity.append(index)
      keys[index].isFresh = keys[index].isFresh || policy.key.isFresh(for: identity)
      keys[index].isIssued = keys[index].isIssued || policy.key.isIssued(for: identity)
    }
    var unkeyed = 0
    for (index, observation) in log.observations.enumerated() where covered[Int(observation.operation)] {
      let key = keyOfIdentity[Int(observation.identity)]
      if key < 0 { unkeyed += 1 } else { keys[key].members.append(index) }
    }
    let costs = RequestCosts(policy, log, keys.lazy.flatMap(\.members))
    let order = keys.indices.filter { !keys[$0].members.isEmpty }.sorted {
      (keys[$1].members.count, $0) < (keys[$0].members.count, $1)
    }
    let traces = order.map { index in
      let key = keys[index]
      let (trace, refusals) = trace(of: key.members, isFresh: key.isFresh, in: log, policy, costs, shared, options)
      return KeyedTrace(
        key: byClient
          ? readableClient(key.value, secret: log.secretHeaders)
          : readable(key.value, policy.key, secret: log.secretHeaders), trace: trace, observations: key.members,
        refusals: refusals, isIssued: key.isIssued)
    }
    return (traces, unkeyed)
  }

  private static func readable(_ value: String, _ key: LimitKey, secret: Set<String>) -> String {
    if key.parts.isEmpty { return "everybody" }
    let parts = value.split(separator: "\u{1F}", omittingEmptySubsequences: false)
    return zip(parts, key.parts).map { text, part in
      if part == .token { return "token " + hidden(text) }
      if case .header(let name) = part, secret.contains(name) { return name + " " + hidden(text) }
      return text.isEmpty ? "this host" : shortened(text)
    }.joined(separator: " + ")
  }

  /// The text of a client: its address, if bound to one, and each header with its value.
  private static func readableClient(_ value: String, secret: Set<String>) -> String {
    let parts = value.split(separator: "\u{1F}", omittingEmptySubsequences: false)
    let texts = parts.dropFirst().map { field -> String in
      let name = String(field.prefix { $0 != ":" })
      let value = field.dropFirst(name.count + 2)
      return name + " " + (secret.contains(name) ? hidden(value) : shortened(value))
    }
    let address = parts.first.map { $0.isEmpty ? "this host" : String($0) }
    return ([address].compactMap(\.self) + texts).joined(separator: " + ")
  }

  private static func hidden(_ secret: Substring) -> String {
    String(Finding.fingerprint(of: [String(secret)]).prefix(6))
  }

  private static func shortened(_ text: Substring) -> String {
    text.count > 40 ? text.prefix(18) + "…" + text.suffix(4) : String(text)
  }

  private static func trace(
    of members: [Int], isFresh: Bool, in log: LimitLog, _ policy: LimitPolicy, _ costs: RequestCosts?,
    _ shared: Bool, _ options: LimitJudgeOptions
  ) -> (trace: LimitTrace, refusals: Int) {
    let timeout = options.decisionTimeout.inSeconds
    var requests: [LimitTrace.Request] = []
    requests.reserveCapacity(members.count)
    var passing: [(sent: Double, settled: Double)] = []
    var refusals = 0
    for index in members {
      let observation = log.observations[index]
      let sent = Double(observation.sent - log.start) * 1e-9
      guard let answered = observation.answered, observation.status != 0 else {
        requests.append(
          LimitTrace.Request(
            sent: sent, settled: sent + timeout, role: .possible, id: index, cost: costs?.most(index) ?? 1))
        continue
      }
      let settled = Double(answered - log.start) * 1e-9
      var role = policy.role(of: observation, in: log)
      if role == .refused { refusals += 1 }
      if role == .starter { passing.append((sent, settled)) }
      if role == .certain, let costs, costs.known(index) == nil { role = .possible }
      requests.append(
        LimitTrace.Request(sent: sent, settled: settled, role: role, id: index, cost: costs?.most(index) ?? 1))
    }
    if !passing.isEmpty {
      passing.sort { $0.sent < $1.sent }
      var latest = -Double.infinity
      let until = passing.map {
        latest = max(latest, $0.settled)
        return latest
      }
      let starts = passing.map(\.sent)
      requests.removeAll { request in
        guard request.role == .refused else { return false }
        let before = starts.count(upTo: request.settled)
        return before > 0 && until[before - 1] >= request.sent
      }
    }
    if let debt = costs?.weighing.debt(of: requests, policy) {
      requests.removeAll { $0.role == .refused && $0.settled >= debt }
    }
    let first = requests.lazy.map(\.sent).min() ?? 0
    let trace = LimitTrace(
      requests, startsQuiet: options.startsQuiet || first >= policy.window.inSeconds * (1 + LimitTerms.usualDrift),
      isFresh: isFresh, refusedMayCount: shared || policy.counts.refused != .no, sharesRefusals: shared,
      weighing: costs?.weighing)
    return (trace, refusals)
  }
}

extension ClientIdentity {
  /// All that distinguishes this client from others.
  var wholeText: String {
    ([sourceAddress] + headers.map { "\($0.name): \($0.value)" }).joined(separator: "\u{1F}")
  }
}

extension KeyedTrace {
  /// The key as in the chart of the report: at most `most` ticks. If some must be selected, those around the witness.
  func strip(policy: LimitPolicy, witness: [Int], most: Int = 2000) -> KeyStrip {
    var range = trace.requests.indices
    if range.count > most {
      let middle = witness.isEmpty ? range.lowerBound : (witness[0] + witness[witness.count - 1]) / 2
      let low = max(0, min(middle - most / 2, range.count - most))
      range = low..<(low + most)
    }
    return KeyStrip(
      key: key,
      requests: range.map { KeyStrip.Tick(at: trace.requests[$0].sent, decision: trace.requests[$0].decision) },
      windows: windowStarts(policy, in: range),
      witness: witness.filter(range.contains).map { $0 - range.lowerBound })
  }

  /// The beginnings of windows: proven for aligned ones, plausible for fixed ones, none for the sliding kinds.
  private func windowStarts(_ policy: LimitPolicy, in range: Range<Int>) -> [Double] {
    guard let last = range.last else { return [] }
    let window = policy.window.inSeconds
    let from = trace.requests[range.lowerBound].sent
    let to = trace.requests[last].sent
    guard window > 0, (to - from) / window < 1000 else { return [] }
    switch policy.algorithm {
    case .fixedAligned:
      let terms = LimitTerms(policy, unit: trace.unit, tick: 1e-3, drift: LimitTerms.usualDrift)
      let phases = AlignedWindowRule.phases(of: trace, terms)
      guard let widest = phases.intervals.max(by: { $0.high - $0.low < $1.high - $1.low }),
        phases.measure < window / 4
      else { return [] }
      let phase = (widest.low + widest.high) / 2
      let first = ((from - phase) / window).rounded(.down)
      return Array(stride(from: first * window + phase, through: to, by: window))
    case .fixed:
      var starts: [Double] = []
      for index in range where trace.requests[index].role == .certain {
        if trace.requests[index].sent >= (starts.last ?? -.infinity) + window {
          starts.append(trace.requests[index].sent)
        }
      }
      return starts
    case .slidingLog, .slidingCounter, .tokenBucket, .any: return []
    }
  }
}
