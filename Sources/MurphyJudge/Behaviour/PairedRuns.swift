/// The same requests of two runs, and the ids that belong together.
struct PairedRuns: Sendable {
  /// The reasons why responses are not comparable.
  enum Gap: String, Sendable, CaseIterable {
    case alone = "only one of the two sessions sent the request"
    case diverged = "the requests differ, because earlier responses differ"
    case unanswered = "the base gave no response"
    case abandoned = "the user cancelled the request"
    case limited = "a rate limit rejected the request"
  }

  private(set) var pairs: [(base: RecordedMessage, candidate: RecordedMessage)] = []
  /// By operation.
  private(set) var gaps: [String: [Gap: Int]] = [:]
  private(set) var map = IdentityMap()

  init(_ base: [RecordedMessage], _ candidate: [RecordedMessage]) {
    var partners = Dictionary(candidate.map { ($0.key, $0) }) { first, _ in first }
    let all = (
      base.reduce(into: Set<String>()) { $0.formUnion($1.values) },
      candidate.reduce(into: Set<String>()) { $0.formUnion($1.values) }
    )
    var history = (Known(), Known())
    for message in base {
      guard let partner = partners.removeValue(forKey: message.key) else {
        add(.alone, message.operation)
        continue
      }
      history.0.begin(message.key.session)
      history.1.begin(partner.key.session)
      if !unite(message, partner, history, all) {
        add(.diverged, message.operation)
      } else if message.call.ending == .abandoned || partner.call.ending == .abandoned {
        add(.abandoned, message.operation)
      } else if message.status == nil {
        add(.unanswered, message.operation)
      } else if message.call.isDeferred || partner.call.isDeferred {
        add(.limited, message.operation)
      } else {
        pairs.append((message, partner))
      }
      history.0.add(message)
      history.1.add(partner)
    }
    for message in partners.values { add(.alone, message.operation) }
  }

  private mutating func add(_ gap: Gap, _ operation: String) { gaps[operation, default: [:]][gap, default: 0] += 1 }

  /// The values that the responses of a session contained so far.
  private struct Known {
    private var session = -1
    private(set) var seen: Set<String> = []
    /// In responses to writes: ids of items that the session created.
    private(set) var issued: Set<String> = []

    mutating func begin(_ number: Int) {
      guard session != number else { return }
      // The first session may be the setup, whose items all sessions use.
      if session > 0 { (seen, issued) = ([], []) }
      session = number
    }

    mutating func add(_ message: RecordedMessage) {
      seen.formUnion(message.values)
      if message.isWrite { issued.formUnion(message.values) }
    }
  }

  /// Maps the values in which two requests differ.
  ///
  /// - Returns: false if they are requests for different items, because a session chose another item.
  private mutating func unite(
    _ base: RecordedMessage, _ candidate: RecordedMessage, _ history: (Known, Known), _ all: (Set<String>, Set<String>)
  ) -> Bool {
    guard base.request.map(\.name) == candidate.request.map(\.name) else { return false }
    for (left, right) in zip(base.request, candidate.request) where left.value != right.value {
      guard map.match(left.value, right.value) == .different else { continue }
      let (one, other) = (IdentityMap.words(left.value), IdentityMap.words(right.value))
      let isParallel = one.words.count == other.words.count && one.between == other.between
      let words = isParallel ? Array(zip(one.words, other.words)) : [(left.value, right.value)]
      for (word, counterpart) in words where word != counterpart {
        let isIssued = history.0.issued.contains(word) && history.1.issued.contains(counterpart)
        let isGenerated = !history.0.seen.contains(word) && !history.1.seen.contains(counterpart)
        let isForeign = !all.0.contains(counterpart) && !all.1.contains(word)
        guard isIssued || isGenerated || isForeign, map.add(word, counterpart) else { return false }
      }
    }
    return true
  }
}
