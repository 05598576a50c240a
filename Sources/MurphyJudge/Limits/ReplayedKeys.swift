import MurphyModel

/// The busiest keys of a policy, in a form for replays against another limiter.
struct ReplayedKeys {
  struct Event {
    var sent: Double
    var settled: Double
    var role: LimitTrace.Role
    /// True if no response was received, so that the decision is unknown.
    var isLost: Bool
    /// The operation, which a key that is too fine distinguishes.
    var operation: Int
    /// Equal for the same client, on any loop.
    var client: Int
    var cost: Int
    /// The cost in units of the trace.
    var units: Int
  }

  struct Key {
    var trace: LimitTrace
    /// Ascending by `sent`.
    var events: [Event]
  }

  /// The busiest first.
  private(set) var keys: [Key] = []
  /// The total number of keys.
  let count: Int
  /// The end of the replayed part of the log, seconds; infinite for the whole log.
  private(set) var end = Double.infinity

  /// True if a key is not replayed to its end.
  var isCut: Bool { end < .infinity }

  /// The parts that a key that is too fine may distinguish within one key.
  enum Part: CaseIterable {
    case operation, client

    func value(_ event: Event) -> Int { self == .operation ? event.operation : event.client }
  }

  /// The parts that differ within some key.
  var parts: [Part] {
    Part.allCases.filter { part in
      keys.contains { key in key.events.contains { part.value($0) != part.value(key.events[0]) } }
    }
  }

  /// The maximum of replayed requests of one policy, which limits the time at the end of a run.
  static let mostRequests = 6_000
  static let mostKeys = 64

  /// Whole keys are left out, the least busy first. Of a single key that is too long, the beginning is used, as of a
  /// log that ended then. A proof against a part is a proof against the whole.
  ///
  /// - Parameters:
  ///   - everyKey: all keys over a shorter time, where their requests share a counter.
  ///   - isWhole: also a single key that is too long is used to its end.
  init(
    _ judged: JudgedPolicy, everyKey: Bool = false, isWhole: Bool = false, mostRequests: Int = Self.mostRequests
  ) {
    count = judged.keys.count
    let window = judged.policy.window.inSeconds
    let ordered = judged.keys.prefix(4_000).map { key in (key, key.trace.requests.map(\.sent).most(within: window)) }
      .sorted { $0.1 > $1.1 }
    var chosen: [KeyedTrace] = []
    var requests = 0
    for (key, _) in ordered {
      if !everyKey, !chosen.isEmpty, chosen.count >= Self.mostKeys || requests + key.trace.size > mostRequests {
        break
      }
      chosen.append(key)
      requests += key.trace.size
    }
    if requests > mostRequests, !isWhole {
      let moments = chosen.flatMap { $0.trace.requests.map(\.sent) }.sorted()
      end = moments[mostRequests * moments.count / requests]
    }
    // A client on two loops has two numbers.
    var clients: [ClientIdentity: Int] = [:]
    var numbers: [UInt32: Int] = [:]
    let log = judged.log
    for key in chosen {
      let events = key.trace.requests.lazy.filter { [end] in $0.sent < end }.map { request -> Event in
        let observation = log.observations[request.id]
        if numbers[observation.identity] == nil {
          let identity = log.identities[Int(observation.identity)]
          numbers[observation.identity] = clients[identity] ?? clients.count
          clients[identity] = numbers[observation.identity]
        }
        return Event(
          sent: request.sent, settled: request.settled, role: request.role,
          isLost: observation.answered == nil || observation.status == 0, operation: Int(observation.operation),
          client: numbers[observation.identity] ?? 0, cost: request.cost, units: max(key.trace.leastUnits(request), 1))
      }
      let played = Array(events)
      if !played.isEmpty { keys.append(Key(trace: key.trace, events: played)) }
    }
  }
}

extension ReplayedKeys.Key {
  /// The key's trace with other outcomes; rejections that are not complete in the part of the log are left out.
  func trace(_ roles: [LimitTrace.Role], until end: Double) -> LimitTrace {
    var requests: [LimitTrace.Request] = []
    requests.reserveCapacity(events.count)
    for (event, role) in zip(events, roles) where role != .refused || event.settled < end {
      requests.append(LimitTrace.Request(sent: event.sent, settled: event.settled, role: role, cost: event.cost))
    }
    return trace.with(requests)
  }
}

