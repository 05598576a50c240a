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
  /// - Parameter everyKey: all keys over a shorter time, where their requests share a counter.
  init(_ judged: JudgedPolicy, everyKey: Bool = false, mostRequests: Int = Self.mostRequests) {
    count = judged.keys.count
    let window = judged.policy.window.inSeconds
    let ordered = judged.keys.prefix(4_000).map { key in (key, key.trace.requests.map(\.sent).most(within: window)) }
      .sorted { $0.1 > $1.1 }
    var chosen: [KeyedTrace] = []
    var requests = 0
    for (key, _) in ordered {
      if !everyKey, !chosen.isEmpty, chosen.count >= Self.mostKeys || requests + key.trace.requests.count > mostRequests
      {
        break
      }
      chosen.append(key)
      requests += key.trace.requests.count
    }
    if requests > mostRequests {
      let moments = chosen.flatMap { $0.trace.requests.map(\.sent) }.sorted()
      end = moments[mostRequests]
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
          client: numbers[observation.identity] ?? 0)
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
      requests.append(LimitTrace.Request(sent: event.sent, settled: event.settled, role: role))
    }
    return trace.with(requests)
  }
}
