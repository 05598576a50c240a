import MurphyModel

/// Searches for an order of the effects by trial (Wing and Gong, 1993, with a memory of the tried states).
///
/// The history is cut where no exchange was in flight; the set of possible states is passed across a cut.
struct RegisterSearch {
  enum Result {
    case explained
    /// The exchanges of the stretch without an explanation.
    case contradiction([Int])
    /// The number of exchanges that were in flight at once.
    case givenUp(Int)
  }

  private(set) var result = Result.explained

  private struct Operation {
    var span: Span
    var isRead: Bool
    var value: RegisterHistory.Value
    var index: Int
  }

  /// The current value, and the unknown writes that have taken effect.
  private struct State: Hashable {
    var value: RegisterHistory.Value
    var ghosts: [UInt64]
  }

  private struct Node: Hashable {
    var done: [UInt64]
    var state: State
  }

  init(_ history: RegisterHistory, initial: RegisterHistory.Value, budget: Int) {
    var times: [RegisterHistory.Value: Int] = [:]
    for write in history.writes { times[write.value, default: 0] += 1 }
    var firstRead: [RegisterHistory.Value: Int64] = [:]
    var operations: [Operation] = []
    for read in history.reads {
      firstRead[read.value] = min(firstRead[read.value] ?? .max, read.span.until)
      operations.append(Operation(span: read.span, isRead: true, value: read.value, index: read.index))
    }
    // Unknown writes that may take effect at any time after their send, or never.
    var ghosts: [(from: Int64, value: RegisterHistory.Value)] = []
    for write in history.writes {
      let (change, value) = (write.change, write.value)
      let isSeen = firstRead[value] != nil
      if change.isOptional, value != RegisterHistory.absent, !isSeen { continue }
      if change.isOptional, value == RegisterHistory.absent || times[value] ?? 0 > 1 || value == initial {
        ghosts.append((change.span.from, value))
        continue
      }
      var span = change.span
      // An unknown write that was seen took effect before that response.
      if change.isOptional { span.until = min(span.until, firstRead[value] ?? span.until) }
      operations.append(Operation(span: span, isRead: false, value: value, index: change.index))
    }
    operations.sort { ($0.span.from, $0.span.until) < ($1.span.from, $1.span.until) }
    let words = max((ghosts.count + 63) / 64, 1)
    var states: Set<State> = [State(value: initial, ghosts: Array(repeating: 0, count: words))]
    var (start, spent) = (0, 0)
    while start < operations.count {
      var (end, last) = (start + 1, operations[start].span.until)
      while end < operations.count, operations[end].span.from <= last {
        last = max(last, operations[end].span.until)
        end += 1
      }
      let segment = Array(operations[start..<end])
      guard let next = Self.walk(segment, from: states, ghosts, budget: budget, &spent) else {
        result = .givenUp(Self.together(segment))
        return
      }
      if next.isEmpty {
        result = .contradiction(segment.map(\.index))
        return
      }
      states = next
      start = end
    }
  }

  /// The states that are possible after a segment; nil when the budget is used up.
  private static func walk(
    _ segment: [Operation], from states: Set<State>, _ ghosts: [(from: Int64, value: RegisterHistory.Value)],
    budget: Int, _ spent: inout Int
  ) -> Set<State>? {
    var seen: Set<Node> = []
    var behind: Set<State> = []
    let words = (segment.count + 63) / 64
    var stack = states.map { Node(done: Array(repeating: 0, count: words), state: $0) }
    while let node = stack.popLast() {
      guard seen.insert(node).inserted else { continue }
      spent += 1
      if spent > budget { return nil }
      let open = segment.indices.filter { node.done[$0 / 64] >> UInt64($0 % 64) & 1 == 0 }
      guard let bound = open.map({ segment[$0].span.until }).min() else {
        behind.insert(node.state)
        continue
      }
      for place in open where segment[place].span.from <= bound {
        let operation = segment[place]
        guard !operation.isRead || operation.value == node.state.value else { continue }
        var next = node
        next.done[place / 64] |= 1 << UInt64(place % 64)
        next.state.value = operation.value
        stack.append(next)
      }
      for (place, ghost) in ghosts.enumerated()
      where ghost.from <= bound && ghost.value != node.state.value
        && node.state.ghosts[place / 64] >> UInt64(place % 64) & 1 == 0
      {
        var next = node
        next.state.value = ghost.value
        next.state.ghosts[place / 64] |= 1 << UInt64(place % 64)
        stack.append(next)
      }
    }
    return behind
  }

  /// The most exchanges that were in flight at once.
  private static func together(_ segment: [Operation]) -> Int {
    let ends = segment.map(\.span.until).sorted()
    return segment.map { operation in
      segment.prefixCount { $0.span.from <= operation.span.from } - ends.prefixCount { $0 < operation.span.from }
    }.max() ?? 0
  }
}

/// The log of one key that is read, written and removed as a whole.
package struct RegisterHistory: Sendable {
  /// A value by its number; ``absent`` for none.
  package typealias Value = Int32
  /// The value of a resource that does not exist.
  package static let absent: Value = -1
  /// The value before the log begins.
  package static let initial: Value = -2

  /// A write or a removal.
  package struct Write: Sendable {
    /// The possible time of the write.
    package var change: Change
    /// ``absent`` for a removal.
    package var value: Value

    package init(_ change: Change, value: Value) {
      self.change = change
      self.value = value
    }
  }

  /// A response that shows the value.
  package typealias Read = Sighting<Value>

  /// The writes that may have taken effect.
  package var writes: [Write] = []
  /// The responses that show the value.
  package var reads: [Read] = []

  package init() {}
}

extension RegisterHistory {
  init(_ indices: ArraySlice<Int>, of log: StateLog, _ terms: StateTerms) {
    for index in indices {
      let exchange = log.exchanges[index]
      switch exchange.role {
      case .write, .create, .delete:
        guard let change = terms.change(exchange, index: index) else { continue }
        writes.append(Write(change, value: exchange.role == .delete ? Self.absent : exchange.c))
      case .read:
        reads.append(Read(terms.view(exchange), value: exchange.c, index: index))
      default: break
      }
    }
  }

  /// The value of the first read that no write of this run explains: it existed before.
  ///
  /// - Returns: ``initial`` without a read of it.
  func before() -> Value {
    var begun: [Value: Int64] = [:]
    for write in writes { begun[write.value] = min(begun[write.value] ?? .max, write.change.span.from) }
    let firstEnd = firstEnd
    return reads.filter { $0.span.from <= firstEnd && begun[$0.value] ?? .max > $0.span.until }
      .min { $0.span.until < $1.span.until }?.value ?? Self.initial
  }

  /// Removes the reads that may show the value before the log.
  mutating func dropEarlyReads() {
    let firstEnd = firstEnd
    reads.removeAll { $0.span.from <= firstEnd }
  }

  private var firstEnd: Int64 {
    writes.lazy.filter { !$0.change.isOptional }.map(\.change.span.until).min() ?? .max
  }
}
