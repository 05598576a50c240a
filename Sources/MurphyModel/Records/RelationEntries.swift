extension RelationLog {
  /// One answer of a collection.
  package struct Page: Sendable {
    /// Its place in the contract.
    package var operation: Int32
    /// Its number in ``RelationLog/requests``; -1 where it is not kept.
    package var request: Int32
    package var sent: Int64
    package var answered: Int64
    /// How old the answer may have been when it was made, nanoseconds: its `Age`, or how long caches may keep it.
    package var age: Int64
    /// Equal for requests with equal header fields.
    package var view: Int
    /// A hash of path and query without limit, offset, page and order.
    package var filters: UInt64
    /// The hashes of single filters, ascending; empty where there are more than two or others than filters.
    package var parts: [UInt64] = []
    /// A hash of what is sorted by; 0 for the server's own order.
    package var order: UInt64
    /// Of items; -1 where it is not known.
    package var limit: Int32
    /// Items before the page; -1 where it is not known.
    package var offset: Int64
    /// -1 without one.
    package var total: Int64
    /// Its part of ``RelationLog/ids``.
    package var ids: Range<Int32>
    /// Pages of one session, or of one walk, have one number.
    package var session: Int64
    /// A free text narrows it, so an index may lie behind it that is refreshed late.
    package var isSearch: Bool

    package init(
      operation: Int32, request: Int32, sent: Int64, answered: Int64, age: Int64, view: Int, filters: UInt64,
      order: UInt64, limit: Int32, offset: Int64, total: Int64, ids: Range<Int32>, session: Int64, isSearch: Bool
    ) {
      self.operation = operation
      self.request = request
      self.sent = sent
      self.answered = answered
      self.age = age
      self.view = view
      self.filters = filters
      self.order = order
      self.limit = limit
      self.offset = offset
      self.total = total
      self.ids = ids
      self.session = session
      self.isSearch = isSearch
    }
  }

  /// What one answer showed of one item: by itself, or as a row of a list.
  package struct Reading: Sendable, Codable {
    package var operation: Int32
    package var request: Int32
    package var sent: Int64
    package var answered: Int64
    package var age: Int64
    package var view: Int
    package var id: Int64
    package var isRow: Bool
    /// Hashes of the fields that both show, in the order of the collection's shape; 0 where one is absent.
    package var fields: [UInt64]

    package init(
      operation: Int32, request: Int32, sent: Int64, answered: Int64, age: Int64, view: Int, id: Int64, isRow: Bool,
      fields: [UInt64]
    ) {
      self.operation = operation
      self.request = request
      self.sent = sent
      self.answered = answered
      self.age = age
      self.view = view
      self.id = id
      self.isRow = isRow
      self.fields = fields
    }
  }

  /// A request that may have changed something between its send and its end.
  package struct Write: Sendable, Codable {
    package var operation: Int32
    package var sent: Int64
    /// `Int64.max` where nobody knows when it takes effect, if ever.
    package var end: Int64
    /// Of the first item that its path names; 0 for none.
    package var id: Int64

    package init(operation: Int32, sent: Int64, end: Int64, id: Int64) {
      self.operation = operation
      self.sent = sent
      self.end = end
      self.id = id
    }
  }

  /// An answer that breaks a rule, unless a write, a cache or another meaning explains it.
  package struct Doubt: Sendable, Codable {
    /// What the decision needs to know about it.
    package enum Ground: Sendable, Hashable, Codable {
      /// The answer contradicts itself or its request, whatever anybody wrote.
      case plain
      /// Two statements of one answer that a write between them may set apart.
      case snapshot
      /// A row against what was asked for; a write to the row may explain it.
      case row
      /// A row against one of several filters, which an API may join by "or".
      case rowOfSeveral
      /// Two neighbouring texts, whose order is the collation's unless it is surely wrong.
      case texts
      /// A field that echoes a parameter by another name, if it does at all.
      case synonym
      /// The id that came is not the one of the path.
      case identity
      /// All items belong to another thing than the path names.
      case parent
    }

    package var operation: Int32
    package var rule: RelationRule
    package var ground: Ground
    package var sent: Int64
    package var answered: Int64
    package var age: Int64 = 0
    package var request: Int32 = -1
    /// The items that it is about; 0 for none.
    package var first: Int64 = 0
    package var second: Int64 = 0
    /// Equal for doubts that are no independent evidence: an offset, a filter, a pair.
    package var place: UInt64 = 0
    /// What is sorted by, or the parameter.
    package var key = ""
    /// What was found and expected.
    package var message: String
    /// Kept for the first of equal doubts.
    package var evidence: Evidence?

    package init(
      operation: Int32, rule: RelationRule, ground: Ground, sent: Int64 = 0, answered: Int64 = 0, message: String
    ) {
      self.operation = operation
      self.rule = rule
      self.ground = ground
      self.sent = sent
      self.answered = answered
      self.message = message
    }
  }

  /// A 201 with a `Location`; secret, in memory only.
  package struct Created: Sendable {
    package var operation: Int32
    /// Path and query of the request.
    package var target: String
    package var location: String
    package var headers: [HeaderField]
    /// Empty where it is long.
    package var body: [UInt8]

    package init(operation: Int32, target: String, location: String, headers: [HeaderField], body: [UInt8]) {
      self.operation = operation
      self.target = target
      self.location = location
      self.headers = headers
      self.body = body
    }
  }

  /// An answer to a body whose texts come back, as hashes in the order of the shape's members.
  package struct Return: Sendable, Codable {
    package var operation: Int32
    package var request: Int32 = -1
    package var sent: Int64
    package var answered: Int64
    /// Of the thing that is written, where the request names it; 0 for a new one.
    package var thing: UInt64
    /// 0 for a member that was not sent, or is too short to tell senders apart.
    package var given: [UInt64]
    /// 0 for a member that did not come back.
    package var found: [UInt64]

    package init(
      operation: Int32, sent: Int64, answered: Int64, thing: UInt64, given: [UInt64], found: [UInt64]
    ) {
      self.operation = operation
      self.sent = sent
      self.answered = answered
      self.thing = thing
      self.given = given
      self.found = found
    }
  }

  /// One thing asked in two ways, by the walk.
  package struct Probe: Sendable, Codable {
    package var operation: Int32
    package var rule: RelationRule
    /// Nil where the two agree.
    package var message: String?
    package var severity: Finding.Severity
    package var evidence: Evidence?

    package init(
      operation: Int32, rule: RelationRule, message: String? = nil, severity: Finding.Severity = .error,
      evidence: Evidence? = nil
    ) {
      self.operation = operation
      self.rule = rule
      self.message = message
      self.severity = severity
      self.evidence = evidence
    }
  }
}
