/// The requirement of a scenario's own formula for every read of a key, as data.
///
///     or    = and *("or" and)          and  = not *("and" not)         not = ["not"] test
///     test  = sum ("<" | "<=" | "==" | "!=" | ">=" | ">") sum | "(" or ")"
///     sum   = part *(("+" | "-") part)  part = unit *("*" unit)
///     unit  = number | "(" sum ")" | ("min" | "max") "(" sum "," sum ")" | "read." NAME | writes
///           | "count(" writes "," match ")" | "sum(" writes "," PLACE ["," match] ")"
///     writes = ("accepted" | "refused" | "unknown") "." ("before" | "begun" | "all")
///     match  = PLACE ("==" | "!=") VALUE
///
/// `accepted.before` counts the accepted writes that ended before the read was sent. `begun` counts those that were
/// sent before its response, and `all` those of the whole run. `sum` adds up a number of each, such as body.amount.
package indirect enum StateFormula: Sendable, Hashable {
  case number(Int64)
  case read(String)
  /// The number of writes, or of those that meet a condition; conditions are numbered from 0.
  case count(Outcomes, When, matching: Int? = nil)
  /// The sum of a number that each write has; numbers are also numbered from 0.
  case total(Int, Outcomes, When, matching: Int?)
  case sum(StateFormula, StateFormula)
  case difference(StateFormula, StateFormula)
  case product(StateFormula, StateFormula)
  case least(StateFormula, StateFormula)
  case greatest(StateFormula, StateFormula)

  package enum Outcomes: String, Sendable, Hashable, CaseIterable {
    case accepted, refused, unknown
  }

  package enum When: String, Sendable, Hashable, CaseIterable {
    case before, begun, all
  }
}

/// A condition over formulas.
package indirect enum StateCondition: Sendable, Hashable {
  case test(StateFormula, Comparison, StateFormula)
  case both(StateCondition, StateCondition)
  case either(StateCondition, StateCondition)
  case not(StateCondition)

  package enum Comparison: String, Sendable, Hashable, CaseIterable {
    case less = "<"
    case atMost = "<="
    case equal = "=="
    case unequal = "!="
    case atLeast = ">="
    case greater = ">"
  }
}

extension StateFormula {
  /// The formula itself and all formulas within it.
  package var parts: [StateFormula] {
    switch self {
    case .number, .count, .total, .read: [self]
    case .sum(let left, let right), .difference(let left, let right), .product(let left, let right),
      .least(let left, let right), .greatest(let left, let right):
      [self] + left.parts + right.parts
    }
  }
}

extension StateCondition {
  /// All formulas within it.
  package var formulas: [StateFormula] {
    switch self {
    case .test(let left, _, let right): left.parts + right.parts
    case .both(let left, let right), .either(let left, let right): left.formulas + right.formulas
    case .not(let inner): inner.formulas
    }
  }

  /// Names of values that it reads from the response.
  package var names: Set<String> {
    Set(formulas.compactMap { if case .read(let name) = $0 { name } else { nil } })
  }
}
