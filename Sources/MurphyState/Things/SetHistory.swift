import MurphyModel

/// What the log holds of a set: things that are created, listed, asked for and removed, each with an id of its own.
package struct SetHistory: Sendable {
  /// One thing.
  package struct Item: Sendable {
    package var creations: [Change] = []
    package var deletions: [Change] = []
    /// Answers that show it.
    package var shown: [Sight] = []
    /// Answers for it alone that say that it is not there.
    package var missing: [Sight] = []

    package init() {}
  }

  package struct Sight: Sendable, Hashable {
    package var span: Span
    package var index: Int

    package init(_ span: Span, index: Int) {
      self.span = span
      self.index = index
    }
  }

  package var items: [Int32: Item] = [:]
  /// Whole lists.
  package var lists: [Sight] = []
  /// By list: the ids that it shows.
  package var members: [Int: Set<Int32>] = [:]
  /// Creations without an answer: their ids are not known.
  package var unknown: [Change] = []

  package init() {}
}

extension SetHistory {
  /// Forgets things of which the log has only a part: what is missing of them may be what explains the rest.
  mutating func leaveOut(_ keys: Set<Int32>) {
    guard !keys.isEmpty else { return }
    for key in keys { items[key] = nil }
    for list in members.keys { members[list]?.subtract(keys) }
  }

  /// Sets are judged over all keys of an invariant, for a list shows many of them.
  init(_ indices: ArraySlice<Int>, of log: StateLog, _ terms: StateTerms) {
    var list: Int?
    for index in indices {
      let exchange = log.exchanges[index]
      let sight = Sight(terms.view(exchange), index: index)
      switch exchange.role {
      case .create:
        guard let change = terms.change(exchange, index: index) else { continue }
        if change.isOptional || exchange.key < 0 {
          unknown.append(change)
        } else {
          items[exchange.key, default: Item()].creations.append(change)
        }
      case .delete:
        if let change = terms.change(exchange, index: index) {
          items[exchange.key, default: Item()].deletions.append(change)
        } else if exchange.status == 404 || exchange.status == 410 {
          items[exchange.key, default: Item()].missing.append(sight)
        }
      case .list:
        list = index
        lists.append(sight)
        members[index] = []
      case .shown:
        // The entries of a list follow it.
        if let list, log.exchanges[list].sent == exchange.sent, log.exchanges[list].session == exchange.session,
          exchange.b == 1
        {
          members[list]?.insert(exchange.key)
          items[exchange.key, default: Item()].shown.append(Sight(terms.view(exchange), index: list))
        } else {
          items[exchange.key, default: Item()].shown.append(sight)
        }
      case .absent: items[exchange.key, default: Item()].missing.append(sight)
      default: break
      }
    }
  }
}
