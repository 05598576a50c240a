import MurphyModel

/// A formula of the scenario, over the values in a response and the number of writes that were accepted, rejected or
/// unknown.
///
/// Evaluated in intervals: each term has every value that is possible for some order of the effects. Only a condition
/// that is false for all of them is a finding. Sound, and not exact (docs/state.md §9).
struct FormulaRule {
  var condition: StateCondition
  /// The names of the values `a` and `b` of a read.
  var names: [String]

  private typealias Interval = FormulaWrites.Interval

  func judge(_ indices: ArraySlice<Int>, of log: StateLog, _ terms: StateTerms, key: Int32) -> KeyVerdict {
    let writes = FormulaWrites(condition, indices, of: log, terms)
    var power = KeyVerdict.Power(writes: writes.changes.count)
    var found: StateViolation?
    for index in indices where log.exchanges[index].role == .read {
      let exchange = log.exchanges[index]
      let span = terms.view(exchange)
      power.reads += 1
      let holds = possible(condition, true) { formula in value(formula, exchange, span, writes) }
      if holds != nil, power.writes > 0 { power.sharp += 1 }
      guard holds == false, found == nil else { continue }
      let relevant = writes.changes.filter { $0.span.from <= span.until }.map(\.index)
      found = StateViolation(
        .stateFormula, .formula(shown: exchange.value(\.a)), witness: [index], writes: relevant)
    }
    return KeyVerdict(key: key, found, power: power)
  }

  /// True if some value of the terms gives the condition this boolean; nil where the response lacks a required value.
  private func possible(_ condition: StateCondition, _ truth: Bool, _ value: (StateFormula) -> Interval?) -> Bool? {
    switch condition {
    case .not(let inner): return possible(inner, !truth, value)
    case .both(let left, let right), .either(let left, let right):
      guard let left = possible(left, truth, value), let right = possible(right, truth, value) else { return nil }
      let needsBoth = if case .both = condition { truth } else { !truth }
      return needsBoth ? left && right : left || right
    case .test(let left, let comparison, let right):
      guard let left = value(left), let right = value(right) else { return nil }
      return possible(left, truth ? comparison : comparison.opposite, right)
    }
  }

  private func possible(_ left: Interval, _ comparison: StateCondition.Comparison, _ right: Interval) -> Bool {
    switch comparison {
    case .less: left.low < right.high
    case .atMost: left.low <= right.high
    case .greater: left.high > right.low
    case .atLeast: left.high >= right.low
    case .equal: left.low <= right.high && right.low <= left.high
    case .unequal: !(left.low == left.high && right.low == right.high && left.low == right.low)
    }
  }

  private func value(
    _ formula: StateFormula, _ exchange: StateExchange, _ span: Span, _ writes: FormulaWrites
  ) -> Interval? {
    func both(
      _ left: StateFormula, _ right: StateFormula, _ combine: (Interval, Interval) -> Interval?
    ) -> Interval? {
      guard let left = value(left, exchange, span, writes), let right = value(right, exchange, span, writes) else {
        return nil
      }
      return combine(left, right)
    }
    switch formula {
    case .number(let number): return Interval(low: number, high: number)
    case .read(let name):
      guard let shown = exchange.value(names.first == name ? \.a : \.b) else { return nil }
      return Interval(low: shown, high: shown)
    case .count(_, let when, _), .total(_, _, let when, _):
      return formula.term.flatMap { writes.value($0, when, at: span) }
    case .sum(let left, let right):
      return both(left, right) { Interval(low: $0.low.adding($1.low), high: $0.high.adding($1.high)) }
    case .difference(let left, let right):
      return both(left, right) {
        Interval(low: $0.low.adding(0 &- $1.high), high: $0.high.adding(0 &- $1.low))
      }
    case .product(let left, let right):
      return both(left, right) { left, right in
        let products = [left.low, left.high].flatMap { a in
          [right.low, right.high].map { a.multipliedReportingOverflow(by: $0) }
        }
        guard !products.contains(where: \.overflow) else { return nil }
        let values = products.map(\.partialValue)
        return Interval(low: values.min() ?? 0, high: values.max() ?? 0)
      }
    case .least(let left, let right):
      return both(left, right) { Interval(low: min($0.low, $1.low), high: min($0.high, $1.high)) }
    case .greatest(let left, let right):
      return both(left, right) { Interval(low: max($0.low, $1.low), high: max($0.high, $1.high)) }
    }
  }
}

extension StateCondition.Comparison {
  /// The condition that is true where this is false.
  fileprivate var opposite: Self {
    switch self {
    case .less: .atLeast
    case .atMost: .greater
    case .equal: .unequal
    case .unequal: .equal
    case .atLeast: .less
    case .greater: .atMost
    }
  }
}

/// The writes of one key as a formula counts them, or adds up one of their numbers, at any time.
struct FormulaWrites {
  /// A term of a formula: the selected writes, and the number in them that is added; nil counts them.
  struct Term: Hashable {
    var outcomes: StateFormula.Outcomes
    var number: Int?
    var match: Int?

