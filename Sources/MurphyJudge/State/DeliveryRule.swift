import MurphyModel

/// One ticket for each message, in order, with a unique id, and finally its receipt (docs/state.md §7).
struct DeliveryRule {
  /// The maximum time until a receipt exists, from the response with the ticket, nanoseconds.
  var within: Int64

  /// A ticket with the facts of its message.
  private struct Ticket {
    var index: Int
    var answered: Int64
    var facts: TicketFacts
  }

  /// A message that is sent again with the idempotency key of its batch.
  private struct Message: Hashable {
    var once: Int32
    var place: Int64
  }

  /// All batches of a run are one: ids are unique over all of them.
  func judge(_ indices: ArraySlice<Int>, of log: StateLog) -> KeyVerdict {
    var power = KeyVerdict.Power()
    var born: [Int32: Ticket] = [:]
    var sent: [Message: (id: Int32, index: Int)] = [:]
    var found: StateViolation?
    func find(_ kind: FindingKind, _ fact: StateViolation.Fact, _ witness: [Int]) {
      if found == nil { found = StateViolation(kind, fact, witness: witness) }
    }
    for index in indices {
      let exchange = log.exchanges[index]
      switch exchange.role {
      case .batch:
        power.writes += 1
        if exchange.a > 1 { power.sharp += 1 }
        if exchange.a != exchange.b {
          find(.stateDeliveryCount, .ticketCount(messages: exchange.a, tickets: exchange.b), [index])
        }
      case .ticket:
        power.reads += 1
        let facts = TicketFacts(rawValue: exchange.b)
        if facts.contains(.isWrong) { find(.stateDeliveryOrder, .ticketOrder(place: exchange.a + 1), [index]) }
        guard exchange.c >= 0 else { continue }
        if exchange.once >= 0 {
          let message = Message(once: exchange.once, place: exchange.a)
          if let earlier = sent[message] {
            // A repetition: the id was already given once.
            if earlier.id != exchange.c { find(.stateDeliveryRepeated, .batchRepeated, [earlier.index, index]) }
            continue
          }
          sent[message] = (exchange.c, index)
        }
        if let other = born[exchange.c] {
          find(.stateDeliveryTwice, .ticketTwice, [other.index, index])
        } else {
          born[exchange.c] = Ticket(index: index, answered: exchange.answered, facts: facts)
        }
      default: break
      }
    }
    var shown: [Int32: (says: Int32, index: Int)] = [:]
    for index in indices {
      let exchange = log.exchanges[index]
      let ticket = born[exchange.c]
      switch exchange.role {
      case .requested where exchange.outcome == .accepted:
        guard let ticket, exchange.a == 0, exchange.sent > ticket.answered.adding(within) else { continue }
        find(.stateDeliveryMissing, .receiptMissing, [ticket.index, index])
      case .receipt:
        power.reads += 1
        power.sharp += 1
        if exchange.a == 1 { find(.stateDeliveryUnasked, .receiptUnasked, [index]) }
        if let ticket, let hasFailed = exchange.value(\.b).map({ $0 == 1 }),
          ticket.facts.contains(hasFailed ? .mustArrive : .mustFail)
        {
          find(.stateDeliveryWrong, .receiptWrong, [ticket.index, index])
        }
        guard exchange.actor >= 0 else { continue }
        if let earlier = shown[exchange.c], earlier.says != exchange.actor {
          find(.stateDeliveryWrong, .receiptChanged, [earlier.index, index])
        }
        shown[exchange.c] = (exchange.actor, index)
      default: break
      }
    }
    return KeyVerdict(key: -1, found, power: power)
  }
}

/// Read your writes and monotonic reads: a session's later reads are at least as new as its writes and reads
/// (docs/state.md §8). Valid with other clients, too.
struct SessionRule {
  /// The value that one session saw of one key; it only grows.
  struct Event {
    var isRead: Bool
    var value: Int64
    var span: Span
    var index: Int
  }

  /// The first read that is too old; only responses that were received before the read was sent count.
  func contradiction(_ events: [Event]) -> StateViolation? {
    let ended = events.sorted { $0.span.until < $1.span.until }
    var (next, best): (Int, Event?) = (0, nil)
    for event in events.filter(\.isRead).sorted(by: { $0.span.from < $1.span.from }) {
      while next < ended.count, ended[next].span.until < event.span.from {
        if best.map({ $0.value < ended[next].value }) ?? true { best = ended[next] }
        next += 1
      }
      if let best, best.value > event.value {
        var violation = StateViolation(
          .stateSessionBack, .sessionBack(shown: event.value, known: best.value), witness: [])
        // In the order of time, which may differ from that of the log.
        violation.witness = [best.index, event.index]
        return violation
      }
    }
    return nil
  }

  /// The verdict on one key, over all sessions.
  func judge(_ sessions: [Int32: [Event]], key: Int32) -> KeyVerdict {
    var power = KeyVerdict.Power()
    var found: StateViolation?
    for (_, events) in sessions.sorted(by: { $0.key < $1.key }) {
      let reads = events.count(where: \.isRead)
      power.reads += reads
      power.writes += events.count - reads
      power.sharp += max(events.count - 1, 0) > 0 ? reads : 0
      found = found ?? contradiction(events)
    }
    return KeyVerdict(key: key, found, power: power)
  }

  static func sessions(_ indices: ArraySlice<Int>, of log: StateLog) -> [Int32: [Event]] {
    var sessions: [Int32: [Event]] = [:]
    for index in indices {
      let exchange = log.exchanges[index]
      guard exchange.outcome == .accepted, !exchange.isOwn, let value = exchange.value(\.a) else { continue }
      // One session belongs to one shard: the inexactness of its clock compared with others does not matter within it.
      let span = Span(exchange.sent, exchange.answered - (log.clockWidths[exchange.session] ?? 0))
      sessions[exchange.session, default: []].append(
        Event(isRead: exchange.role == .read, value: value, span: span, index: index))
    }
    return sessions
  }
}
