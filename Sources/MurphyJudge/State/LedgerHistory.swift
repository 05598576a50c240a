import MurphyModel

/// The log of one key of a ledger.
package struct LedgerHistory: Sendable {
  /// An action of a voter.
  package struct Action: Sendable {
    package var change: Change
    /// Numbered from 0 within the key.
    package var voter: Int
    package var kind: Choice

    package init(_ change: Change, voter: Int, kind: Choice) {
      self.change = change
      self.voter = voter
      self.kind = kind
    }
  }

  /// The choice of a voter; a set of choices is a bit mask.
  package enum Choice: UInt8, Sendable, CaseIterable {
    case up = 1
    case down = 2
    case none = 4
  }

  /// The counts in a response.
  package struct View: Sendable {
    /// The possible time of the counts.
    package var span: Span
    /// The count of votes up; nil if the response lacks it.
    package var up: Int64?
    /// The count of votes down; nil if the response lacks it.
    package var down: Int64?
    /// The action of the response; nil for a read.
    package var own: Int?
    /// The exchange's index in the log.
    package var index: Int

    package init(_ span: Span, up: Int64?, down: Int64?, own: Int? = nil, index: Int) {
      self.span = span
      self.up = up
      self.down = down
      self.own = own
      self.index = index
    }
  }

  /// True if a second vote of the same kind cancels the first; otherwise the last action of a voter counts.
  package var toggles = false
  package var actions: [Action] = []
  /// Actions that the API rejected.
  package var refused: [Action] = []
  /// The counts in responses.
  package var views: [View] = []
  /// By voter: true if it certainly did nothing before the log begins.
  package var isFresh: [Bool] = []

  package init() {}
}

extension LedgerHistory {
  /// Reads one key's exchanges.
  init(_ indices: ArraySlice<Int>, of log: StateLog, _ terms: StateTerms, toggles: Bool = false) {
    self.toggles = toggles
    var voters: [Int32: Int] = [:]
    var repeats = Repeats()
    /// For each request, the write that its `answer` follows.
    var last: (index: Int, action: Int?)?
    for index in indices {
      let exchange = log.exchanges[index]
      switch exchange.role {
      case .write:
        let voter = voters[exchange.actor] ?? voters.count
        if voter == voters.count {
          voters[exchange.actor] = voter
          isFresh.append(terms.startsQuiet || log.freshActors.contains(exchange.actor))
        }
        guard let kind = Choice(rawValue: UInt8(truncatingIfNeeded: exchange.a)) else { continue }
        if let change = terms.change(exchange, index: index) {
          if let first = repeats.first(exchange, at: actions.count) {
            actions[first].change.merge(change)
            last = nil
            continue
          }
          last = (index, actions.count)
          actions.append(Action(change, voter: voter, kind: kind))
        } else {
          last = nil
          let span = Span(exchange.sent, exchange.answered)
          refused.append(Action(Change(span, isOptional: true, index: index), voter: voter, kind: kind))
        }
      case .answer:
        guard let last, last.index == index - 1, terms.lags[Int(exchange.operation)] ?? 0 == 0 else { continue }
        views.append(
          View(
            Span(exchange.sent, exchange.answered), up: exchange.value(\.a), down: exchange.value(\.b),
            own: last.action, index: index))
      case .read:
        views.append(
          View(terms.view(exchange), up: exchange.value(\.a), down: exchange.value(\.b), index: index))
      default: break
      }
    }
    views.removeAll { $0.own.map(repeats.repeated.contains) ?? false }
  }
}

extension StateExchange {
  /// A number of it; nil where it was missing.
  func value(_ path: KeyPath<StateExchange, Int64>) -> Int64? {
    self[keyPath: path] == Self.none ? nil : self[keyPath: path]
  }
}
