/// The facts that a message implies about its ticket, as a set of bits.
package struct TicketFacts: OptionSet, Sendable {
  /// The bits.
  package let rawValue: Int64

  package init(rawValue: Int64) { self.rawValue = rawValue }

  /// The message was marked and the ticket is not an error, or the reverse.
  package static let isWrong = TicketFacts(rawValue: 1)
  /// The receipt must report the message as failed.
  package static let mustFail = TicketFacts(rawValue: 2)
  /// The receipt must report the message as delivered.
  package static let mustArrive = TicketFacts(rawValue: 4)
}

/// One exchange, or one value in a response, in the log of an invariant: 72 bytes.
package struct StateExchange: Sendable, Hashable {
  /// The outcome of an exchange, as far as the client can determine it.
  package enum Outcome: UInt8, Sendable, Hashable, CaseIterable {
    /// Answered with a status from 200 to 299, except 202: it took effect between its send and its response.
    case accepted
    /// Answered with 304 or a status from 400 to 499, except 408: it took no effect.
    case refused
    /// Not answered, cancelled, or answered with any other status: it took effect later, or never.
    case unknown
    /// Answered with 202: it takes effect within the time that the invariant declares.
    case pending
  }

  /// The role of the exchange for its invariant.
  package enum Role: UInt8, Sendable, Hashable, CaseIterable {
    /// Reads the values of a key.
    case read
    /// Changes a key.
    case write
    /// The values of the key in the response of a write; follows its write.
    case response
    /// Removes a key, or a value.
    case delete
    /// Creates a key.
    case create
    /// A response that shows a key of a set.
    case shown
    /// A response that shows that a key is absent from a set.
    case absent
    /// A complete list of a set; the keys in it are separate entries.
    case list
    /// A rejection that shows a version.
    case conflict
    /// One batch of messages: `a` of them were sent, and `b` tickets were returned.
    case batch
    /// One ticket: `a` is its index in the batch, and `b` is ``TicketFacts``.
    case ticket
    /// One ticket whose receipt was requested: `a` is 1 if the response had it.
    case requested
    /// A received receipt: `a` is 1 if it was not requested, and `b` is 1 if it reports its message as failed. `actor`
    /// is its whole content.
    case receipt
  }

  /// The index of the invariant in the scenario.
  package var invariant: UInt16
  /// The index of the operation in the contract.
  package var operation: UInt16
  /// The part that the exchange has in the invariant.
  package var role: Role
  /// Whether the exchange took effect.
  package var outcome: Outcome
  /// 0 without a response.
  package var status: UInt16
  /// The resource of the invariant; entry of the log's names.
  package var key: Int32
  /// The actor: a voter, an owner; -1 if the invariant has none. Entry of the log's names.
  package var actor: Int32 = -1
  /// The number of a session of the run.
  package var session: Int32 = 0
  /// The idempotency key of the request; -1 for none. Entry of the log's names.
  package var once: Int32 = -1
  /// Nanoseconds since the load began.
  package var sent: Int64
  /// When the response was complete, or when it was abandoned; nanoseconds since the load began.
  package var answered: Int64
  /// Numbers that the rule reads; ``none`` for missing ones.
  package var a = Self.none
  /// The second number; ``none`` if it is missing.
  package var b = Self.none
  /// A value as a string; -1 for none. Entry of the log's names.
  package var c: Int32 = -1
  /// Method, path and content of the request; -1 if they were not kept. Entry of the log's requests.
  package var request: Int32 = -1
  /// The headers of the request; -1 if they were not kept.
  package var headers: Int32 = -1
  /// True if murphy sent it on its own, before or after the load.
  package var isOwn = false

  /// Replaces a missing number.
  package static let none = Int64.min

  package init(
    invariant: Int, operation: Int, role: Role, outcome: Outcome, status: Int = 200, key: Int32 = 0, sent: Int64,
    answered: Int64
  ) {
    self.invariant = UInt16(clamping: invariant)
    self.operation = UInt16(clamping: operation)
    self.role = role
    self.outcome = outcome
    self.status = UInt16(clamping: status)
    self.key = key
    self.sent = sent
    self.answered = answered
  }
}

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

  /// The outcome of the writes that a term counts.
  package enum Outcomes: String, Sendable, Hashable, CaseIterable {
    case accepted, refused, unknown
  }

  /// The time of the writes that a term counts, compared with the read.
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

  /// The relation between the two sides of a condition.
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
