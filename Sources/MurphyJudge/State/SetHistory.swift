import MurphyModel

/// The log of a set: elements that are created, listed, read and removed, each with a unique id.
package struct SetHistory: Sendable {
  /// One element.
  package struct Item: Sendable {
    /// The user who created it; -1 for a set of all users.
    package var owner: Int32 = -1
    /// More than one breaks the invariant.
    package var creations: [Change] = []
    /// The response of another creation with the same idempotency key, which created another element.
    package var twin: Int?
    /// Attempts to remove the element.
    package var deletions: [Change] = []
    /// Responses that contain it.
    package var shown: [Sight] = []
    /// Responses for it alone that report that it does not exist.
    package var missing: [Sight] = []

    package init() {}
  }

  /// One element in a response.
  package struct Sight: Sendable, Hashable {
    /// The possible time of the response's state.
    package var span: Span
    /// The owner of the list, or the user who sent the request; -1 for a set of all users.
    package var owner: Int32
    /// True if it is from a list, or from a page of one.
    package var isListed: Bool
    /// The exchange's index in the log.
    package var index: Int

    package init(_ span: Span, owner: Int32 = -1, isListed: Bool = false, index: Int) {
      self.span = span
      self.owner = owner
      self.isListed = isListed
      self.index = index
    }
  }

  /// A creation without a response: its id is unknown.
  package struct Unknown: Sendable {
    /// The possible time of the creation.
    package var change: Change
    /// The user who sent it.
    package var owner: Int32
  }

  /// By id.
  package var items: [Int32: Item] = [:]
  /// Whole lists.
  package var lists: [Sight] = []
  /// By list: the ids that it contains.
  package var members: [Int: Set<Int32>] = [:]
  /// Creations that may have succeeded.
  package var unknown: [Unknown] = []

  package init() {}
}

extension SetHistory {
  /// Removes elements of which the log has only a part: the missing part may explain the rest.
  mutating func leaveOut(_ keys: Set<Int32>) {
    guard !keys.isEmpty else { return }
    for key in keys { items[key] = nil }
    for list in members.keys { members[list]?.subtract(keys) }
  }

  /// Sets are judged over all keys of an invariant, because a list contains many of them.
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

  /// One creation, with any number of sends.
  private struct Creation {
    var change: Change
    var owner: Int32
    /// The ids in its responses, each with its own response.
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

/// Counts the whole lists of one owner by the times of sends and responses. So a list that lacks an element is found
/// without a scan of all of them.
struct SetAbsences {
  /// By send, ascending.
  private let lists: [SetHistory.Sight]
  private let members: [Int: Set<Int32>]
  /// The ends of each block of lists, ascending.
  private let blocks: [[Int64]]
  private static let size = 256

  init(_ lists: [SetHistory.Sight], members: [Int: Set<Int32>]) {
    let lists = lists.sorted { ($0.span.from, $0.index) < ($1.span.from, $1.index) }
    self.lists = lists
    self.members = members
    blocks = stride(from: 0, to: lists.count, by: Self.size).map { start in
      lists[start..<min(start + Self.size, lists.count)].map(\.span.until).sorted()
    }
  }

  /// A list that was sent after `after`, answered before `before`, and lacks the element.
  func first(of item: SetHistory.Item, key: Int32, after: Int64, before: Int64) -> SetHistory.Sight? {
    let showing = Set(item.shown.filter { $0.span.from > after && $0.span.until < before }.map(\.index))
      .filter { members[$0] != nil }
    let start = firstSent(after: after)
    guard count(from: start, before: before) > showing.count else { return nil }
    return lists[start...].first { $0.span.until < before && !(members[$0.index]?.contains(key) ?? false) }
  }

  /// The number of lists that were sent after a time.
  func count(after moment: Int64) -> Int { lists.count - firstSent(after: moment) }

  private func firstSent(after moment: Int64) -> Int { lists.prefixCount { $0.span.from <= moment } }

  /// The number of lists from that index on that were answered before then.
  private func count(from start: Int, before: Int64) -> Int {
    guard start < lists.count else { return 0 }
    let block = (start + Self.size - 1) / Self.size
    let head = lists[start..<min(block * Self.size, lists.count)].count { $0.span.until < before }
    return blocks.dropFirst(block).reduce(head) { $0 + $1.prefixCount { $0 < before } }
  }
}