    init(_ outcomes: StateFormula.Outcomes, number: Int? = nil, match: Int?) {
      (self.outcomes, self.number, self.match) = (outcomes, number, match)
    }
  }

  /// The minimum and the maximum over all orders of the effects.
  struct Interval: Equatable {
    var low: Int64
    var high: Int64
  }

  /// By their sends, and by their ends.
  private struct Sums {
    var sent = Running()
    var ended = Running()
  }

  private var terms: [Term: Sums] = [:]
  /// Terms with a write whose number is unknown.
  private var ambiguous: Set<Term> = []
  /// Every write with the time of its effect, in the order of the log.
  private(set) var changes: [(span: Span, index: Int)] = []

  init(_ condition: StateCondition, _ indices: ArraySlice<Int>, of log: StateLog, _ terms: StateTerms) {
    let wanted = Set(condition.formulas.compactMap(\.term))
    var entries: [Term: [(span: Span, value: Int64)]] = [:]
    for write in Self.writes(indices, of: log, terms) {
      let (exchange, span) = (log.exchanges[write.index], write.change?.span ?? write.span)
      changes.append((span, write.index))
      let outcomes: StateFormula.Outcomes =
        write.change.map { $0.isOptional ? .unknown : .accepted } ?? .refused
      let holds = exchange.c < 0 ? [] : Array(log.names[exchange.c].utf8)
      for term in wanted where term.outcomes == outcomes {
        if let match = term.match, !holds.indices.contains(match) || holds[match] != UInt8(ascii: "1") { continue }
        let value: Int64? = if let number = term.number { exchange.value(number == 0 ? \.a : \.b) } else { 1 }
        guard let value else {
          ambiguous.insert(term)
          continue
        }
        entries[term, default: []].append((span, value))
      }
    }
    for (term, writes) in entries {
      self.terms[term] = Sums(
        sent: Running(writes.map { ($0.span.from, $0.value) }), ended: Running(writes.map { ($0.span.until, $0.value) })
      )
    }
  }

  private struct Write {
    var index: Int
    /// From its send to its response.
    var span: Span
    /// Nil for one that was rejected.
    var change: Change?
  }

  /// Each write once, for any number of sends with its idempotency key.
  private static func writes(_ indices: ArraySlice<Int>, of log: StateLog, _ terms: StateTerms) -> [Write] {
    var writes: [Write] = []
    var repeats = Repeats()
    for index in indices where log.exchanges[index].role == .write {
      let exchange = log.exchanges[index]
      let change = terms.change(exchange, index: index)
      if let change, let first = repeats.first(exchange, at: writes.count) {
        writes[first].change?.merge(change)
      } else {
        writes.append(Write(index: index, span: Span(exchange.sent, exchange.answered), change: change))
      }
    }
    return writes
  }

  /// The possible values of a term for a response that shows a time of the span; nil where they are unknown.
  func value(_ term: Term, _ when: StateFormula.When, at span: Span) -> Interval? {
    guard !ambiguous.contains(term) else { return nil }
    let sums = terms[term] ?? Sums()
    switch when {
    case .all: return Self.exactly(sums.sent.sum(upTo: Span.forever))
    case .begun: return Self.exactly(sums.sent.sum(upTo: span.until))
    case .before:
      // Writes that ended before count; writes that have begun may or may not count.
      let begun = sums.sent.sum(upTo: span.until)
      let over = term.outcomes == .unknown ? Running.Sum() : sums.ended.sum(upTo: span.from.adding(-1))
      return Interval(low: over.positive + begun.negative, high: over.negative + begun.positive)
    }
  }

  private static func exactly(_ sum: Running.Sum) -> Interval {
    Interval(low: sum.positive + sum.negative, high: sum.positive + sum.negative)
  }
}

/// Sums of values up to a time, with those above and below zero separate.
private struct Running {
  struct Sum {
    var positive: Int64 = 0
    var negative: Int64 = 0
  }

  private var moments: [Int64] = []
  /// The sum of the values before each place.
  private var sums = [Sum()]

  init() {}

  init(_ values: [(at: Int64, value: Int64)]) {
    for (moment, value) in values.sorted(by: { $0.at < $1.at }) {
      var sum = sums[moments.count]
      if value > 0 { sum.positive += value } else { sum.negative += value }
      moments.append(moment)
      sums.append(sum)
    }
  }

  func sum(upTo moment: Int64) -> Sum { sums[moments.prefixCount { $0 <= moment }] }
}

extension StateFormula {
  /// The writes that it counts or adds up; nil for all other formulas.
  var term: FormulaWrites.Term? {
    switch self {
    case .count(let outcomes, _, let match): FormulaWrites.Term(outcomes, match: match)
    case .total(let number, let outcomes, _, let match): FormulaWrites.Term(outcomes, number: number, match: match)
    default: nil
    }
  }
}
