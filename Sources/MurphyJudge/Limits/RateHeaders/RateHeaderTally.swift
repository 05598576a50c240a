import MurphyModel

/// Counts equal occurrences of dishonesty and turns them into findings.
final class RateHeaderTally {
  private struct Entry {
    var finding: Finding
    var order: Int
    var strength: Double
    /// It follows from answers alone, and not from what the policy says.
    var isSeen: Bool
  }

  let log: LimitLog
  let options: LimitJudgeOptions
  let policy: LimitPolicy
  /// Requests of a script, at most.
  private static let longestScript = 600
  private var entries: [String: Entry] = [:]
  /// By identity: the key that the policy counts it under.
  private lazy var keys = log.identities.map { policy.key.value(for: $0) }

  init(log: LimitLog, options: LimitJudgeOptions, policy: LimitPolicy) {
    self.policy = policy
    self.log = log
    self.options = options
  }

  /// - Parameters:
  ///   - kind: after `limit.`.
  ///   - discriminator: what equal occurrences share; the operation is added.
  ///   - other: the request that shows, with this one, that what one of them said is wrong.
  ///   - strength: how clear it is, seconds; the clearest one is shown. Those beyond a second are alike.
  ///   - message: evaluated for the first occurrence and for those that are clearer.
  func add(
    _ kind: FindingKind, at event: RateHeaderTrace.Event, discriminator: String = "",
    other: RateHeaderTrace.Event? = nil, strength: Double = 0, message: () -> String
  ) {
    let strength = min(strength, 1)
    let operation = log.operations[Int(event.operation)]
    let needsHistory = event.role == .refused || kind.isAboutRemaining
    let name = "\(kind)\u{1F}\(operation)\u{1F}\(discriminator)"
    if entries[name] != nil {
      entries[name]!.finding.count += 1
      entries[name]!.finding.firstSeen = min(entries[name]!.finding.firstSeen, event.sent)
      entries[name]!.finding.lastSeen = max(entries[name]!.finding.lastSeen, event.sent)
      guard strength > entries[name]!.strength else { return }
      entries[name]!.strength = strength
      entries[name]!.finding.message = message()
      entries[name]!.finding.evidence = evidence(event, other, needsHistory: needsHistory)
      return
    }
    let finding = Finding(
      kind: kind, operation: operation, message: message(),
      firstSeen: event.sent, lastSeen: event.sent, discriminator: discriminator,
      evidence: evidence(event, other, needsHistory: needsHistory))
    entries[name] = Entry(finding: finding, order: entries.count, strength: strength, isSeen: discriminator.isEmpty)
  }

  private static let aboutWaits: Set<FindingKind> = [
    .limitRetryAfterTooShort, .limitRetryAfterTooLong, .limitRetryAfterDrift, .limitRetryAfterBeforeReset,
  ]

  /// A wait that is wrong shows in several ways; it is one finding, of which an admission or a refusal that was seen tells
  /// first.
  var findings: [Finding] {
    let ordered = entries.values.sorted { ($0.isSeen ? 0 : 1, $0.order) < ($1.isSeen ? 0 : 1, $1.order) }
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
      folded[first].details.append("It shows in another way, too (\(count)): \(finding.message)")
    }
    return folded
  }

  private func evidence(_ event: RateHeaderTrace.Event, _ other: RateHeaderTrace.Event?, needsHistory: Bool) -> Evidence
  {
    let observation = log.observations[event.observation]
    let identity = log.identities[Int(event.identity)]
    var script = LimitScript(log: log, options: options, key: policy.key, window: needsHistory ? policy.windowText : "")
    let request = script.request(event.observation, output: .answer)
    let body = observation.body < 0 || log.hidesContent ? nil : log.bodies[Int(observation.body)]
    let exchange = Exchange(
      method: request.method, url: request.url.shown,
      requestHeaders: identity.headers.map {
        log.secretHeaders.contains($0.name) ? HeaderField($0.name, "***") : $0
      }, requestBody: request.body?.shown, status: Int(observation.status),
      responseHeaders: observation.headers < 0 ? [] : log.headerSets[Int(observation.headers)], responseBody: body,
      responseSize: body?.utf8.count ?? 0, sent: event.sent, took: (event.settled - event.sent) * 1e6)
    guard needsHistory else {
      return Evidence(exchange: exchange, curl: script.replay([event.observation], showing: [event.observation]))
    }
    if other != nil {
      script.remark =
        "The responses depend on when in a window the requests arrive: send it again after \(policy.windowText) if they "
        + "do not show it."
    }
    let isLast = other.map { $0.sent <= event.sent } ?? true
    let (first, last) = isLast ? (other ?? event, event) : (event, other ?? event)
    let indices = history(of: first, until: last.sent) + [last.observation]
    return Evidence(exchange: exchange, curl: script.replay(indices, showing: [first.observation, last.observation]))
  }

  /// What was sent under the same key to the policy's operations until `end` and what made the limiter say what it said.
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
  /// That what an answer says of the requests left is wrong.
  var isAboutRemaining: Bool {
    [.limitRemainingImpossible, .limitRemainingRepeats, .limitRemainingTooHigh, .limitRemainingJumps].contains(self)
  }
}
