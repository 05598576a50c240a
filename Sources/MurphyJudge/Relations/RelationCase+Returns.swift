import MurphyContract
import MurphyModel

extension RelationCase {
  private struct Text: Hashable {
    var member: Int
    var hash: UInt64
  }

  /// A text that another request sent, which was under way at the same time, and that the own one did not.
  mutating func judgeReturns(_ relations: ContractRelations) {
    guard let shape = relations.returns[operation], isOn(.exchanged) else { return }
    let own = log.returns.filter { $0.operation == Int32(operation) }
    tested[.exchanged, default: 0] += own.count
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
            // Who writes the same thing at the same time may be told what the other one made of it.
            ($0.thing == 0 || $0.thing != entry.thing) && $0.sent <= entry.answered && entry.sent <= $0.answered
          })
        else { continue }
        cases.append((member, entry, other))
      }
    }
    guard let first = cases.min(by: { $0.mine.answered < $1.mine.answered }) else { return }
    find(
      .exchanged,
      "the \(shape.members[first.member]) that came back was sent by another request, which was under way at the same time",
      discriminator: "returned \(shape.members[first.member])", count: cases.count,
      moments: cases.map(\.mine.answered), requests: [first.mine.request, first.other.request])
  }
}
