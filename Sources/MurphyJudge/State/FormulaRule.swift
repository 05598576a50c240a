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
