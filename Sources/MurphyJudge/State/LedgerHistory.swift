import MurphyModel

/// The log of one key of a ledger.
package struct LedgerHistory: Sendable {
  /// An action of a voter.
  package struct Action: Sendable {
    /// The possible time of the vote.
    package var change: Change
    /// Numbered from 0 within the key.
    package var voter: Int
    /// The vote that the request sets.
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
  /// The votes that may have taken effect.
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
    /// For each request, the write that its `response` follows.
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
      case .response:
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

/// The possible choices of one voter, updated with each event of the voter's writes.
protocol LedgerVoter {
  /// Kinds that may be in force.
  var mask: UInt8 { get }

  /// Kinds that may be in force directly after a write that is sent now, if no other takes effect in between.
  func mask(behind kind: LedgerHistory.Choice) -> UInt8

  mutating func begin(_ number: Int, _ action: LedgerHistory.Action)

  /// The write has no later effect.
  mutating func end(_ number: Int, _ action: LedgerHistory.Action)
}

/// The writes of one voter that may be in force, where the last one counts.
struct LastVote: LedgerVoter {
  /// Writes with a known end that are still candidates.
  private var candidates: [(until: Int64, kind: LedgerHistory.Choice)] = []
  /// The number of candidates of each kind; the state before the log counts as one.
  private var counts: SIMD4<Int32>
  private var newest = Int64.min
  private var hasBegun = false
  private let isFresh: Bool

  init(isFresh: Bool) {
    self.isFresh = isFresh
    counts = isFresh ? [0, 0, 1, 0] : [1, 1, 1, 0]
  }

  var mask: UInt8 { (counts[0] > 0 ? 1 : 0) | (counts[1] > 0 ? 2 : 0) | (counts[2] > 0 ? 4 : 0) }

  private static func slot(_ kind: LedgerHistory.Choice) -> Int { kind.rawValue.trailingZeroBitCount }

  func mask(behind kind: LedgerHistory.Choice) -> UInt8 { kind.rawValue }

  mutating func begin(_ number: Int, _ action: LedgerHistory.Action) {
    counts[Self.slot(action.kind)] += 1
    let until = action.change.span.until
    if until != Span.forever { candidates.append((until, action.kind)) }
  }

  mutating func end(_ number: Int, _ action: LedgerHistory.Action) {
    guard !action.change.isOptional else { return }
    if !hasBegun {
      hasBegun = true
      counts = counts &- (isFresh ? [0, 0, 1, 0] : [1, 1, 1, 0])
    }
    newest = max(newest, action.change.span.from)
    candidates.removeAll { candidate in
      guard candidate.until < newest else { return false }
      counts[Self.slot(candidate.kind)] -= 1
      return true
    }
  }
}

/// The possible choices of one voter where a second vote of the same kind cancels the first: every state that some
/// order of the writes in flight leads to.
struct ToggleVote: LedgerVoter {
  private struct Node: Hashable {
    /// Bits of the open writes that have taken effect.
    var done: UInt8
    var kind: LedgerHistory.Choice
  }

  private var nodes: Set<Node>
  /// Writes that may still take effect, each at the index of its bit.
  private var open: [Int?] = Array(repeating: nil, count: 6)
  private var kinds: [LedgerHistory.Choice] = Array(repeating: .none, count: 6)
  /// True if more writes were open than there are bits: from then on every choice of the voter is possible.
  private var isLost = false

  private static let any: UInt8 = 7

  init(isFresh: Bool) {
    nodes = Set((isFresh ? [.none] : LedgerHistory.Choice.allCases).map { Node(done: 0, kind: $0) })
  }

  var mask: UInt8 { isLost ? Self.any : nodes.reduce(0) { $0 | $1.kind.rawValue } }

  func mask(behind kind: LedgerHistory.Choice) -> UInt8 {
    isLost ? Self.any : nodes.reduce(0) { $0 | $1.kind.toggled(by: kind).rawValue }
  }

  mutating func begin(_ number: Int, _ action: LedgerHistory.Action) {
    guard !isLost, let place = open.firstIndex(of: nil) else {
      isLost = true
      return
    }
    (open[place], kinds[place]) = (number, action.kind)
    var stack = Array(nodes)
    while let node = stack.popLast() {
      for place in open.indices where open[place] != nil && node.done >> UInt8(place) & 1 == 0 {
        let next = Node(done: node.done | 1 << UInt8(place), kind: node.kind.toggled(by: kinds[place]))
        if nodes.insert(next).inserted { stack.append(next) }
      }
    }
  }

  mutating func end(_ number: Int, _ action: LedgerHistory.Action) {
    guard !isLost, let place = open.firstIndex(of: number) else { return }
    open[place] = nil
    let bit: UInt8 = 1 << UInt8(place)
    nodes = Set(
      nodes.filter { action.change.isOptional || $0.done & bit != 0 }.map { Node(done: $0.done & ~bit, kind: $0.kind) })
  }
}

extension LedgerHistory.Choice {
  /// The choice after another vote: the same one again cancels it.
  func toggled(by kind: Self) -> Self { kind == self ? .none : kind }
}
