extension RelationLog {
  /// One rule of one operation.
  package struct Tested: Sendable, Hashable, Codable {
    /// The index of the operation in the contract.
    package var operation: Int32
    /// The tested rule.
    package var rule: RelationRule

    package init(_ operation: Int32, _ rule: RelationRule) {
      self.operation = operation
      self.rule = rule
    }
  }

  /// One response of a collection.
  package struct Page: Sendable {
    /// The index of the operation in the contract.
    package var operation: Int32
    /// Its number in ``RelationLog/requests``; -1 if it is not kept.
    package var request: Int32
    /// Nanoseconds since the load began.
    package var sent: Int64
    /// Nanoseconds since the load began.
    package var answered: Int64
    /// The maximum age of the response when it was made, in nanoseconds: its `Age`, or how long caches may keep it.
    package var age: Int64
    /// Equal for requests with equal headers.
    package var view: Int
    /// A hash of path and query without limit, offset, page and order.
    package var filters: UInt64
    /// The hashes of single filters, ascending; empty if there are more than two, or parameters other than filters.
    package var parts: [UInt64] = []
    /// A hash of the sort order; 0 for the server's own order.
    package var order: UInt64
    /// The maximum number of items; -1 if unknown.
    package var limit: Int32
    /// The number of items before the page; -1 if unknown.
    package var offset: Int64
    /// -1 without one.
    package var total: Int64
    /// Its range of ``RelationLog/ids``.
    package var ids: Range<Int32>
    /// Pages of one session, or of one walk, have the same number.
    package var session: Int64
    /// True if a free text narrows it, so an index that is refreshed late may serve it.
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

  /// The fields of one item in one response: the item alone, or a row of a list.
  package struct Reading: Sendable, Codable {
    /// The index of the operation in the contract.
    package var operation: Int32
    /// Its number in ``RelationLog/requests``; -1 if it is not kept.
    package var request: Int32
    /// Nanoseconds since the load began.
    package var sent: Int64
    /// Nanoseconds since the load began.
    package var answered: Int64
    /// The maximum age of the response when it was made, in nanoseconds.
    package var age: Int64
    /// Equal for requests with equal headers.
    package var view: Int
    /// A number that represents the id of the item.
    package var id: Int64
    /// True for a row of a list, false for the item alone.
    package var isRow: Bool
    /// Hashes of the fields that are in both, in the order of the collection's shape; 0 for an absent field.
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

  /// A request that may have changed data between its send and its end.
  package struct Write: Sendable, Codable {
    /// The index of the operation in the contract.
    package var operation: Int32
    /// Nanoseconds since the load began.
    package var sent: Int64
    /// `Int64.max` if it is unknown when it takes effect, if ever.
    package var end: Int64
    /// The id of the first item that its path names; 0 for none.
    package var id: Int64

    package init(operation: Int32, sent: Int64, end: Int64, id: Int64) {
      self.operation = operation
      self.sent = sent
      self.end = end
      self.id = id
    }
  }

  /// A response that breaks a rule, unless a write, a cache or another meaning explains it.
  package struct Doubt: Sendable, Codable {
    /// The property of the doubt that determines how it is decided.
    package enum Ground: Sendable, Hashable, Codable {
      /// The response contradicts itself or its request, independent of all writes.
      case plain
      /// Two statements of one response that a write between them may make different.
      case snapshot
      /// A row compared with the request; a write to the row may explain it.
      case row
      /// A row compared with one of several filters, which an API may join by "or".
      case rowOfSeveral
      /// Two neighbouring strings, whose order depends on the collation unless it is certainly wrong.
      case texts
      /// A field that may echo a parameter by another name.
      case synonym
      /// The id in the response is not the one of the path.
      case identity
      /// All items belong to another resource than the one in the path.
      case parent
    }

    /// The index of the operation in the contract.
    package var operation: Int32
    /// The rule that the response breaks.
    package var rule: RelationRule
    /// The property that determines how the doubt is decided.
    package var ground: Ground
    /// Nanoseconds since the load began.
    package var sent: Int64
    /// Nanoseconds since the load began.
    package var answered: Int64
    /// The maximum age of the response when it was made, in nanoseconds.
    package var age: Int64 = 0
    /// Its number in ``RelationLog/requests``; -1 if it is not kept.
    package var request: Int32 = -1
    /// The ids of the items that it concerns; 0 for none.
    package var first: Int64 = 0
    /// 0 if only one item is concerned.
    package var second: Int64 = 0
    /// Equal for doubts that are not independent evidence: an offset, a filter, a pair.
    package var place: UInt64 = 0
    /// The sort order, or the parameter.
    package var key = ""
    /// The found and the expected value.
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
    /// The index of the operation in the contract.
    package var operation: Int32
    /// Path and query of the request.
    package var target: String
    /// The value of the header, as received.
    package var location: String
    /// The headers of the request.
    package var headers: [HeaderField]
    /// Empty if it is long.
    package var body: [UInt8]

    package init(operation: Int32, target: String, location: String, headers: [HeaderField], body: [UInt8]) {
      self.operation = operation
      self.target = target
      self.location = location
      self.headers = headers
      self.body = body
    }
  }

  /// A response to a body whose strings are returned, as hashes in the order of the shape's properties.
  package struct Return: Sendable, Codable {
    /// The index of the operation in the contract.
    package var operation: Int32
    /// Its number in ``RelationLog/requests``; -1 if it is not kept.
    package var request: Int32 = -1
    /// Nanoseconds since the load began.
    package var sent: Int64
    /// Nanoseconds since the load began.
    package var answered: Int64
    /// The resource that is written, if the request names it; 0 for a new one.
    package var thing: UInt64
    /// 0 for a property that was not sent, or is too short to distinguish senders.
    package var given: [UInt64]
    /// 0 for a property that was not returned.
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

  /// One resource requested in two ways, by the walk.
  package struct Probe: Sendable, Codable {
    /// The index of the operation in the contract.
    package var operation: Int32
    /// The rule that the two requests test.
    package var rule: RelationRule
    /// Nil if the two agree.
    package var message: String?
    /// The severity of the finding if the two disagree.
    package var severity: Finding.Severity
    /// The exchanges that show the violation; nil if the rule holds.
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
