/// What a message says of its ticket, as a set of bits.
package struct TicketFacts: OptionSet, Sendable {
  package let rawValue: Int64

  package init(rawValue: Int64) { self.rawValue = rawValue }

  /// The message was marked and the ticket is not an error, or the other way round.
  package static let isWrong = TicketFacts(rawValue: 1)
  /// The receipt must say that the message has failed.
  package static let mustFail = TicketFacts(rawValue: 2)
  /// The receipt must say that the message has arrived.
  package static let mustArrive = TicketFacts(rawValue: 4)
}

/// One exchange, or one thing that an answer showed, as the log of an invariant keeps it: 72 bytes.
package struct StateExchange: Sendable, Hashable {
  /// What became of an exchange, as far as the client knows.
  package enum Outcome: UInt8, Sendable, Hashable, CaseIterable {
    /// Answered with a status from 200 to 299, but 202: it took effect between its send and its answer.
    case accepted
    /// Answered with 304 or a status from 400 to 499, but 408: it took no effect.
    case refused
    /// Not answered, cancelled, or answered with any other status: it took effect later, or never.
    case unknown
    /// Answered with 202: it takes effect within the time that the invariant declares.
    case pending
  }

  /// What the exchange does for its invariant.
  package enum Role: UInt8, Sendable, Hashable, CaseIterable {
    /// Shows the values of a key.
    case read
    /// Changes a key.
    case write
    /// What the answer of a write shows of the key; follows its write.
    case answer
    /// Removes a key, or a value.
    case delete
    /// Creates a key.
    case create
    /// An answer that shows a key of a set.
    case shown
    /// An answer that shows that a key of a set is not there.
    case absent
    /// A whole list of a set; the keys that it shows are entries of their own.
    case list
    /// A refusal that shows a version.
    case conflict
    /// One batch of messages: `a` of them were sent, and `b` tickets came back.
    case batch
    /// One ticket: `a` is its place in the batch, and `b` is ``TicketFacts``.
    case ticket
    /// One ticket that a receipt was asked for: `a` is 1 where the answer had it.
    case asked
    /// A receipt that came: `a` is 1 where it was not asked for, `b` is 1 where it says that its message has failed, and
    /// `actor` is all that it says.
    case receipt
  }

  /// The invariant's place in the scenario.
  package var invariant: UInt16
  /// The operation's place in the contract.
  package var operation: UInt16
  package var role: Role
  package var outcome: Outcome
  /// 0 without an answer.
  package var status: UInt16
  /// The thing that the invariant is about; entry of the log's names.
  package var key: Int32
  /// Who did it: a voter, an owner; -1 where the invariant has none. Entry of the log's names.
  package var actor: Int32 = -1
  /// A session of the run, numbered.
  package var session: Int32 = 0
  /// The idempotency key that it was sent with; -1 for none. Entry of the log's names.
  package var once: Int32 = -1
  /// Nanoseconds since the load began.
  package var sent: Int64
  /// When the answer was complete, or when it was given up; nanoseconds since the load began.
  package var answered: Int64
  /// Numbers that the rule reads; ``none`` for what was not there.
  package var a = Self.none
  package var b = Self.none
  /// A value as text; -1 for none. Entry of the log's names.
  package var c: Int32 = -1
  /// Method, path and content that were sent; -1 where they were not kept. Entry of the log's requests.
  package var request: Int32 = -1
  /// The header fields that were sent; -1 where they were not kept.
  package var headers: Int32 = -1
  /// Whether murphy sent it on its own, before or after the load.
  package var isOwn = false

  /// In place of a number that was not there.
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
