import MurphyContract
import MurphyModel

extension RelationCase {
  private struct Text: Hashable {
    var member: Int
    var hash: UInt64
  }

  /// A string that was sent by another request in flight at the same time, and not by this one.
  mutating func judgeReturns(_ relations: ContractRelations) {
    guard let shape = relations.returns[operation], isOn(.exchanged) else { return }
    let own = log.returns.filter {
      $0.operation == Int32(operation) && $0.given.count == shape.members.count && $0.found.count == $0.given.count
    }
    tried(.exchanged, meetings(own), decides: true)
    var senders: [Text: [RelationLog.Return]] = [:]
    for entry in own {
      for (member, hash) in entry.given.enumerated() where hash != 0 {
        senders[Text(member: member, hash: hash), default: []].append(entry)
      }
    }
    var cases: [(member: Int, mine: RelationLog.Return, other: RelationLog.Return)] = []
    for entry in own {
      for (member, hash) in entry.found.enumerated() where hash != 0 && entry.given[member] != 0 {
        guard hash != entry.given[member],
          let other = senders[Text(member: member, hash: hash)]?.first(where: {
            // A client that writes the same item at the same time may see the other's result.
            ($0.thing == 0 || $0.thing != entry.thing)
              && areTogether(($0.sent, $0.answered), (entry.sent, entry.answered))
          })
        else { continue }
        cases.append((member, entry, other))
      }
    }
    guard let first = cases.min(by: { $0.mine.answered < $1.mine.answered }) else { return }
    find(
      .exchanged,
      "the \(shape.members[first.member]) in the response was sent by another request, which was in flight at the same time",
      discriminator: "returned \(shape.members[first.member])", count: cases.count,
      moments: cases.map(\.mine.answered), requests: [first.mine.request, first.other.request])
  }

  /// Responses with a returned string while another request with another string was in flight.
  private func meetings(_ own: [RelationLog.Return]) -> Int {
    var open: [RelationLog.Return] = []
    var met: Set<Int64> = []
    for entry in own.sorted(by: { $0.sent < $1.sent }) {
      open.removeAll { $0.answered - log.clockWidth < entry.sent }
      let others = open.filter {
        differ($0, entry) && areTogether(($0.sent, $0.answered), (entry.sent, entry.answered))
      }
      if !others.isEmpty { met.formUnion(others.map(\.answered) + [entry.answered]) }
      open.append(entry)
    }
    return met.count
  }

  /// True if one of them could show a string of the other.
  private func differ(_ one: RelationLog.Return, _ other: RelationLog.Return) -> Bool {
    (one.thing == 0 || one.thing != other.thing)
      && one.given.indices.contains { member in
        one.given[member] != other.given[member] && one.given[member] != 0 && other.given[member] != 0
          && (one.found[member] != 0 || other.found[member] != 0)
      }
  }

  /// True if two requests were certainly in flight at one time. Between inexact clocks, the times were moved apart by
  /// the inexactness, so that a wrong order is not claimed; here that would claim too much.
  func areTogether(_ one: (sent: Int64, answered: Int64), _ other: (sent: Int64, answered: Int64)) -> Bool {
    one.sent <= other.answered - log.clockWidth && other.sent <= one.answered - log.clockWidth
  }
}
