import MurphyModel

/// Counts equal occurrences of wrong statements and converts them into findings.
final class RateHeaderTally {
  private struct Entry {
    var finding: Finding
    var order: Int
    var strength: Double
    /// True if it follows from responses alone, and not from the policy.
    var isSeen: Bool
  }

  let log: LimitLog
  let options: LimitJudgeOptions
  let policy: LimitPolicy
  /// The maximum of requests in a script.
  private static let longestScript = 600
  private var entries: [String: Entry] = [:]
  /// By identity: the key under which the policy counts it.
  private lazy var keys = log.identities.map { policy.key.value(for: $0) }

  init(log: LimitLog, options: LimitJudgeOptions, policy: LimitPolicy) {
    self.policy = policy
    self.log = log
    self.options = options
  }

  /// - Parameters:
  ///   - kind: the part after `limit.`.
  ///   - discriminator: the common property of equal occurrences; the operation is added.
  ///   - other: the request that, together with this one, proves that one of their statements is wrong.
  ///   - severity: the harm of this occurrence; nil for that of the kind. The most severe occurrence is shown.
  ///   - strength: the size of the contradiction in seconds; the largest one is shown. Those over a second are equal.
  ///   - message: evaluated for the first occurrence, and for those with more harm or a larger contradiction.
  func add(
    _ kind: FindingKind, at event: RateHeaderTrace.Event, discriminator: String = "",
    other: RateHeaderTrace.Event? = nil, severity: Finding.Severity? = nil, strength: Double = 0,
    message: () -> String
  ) {
    let severity = severity ?? kind.rule.severity
    let sent = Duration.saturating(seconds: event.sent)
    let strength = min(strength, 1)
    let operation = log.operations[Int(event.operation)]
    let needsHistory = event.isRejection || event.role == .refused || kind.isAboutRemaining
    let name = "\(kind)\u{1F}\(operation)\u{1F}\(discriminator)"
    if entries[name] != nil {
      entries[name]!.finding.count += 1
      entries[name]!.finding.firstSeen = min(entries[name]!.finding.firstSeen, sent)
      entries[name]!.finding.lastSeen = max(entries[name]!.finding.lastSeen, sent)
      let shown = (entries[name]!.finding.severity, entries[name]!.strength)
      guard (severity, strength) > shown else { return }
      entries[name]!.strength = strength
      entries[name]!.finding.severity = severity
      entries[name]!.finding.message = message()
      entries[name]!.finding.evidence = evidence(event, other, needsHistory: needsHistory)
      return
    }
    let finding = Finding(
      kind: kind, severity: severity, operation: operation, message: message(),
      firstSeen: sent, lastSeen: sent, discriminator: discriminator,
      evidence: evidence(event, other, needsHistory: needsHistory))
    entries[name] = Entry(finding: finding, order: entries.count, strength: strength, isSeen: discriminator.isEmpty)
  }

  private static let aboutWaits: Set<FindingKind> = [
    .limitRetryAfterTooShort, .limitRetryAfterTooLong, .limitRetryAfterDrift, .limitRetryAfterBeforeReset,
  ]

  /// A wrong wait has several symptoms but is one finding. The most harmful one takes precedence in it, and then an
  /// observed admission or rejection.
  var findings: [Finding] {
    let ordered = entries.values.sorted { left, right in
      if left.finding.severity != right.finding.severity { return left.finding.severity > right.finding.severity }
      return (left.isSeen ? 0 : 1, left.order) < (right.isSeen ? 0 : 1, right.order)
    }
    var folded: [Finding] = []
    for finding in ordered.map(\.finding) {
      let first = folded.firstIndex {
        $0.kind == finding.kind && $0.operation == finding.operation && Self.aboutWaits.contains(finding.kind)
      }
      guard let first else {
        folded.append(finding)
        continue
      }
      let count = finding.count == 1 ? "once" : "\(finding.count) times"
      folded[first].details.append("Another observation of this violation (\(count)): \(finding.message)")
    }
    return folded
  }

  private func evidence(_ event: RateHeaderTrace.Event, _ other: RateHeaderTrace.Event?, needsHistory: Bool) -> Evidence
  {
    let observation = log.observations[event.observation]
    let identity = log.identities[Int(event.identity)]
    let window = needsHistory ? policy.window.text : ""
    var script = LimitScript(log: log, options: options, key: policy.key, window: window)
    let request = script.request(event.observation, output: .response)
    let body = observation.body < 0 || log.hidesContent ? nil : log.bodies[Int(observation.body)]
    let exchange = Exchange(
      method: request.method, url: request.url.shown,
      requestHeaders: identity.headers.map {
        log.secretHeaders.contains($0.name) ? HeaderField($0.name, "***") : $0
      }, requestBody: request.body?.shown, status: Int(observation.status),
      responseHeaders: observation.headers < 0 ? [] : log.headerSets[Int(observation.headers)], responseBody: body,
      responseSize: body?.utf8.count ?? 0, sent: .saturating(seconds: event.sent),
      took: .saturating(seconds: event.settled - event.sent))
    guard needsHistory else {
      return Evidence(exchange: exchange, curl: script.replay([event.observation], showing: [event.observation]))
    }
    if event.isRejection {
      script.remark =
        "The limiter must reject the last request. If it does not, run the command again after \(policy.window.text)."
    } else if other != nil {
      script.remark =
        "The responses depend on the position in the window. If the command does not reproduce the finding, run it "
        + "again after \(policy.window.text)."
    }
    let isLast = other.map { $0.sent <= event.sent } ?? true
    let (first, last) = isLast ? (other ?? event, event) : (event, other ?? event)
    let indices = history(of: first, until: last.sent) + [last.observation]
    return Evidence(exchange: exchange, curl: script.replay(indices, showing: [first.observation, last.observation]))
  }

  /// The requests under the same key to the policy's operations until `end` that led to the limiter's statement.
  private func history(of event: RateHeaderTrace.Event, until end: Double) -> [Int] {
    let key = keys[Int(event.identity)]
    let sent = log.observations.indices.filter { index in
      let observation = log.observations[index]
      return keys[Int(observation.identity)] == key && Double(observation.sent - log.start) * 1e-9 < end
        && policy.covers(log.operations[Int(observation.operation)])
    }
    return LimitScript.history(sent, of: event.observation, log, window: policy.window.inSeconds)
      .suffix(Self.longestScript)
  }
}

extension FindingKind {
  /// True if the wrong statement is about the remaining requests.
  var isAboutRemaining: Bool {
    [.limitRemainingImpossible, .limitRemainingRepeats, .limitRemainingTooHigh, .limitRemainingJumps].contains(self)
  }
}
