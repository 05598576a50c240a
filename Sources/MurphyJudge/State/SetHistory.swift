import MurphyModel

/// What the log holds of a set: things that are created, listed, asked for and removed, each with an id of its own.
package struct SetHistory: Sendable {
  /// One thing.
  package struct Item: Sendable {
    /// Who created it; -1 for a set that is everybody's.
    package var owner: Int32 = -1
    package var creations: [Change] = []
    /// The answer of another creation with the same idempotency key, which made another thing.
    package var twin: Int?
    package var deletions: [Change] = []
    /// Answers that show it.
    package var shown: [Sight] = []
    /// Answers for it alone that say that it is not there.
    package var missing: [Sight] = []

    package init() {}
  }

  package struct Sight: Sendable, Hashable {
    package var span: Span
    /// Whose list it is, or who asked; -1 for a set that is everybody's.
    package var owner: Int32
    /// Whether it is of a list, or of a page of one.
    package var isListed: Bool
    package var index: Int

    package init(_ span: Span, owner: Int32 = -1, isListed: Bool = false, index: Int) {
      self.span = span
      self.owner = owner
      self.isListed = isListed
      self.index = index
    }
  }

  /// A creation without an answer: its id is not known.
  package struct Unknown: Sendable {
    package var change: Change
    package var owner: Int32
  }

  package var items: [Int32: Item] = [:]
  /// Whole lists.
  package var lists: [Sight] = []
  /// By list: the ids that it shows.
  package var members: [Int: Set<Int32>] = [:]
  package var unknown: [Unknown] = []

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
    var creations: [Creation] = []
    var repeats = Repeats()
    for index in indices {
      let exchange = log.exchanges[index]
      let sight = Sight(
        terms.view(exchange), owner: exchange.actor, isListed: exchange.value(\.b) != nil, index: index)
      switch exchange.role {
      case .create:
        guard let change = terms.change(exchange, index: index) else { continue }
        if let first = repeats.first(exchange, at: creations.count) {
          creations[first].repeated(by: change, exchange.key)
        } else {
          creations.append(Creation(change, exchange))
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
          items[exchange.key, default: Item()].shown.append(
            Sight(terms.view(exchange), owner: exchange.actor, isListed: true, index: list))
        } else {
          items[exchange.key, default: Item()].shown.append(sight)
        }
      case .absent: items[exchange.key, default: Item()].missing.append(sight)
      default: break
      }
    }
    for creation in creations { enter(creation) }
  }

  /// One creation, however often it was sent.
  private struct Creation {
    var change: Change
    var owner: Int32
    /// The ids that it was answered with, each with its own answer.
    var things: [(key: Int32, change: Change)] = []

    init(_ change: Change, _ exchange: StateExchange) {
      self.change = change
      owner = exchange.actor
      if !change.isOptional, exchange.key >= 0 { things = [(exchange.key, change)] }
    }

    mutating func repeated(by again: Change, _ key: Int32) {
      change.merge(again)
      guard !again.isOptional, key >= 0, !things.contains(where: { $0.key == key }) else { return }
      things.append((key, again))
    }
  }

  private mutating func enter(_ creation: Creation) {
    guard let first = creation.things.first else {
      return unknown.append(Unknown(change: creation.change, owner: creation.owner))
    }
    for (key, own) in creation.things {
      items[key, default: Item()].owner = creation.owner
      items[key]?.creations.append(creation.things.count == 1 ? creation.change : own)
      if key != first.key { items[key]?.twin = first.change.index }
    }
  }
}
