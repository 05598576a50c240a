import MurphyModel

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
  private var untold: Set<Term> = []
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
          untold.insert(term)
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
    guard !untold.contains(term) else { return nil }
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
