/// The data of a run for the relations between responses: numbers, never bodies. Instants are nanoseconds since the
/// load began; requests of a walk after the load have times after its end.
package struct RelationLog: Sendable {
  /// Responses of collections, in no order; beyond a bound they are only counted.
  package var pages: [Page] = []
  /// The ids of the items of all pages, page after page.
  package var ids: [Int64] = []
  /// Responses of single items, and of lists about them, that a walk requested.
  package var readings: [Reading] = []
  /// Requests that may have changed data.
  package var writes: [Write] = []
  /// Responses that break a rule, unless something that a single response does not show explains it.
  package var doubts: [Doubt] = []
  /// By group of a possible doubt: samples of single responses that could have raised it. 0 if requests asked for it,
  /// and no response could have shown it.
  package var trials: [Group: Int] = [:]
  /// By operation: items that were read in its pages.
  package var rows: [Int32: Int] = [:]
  /// By operation and field: different values that were seen, at most two.
  package var values: [Key: Set<UInt64>] = [:]
  /// By operation: items that were returned as requested.
  package var right: [Int32: Set<Int64>] = [:]
  /// By operation and property: different values with which a synonym of a parameter was returned as requested.
  package var agreements: [Key: Set<Int>] = [:]
  /// By sort order: neighbouring strings whose order was certainly wrong.
  package var inverted: [Key: Int] = [:]
  /// By operation: responses that were not kept because the log was full.
  package var unlogged: [Int32: Int] = [:]
  /// The requests of pages and readings, masked.
  package var requests: [CurlRequest] = []
  /// Values behind the hashes of readings, if they are kept.
  package var texts: [UInt64: String] = [:]
  /// The results of a walk that requested one resource in two ways.
  package var probes: [Probe] = []
  /// Features that a walk found missing, so that nothing can be checked against them: `its responses have no ETag`.
  package var lacking: [Tested: String] = [:]
  /// The sample that a walk did not get, so that a relation is not tested: `no list below an item had items`.
  package var missing: [Tested: String] = [:]
  /// By operation of a list: the fields of its rows, and those of the same items requested alone.
  package var sides: [Int32: Sides] = [:]
  /// By operation: the headers of users with credentials, which a walk sends too; secret, in memory only.
  package var senders: [Int32: [[HeaderField]]] = [:]
  /// Responses to bodies whose strings are returned.
  package var returns: [Return] = []
  /// Resources that responses reported as created, a few of each operation.
  package var created: [Created] = []
  /// Requests of the walk.
  package var walked = 0
  /// Why the walk did not take place; nil if it did.
  package var unwalked: String?
  /// Why a shard does not walk.
  package static let leftToTheFirst = "the first shard walks"
  /// The uncertainty of the clocks of several machines, in nanoseconds: the interval between send and response is
  /// widened by it.
  package var clockWidth: Int64 = 0

  /// One rule of one operation.
  package struct Tested: Sendable, Hashable, Codable {
    /// The index of the operation in the contract.
    package var operation: Int32
    package var rule: RelationRule

    package init(_ operation: Int32, _ rule: RelationRule) {
      self.operation = operation
      self.rule = rule
    }
  }

  /// Doubts of one group are of one kind and concern one parameter, field or order. A trial is in the group of the
  /// doubt that it could have raised.
  package struct Group: Sendable, Hashable, Codable {
    /// The index of the operation in the contract.
    package var operation: Int32
    package var rule: RelationRule
    package var ground: Doubt.Ground
    /// The parameter, the field or the sort order; empty for none.
    package var key: String

    package init(_ operation: Int32, _ rule: RelationRule, _ ground: Doubt.Ground, _ key: String = "") {
      self.operation = operation
      self.rule = rule
      self.ground = ground
      self.key = key
    }
  }

  /// Names of the fields of items in a list, and of the same items requested alone.
  package struct Sides: Sendable, Hashable, Codable {
    /// Empty if no list was seen.
    package var list: Set<String> = []
    /// Empty if no single item was seen.
    package var item: Set<String> = []

    package init() {}

    /// Empty while only one side was seen.
    package var oneSided: Set<String> { list.isEmpty || item.isEmpty ? [] : list.symmetricDifference(item) }

    mutating func merge(_ other: Sides) {
      list.formUnion(other.list)
      item.formUnion(other.item)
    }
  }

  /// A property of an operation's responses.
  package struct Key: Sendable, Hashable, Codable {
    /// The index of the operation in the contract.
    package var operation: Int32
    package var name: String

    package init(_ operation: Int32, _ name: String) {
      self.operation = operation
      self.name = name
    }
  }

  package static let sendersKept = 4
  package static let createdKept = 4

  package init() {}

  /// Appends another loop's log; its numbers are shifted after the existing ones.
  package mutating func append(_ other: RelationLog) {
    let (first, request) = (Int32(ids.count), Int32(requests.count))
    func moved<Entry>(_ entries: [Entry], _ place: WritableKeyPath<Entry, Int32>) -> [Entry] {
      entries.map { entry in
        var entry = entry
        if entry[keyPath: place] >= 0 { entry[keyPath: place] += request }
        return entry
      }
    }
    for var page in moved(other.pages, \.request) {
      page.ids = (page.ids.lowerBound + first)..<(page.ids.upperBound + first)
      pages.append(page)
    }
    readings += moved(other.readings, \.request)
    doubts += moved(other.doubts, \.request)
    returns += moved(other.returns, \.request)
    ids += other.ids
    requests += other.requests
    writes += other.writes
    probes += other.probes
    trials.merge(other.trials) { $0 + $1 }
    rows.merge(other.rows) { $0 + $1 }
    values.merge(other.values) { Set($0.union($1).sorted().prefix(2)) }
    right.merge(other.right) { $0.union($1) }
    agreements.merge(other.agreements) { $0.union($1) }
    inverted.merge(other.inverted) { $0 + $1 }
    unlogged.merge(other.unlogged) { $0 + $1 }
    texts.merge(other.texts) { first, _ in first }
    senders.merge(other.senders) { Array(($0 + $1).prefix(Self.sendersKept)) }
    lacking.merge(other.lacking) { first, _ in first }
    missing.merge(other.missing) { first, _ in first }
    for (operation, other) in other.sides { sides[operation, default: Sides()].merge(other) }
    created += other.created
    walked += other.walked
    clockWidth = max(clockWidth, other.clockWidth)
    // A shard that leaves the walk to another one is ignored if that one walked.
    unwalked = [unwalked, other.unwalked].compactMap(\.self).filter { $0 != Self.leftToTheFirst || walked == 0 }.first
  }
}
