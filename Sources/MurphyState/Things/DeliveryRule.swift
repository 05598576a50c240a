import MurphyModel

/// One ticket for each message, in order, with an id that is given out once, and its receipt in the end
/// (docs/state.md §7).
package struct DeliveryRule: Sendable {
  /// Nanoseconds within which a receipt is there, from the answer that gave the ticket.
  package var within: Int64

  package init(within: Int64) { self.within = within }

  /// All batches of a run are one: ids are given out once over all of them.
  package func judge(_ indices: ArraySlice<Int>, of log: StateLog) -> KeyVerdict {
    var power = KeyVerdict.Power()
    var born: [Int32: (index: Int, answered: Int64)] = [:]
    var found: StateViolation?
    func find(_ kind: FindingKind, _ fact: StateViolation.Fact, _ witness: [Int]) {
      if found == nil { found = StateViolation(kind, fact, witness: witness.sorted()) }
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
        if exchange.b == 1 { find(.stateDeliveryOrder, .ticketOrder(place: exchange.a + 1), [index]) }
        guard exchange.c >= 0 else { continue }
        if let other = born[exchange.c] {
          find(.stateDeliveryTwice, .ticketTwice, [other.index, index])
        } else {
          born[exchange.c] = (index, exchange.answered)
        }
      default: break
      }
    }
    var shown: [Int32: (value: Int64, index: Int)] = [:]
    for index in indices {
      let exchange = log.exchanges[index]
      let ticket = born[exchange.c]
      switch exchange.role {
      case .asked where exchange.outcome == .accepted:
        guard let ticket, exchange.a == 0, exchange.sent > ticket.answered.later(by: within) else { continue }
        find(.stateDeliveryMissing, .receiptMissing, [ticket.index, index])
      case .receipt:
        power.reads += 1
        power.sharp += 1
        if exchange.a == 1 { find(.stateDeliveryUnasked, .receiptUnasked, [index]) }
        if exchange.b == 1 { find(.stateDeliveryWrong, .receiptWrong, [ticket?.index, index].compactMap(\.self)) }
        shown[exchange.c] = (exchange.b, index)
      default: break
      }
    }
    return KeyVerdict(key: -1, outcome: found.map { .violated($0) } ?? .consistent, power: power)
  }
}
