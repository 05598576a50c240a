/// What a scenario's own formula says of every read of a key, as data.
///
///     or    = and *("or" and)          and  = not *("and" not)         not = ["not"] test
///     test  = sum ("<" | "<=" | "==" | "!=" | ">=" | ">") sum | "(" or ")"
///     sum   = part *(("+" | "-") part)  part = unit *("*" unit)
///     unit  = number | "(" sum ")" | ("min" | "max") "(" sum "," sum ")" | "read." NAME | SET "." TIME
///     SET   = "accepted" | "refused" | "unknown"                       TIME = "before" | "begun" | "all"
///
/// `accepted.before` counts the accepted writes that ended before the read was sent, `begun` those that were sent before
/// it was answered, and `all` those of the whole run.
package indirect enum StateFormula: Sendable, Hashable {
  case number(Int64)
  case read(String)
  case count(Outcomes, When)
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

/// A statement over formulas.
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
  /// Names of values that it takes from the answer.
  package var names: Set<String> {
    switch self {
    case .number, .count: []
    case .read(let name): [name]
    case .sum(let left, let right), .difference(let left, let right), .product(let left, let right),
      .least(let left, let right), .greatest(let left, let right):
      left.names.union(right.names)
    }
  }
}

extension StateCondition {
  /// Names of values that it takes from the answer.
  package var names: Set<String> {
    switch self {
    case .test(let left, _, let right): left.names.union(right.names)
    case .both(let left, let right), .either(let left, let right): left.names.union(right.names)
    case .not(let inner): inner.names
    }
  }
}