/// Finds the keys without a history, because the target itself created their values in this run, such as the token of a
/// login.
///
/// A value in a response of the run may be of any age: a server may issue one long-lived token for each user, which
/// other clients have used before. A value counts as new only if the target provably creates one for each response:
///
/// - the requests for it were equal in all but values generated in this run (method, URL, headers, body, source
///   address; none sent cookies), so that no difference between them names another user that existed before;
/// - at least `fewest` of them got a response, and no value occurred twice at the same place: a value that is cached by
///   user, or by one of a dozen servers, repeats;
/// - they were received too fast for a token that lives a second or longer. With one change of the token per second,
///   the responses to requests within [a, b] contain at most 2 + ⌊b − a⌋ different values. So tokens that all clients
///   share for a while do not count as new, nor do those made of a user's name and a clock of whole seconds;
/// - the value was in one response only, and never sent before that response was complete.
///
/// A JSON Web Token with a claim that was generated in this run needs none of this (`UniqueValues.isClaimed`).
///
/// Neither the status 201 nor a recent `iat` is proof. Frameworks respond to each POST with 201, and a token that is
/// cached for a user may have been created for another client shortly before. Without proof, a key has an unknown past.
/// The rule does not detect a target that issues old values from a store of dozens, each once.
enum CredentialKeys {
  /// The minimum of responses to equal requests.
  static let fewest = 32
  /// The minimum lifetime of a shared value, seconds.
  static let shortestLife = 1.0

  static let explanation =
    "The target issues a new key value with each response: \(fewest) or more equal requests got different values in "
    + "a short time, or the value contains a value that this run generated."

  /// The log, with marks on the headers whose values are proven to be new.
  static func marked(_ log: LimitLog) -> LimitLog {
    guard !log.missesIssues, !log.issues.isEmpty else { return log }
    var moments = minted(in: log.issues)
    guard !moments.isEmpty else { return log }
    let values = log.identities.map { identity in
      identity.headers.map { words(of: $0.value).filter { moments[$0] != nil } }
    }
    for observation in log.observations {
      for value in values[Int(observation.identity)].joined() {
        if let moment = moments[value], observation.sent < moment { moments[value] = nil }
      }
    }
    var log = log
    for index in log.identities.indices {
      let names = zip(log.identities[index].headers, values[index]).filter { $1.contains { moments[$0] != nil } }
        .map(\.0.name)
      log.identities[index].issued += names.filter { !log.identities[index].issued.contains($0) }
    }
    return log
  }

  /// The values that are proven to be new, with the time of their response.
  static func minted(in issues: [IssuedValue]) -> [String: Instant] {
    var responses: [String: Set<Instant>] = [:]
    for issue in issues { responses[issue.value, default: []].insert(issue.answered) }
    let repeating = Set(issues.filter { responses[$0.value]?.count != 1 }.map(\.issuer))
    var groups: [[String]: [IssuedValue]] = [:]
    for issue in issues where !issue.request.isEmpty && !repeating.contains(issue.issuer) {
      groups[[issue.issuer, issue.request], default: []].append(issue)
    }
    var moments: [String: Instant] = [:]
    for group in groups.values where group.count >= fewest && isFasterThanSharing(group) {
      for issue in group { moments[issue.value] = issue.answered }
    }
    return moments
  }

  /// True if more different values were received than a value that changes once in `shortestLife` can have. O(n ·
  /// span).
  private static func isFasterThanSharing(_ issues: [IssuedValue]) -> Bool {
    let issues = issues.sorted { $0.sent < $1.sent }
    for first in issues.indices {
      var end = issues[first].answered
      for last in first..<min(first + 2 * fewest, issues.count) {
        end = max(end, issues[last].answered)
        let span = Double(end - issues[first].sent) / 1e9
        if Double(last - first + 1) > 2 + (span / shortestLife).rounded(.down) { return true }
      }
    }
    return false
  }

  /// The parts of a header that a token may be: `Bearer TOKEN`, `session=TOKEN`, the whole value.
  private static func words(of value: String) -> Set<String> {
    var words = Set(value.split { " =;,".contains($0) }.map(String.init))
    words.insert(value)
    return words
  }
}
