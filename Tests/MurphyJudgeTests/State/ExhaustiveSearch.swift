import MurphyJudge
import MurphyModel
import Simulation

/// Whether one order of the operations explains everything, by trying all orders: for at most seven of them.
enum ExhaustiveSearch {
  struct Operation<Payload> {
    var span: Span
    var isOptional = false
    var payload: Payload

    init(_ span: Span, isOptional: Bool = false, _ payload: Payload) {
      (self.span, self.isOptional, self.payload) = (span, isOptional, payload)
    }
  }

  private struct Node<State: Hashable>: Hashable {
    var done: Int
    var state: State
  }

  /// - Parameter step: the state behind an operation; nil where the operation is impossible.
  static func explains<State: Hashable, Payload>(
    _ operations: [Operation<Payload>], from initial: State, step: (State, Payload) -> State?
  ) -> Bool {
    let must = operations.indices.filter { !operations[$0].isOptional }.reduce(0) { $0 | 1 << $1 }
    var seen: Set<Node<State>> = []
    var stack = [Node(done: 0, state: initial)]
    while let node = stack.popLast() {
      if node.done & must == must { return true }
      guard seen.insert(node).inserted else { continue }
      let open = operations.indices.filter { node.done >> $0 & 1 == 0 }
      let bound = open.filter { !operations[$0].isOptional }.map { operations[$0].span.until }.min() ?? .max
      for place in open where operations[place].span.from <= bound {
        guard let next = step(node.state, operations[place].payload) else { continue }
        stack.append(Node(done: node.done | 1 << place, state: next))
      }
    }
    return false
  }
}

/// A random stretch of time for a small history.
struct SmallSpan {
  var span: Span
  var isOptional: Bool

  static func drawn(_ count: Int, unknown: Double = 0.2, _ random: inout RandomSource) -> [SmallSpan] {
    (0..<count).map { _ in
      let from = random.uniform(0, 10)
      let length = [0.3, 1, 3, 6][Int(random.next() % 4)] * random.unit()
      let isOptional = random.unit() < unknown
      return SmallSpan(
        span: Span(Int64(from * 1e9), isOptional ? Span.forever : Int64((from + length) * 1e9)), isOptional: isOptional)
    }
  }
}

/// How a rule compares with the search.
struct Agreement {
  var impossible = 0
  /// Found, though some order explains everything.
  var falseAlarms = 0
  var missed = 0

  mutating func note(found: Bool, isPossible: Bool) {
    if !isPossible { impossible += 1 }
    if found, isPossible { falseAlarms += 1 }
    if !found, !isPossible { missed += 1 }
  }

  static func over(_ count: Int, seed: UInt64, _ trial: (inout RandomSource) -> (found: Bool, isPossible: Bool)) -> Self
  {
    var agreement = Agreement()
    for number in 0..<count {
      var random = RandomSource(seed: seed, stream: UInt64(number))
      let (found, isPossible) = trial(&random)
      agreement.note(found: found, isPossible: isPossible)
    }
    return agreement
  }
}

extension RandomSource {
  mutating func below(_ count: Int) -> Int { Int(next() % UInt64(count)) }
}

extension KeyVerdict {
  var isViolated: Bool { if case .violated = outcome { true } else { false } }
}
