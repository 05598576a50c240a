/// What a run keeps of answers that relations hold between: numbers, never bodies. Instants are nanoseconds since the
/// load began; what a walk after the load asked lies behind its end.
package struct RelationLog: Sendable {
  /// Answers of collections, in no order; beyond a bound they are only counted.
  package var pages: [Page] = []
  /// The items' ids of all pages, one page behind the other.
  package var ids: [Int64] = []
  /// Answers of single items, and of lists about them, that a walk asked for.
  package var readings: [Reading] = []
  /// Requests that may have changed something.
  package var writes: [Write] = []
  /// Answers that break a rule, unless something explains it that a single answer does not show.
  package var doubts: [Doubt] = []
  /// By what a doubt would be: samples of single responses that could have raised it. 0 where requests asked for it, and
  /// no response could have shown it.
  package var trials: [Group: Int] = [:]
  /// By operation: items that were read in its pages.
  package var rows: [Int32: Int] = [:]
  /// By operation and field: different values of it that were seen, at most two.
  package var values: [Key: Set<UInt64>] = [:]
  /// By operation: items that came back as asked for.
  package var right: [Int32: Set<Int64>] = [:]
  /// By operation and member: different values with which a synonym of a parameter came back as asked.
  package var agreements: [Key: Set<Int>] = [:]
  /// By what is sorted by: neighbouring texts whose order was certainly wrong.
  package var inverted: [Key: Int] = [:]
  /// By operation: answers that were not kept for want of room.
  package var unlogged: [Int32: Int] = [:]
  /// What pages and readings were asked with, masked.
  package var requests: [CurlRequest] = []
  /// Values behind the hashes of readings, as far as they are kept.
  package var texts: [UInt64: String] = [:]
  /// What a walk found by asking one thing in two ways.
  package var probes: [Probe] = []
  /// What a walk saw to be missing, so that nothing can be held against it: `its answers have no ETag`.
  package var lacking: [Tested: String] = [:]
  /// Which sample a walk did not get, so that a relation is not tested: `no list below an item had items`.
  package var missing: [Tested: String] = [:]
  /// By operation of a list: the fields of its rows, and those of the same items by themselves.
  package var sides: [Int32: Sides] = [:]
  /// By operation: the header fields of users with credentials, for a walk to ask as they did; secret, in memory only.
  package var senders: [Int32: [[HeaderField]]] = [:]
  /// Answers to bodies whose texts come back.
  package var returns: [Return] = []
  /// What answers said to have been created, a few of each operation.
  package var created: [Created] = []
  /// Requests of the walk.
  package var walked = 0
  /// Why there was no walk; nil where there was one.
  package var unwalked: String?
  /// Why a shard does not walk.
  package static let leftToTheFirst = "the first shard walks"
  /// What is not known of the clocks of several machines, nanoseconds: sends and answers lie that much further apart than
  /// they were.
  package var clockWidth: Int64 = 0

  /// Which rule of which operation.
  package struct Tested: Sendable, Hashable, Codable {
    package var operation: Int32
    package var rule: RelationRule

    package init(_ operation: Int32, _ rule: RelationRule) {
      self.operation = operation
      self.rule = rule
    }
  }

  /// Doubts of one group are of one kind and speak of one parameter, field or order; a trial is of the group of the doubt
  /// that it could have raised.
  package struct Group: Sendable, Hashable, Codable {
    package var operation: Int32
    package var rule: RelationRule
    package var ground: Doubt.Ground
    package var key: String

    package init(_ operation: Int32, _ rule: RelationRule, _ ground: Doubt.Ground, _ key: String = "") {
      self.operation = operation
      self.rule = rule
      self.ground = ground
      self.key = key
    }
  }

  /// Names of fields that a list shows of its items, and that the items show by themselves.
  package struct Sides: Sendable, Hashable, Codable {
    package var list: Set<String> = []
    package var item: Set<String> = []

    package init() {}

    /// None while only one side was seen.
    package var oneSided: Set<String> { list.isEmpty || item.isEmpty ? [] : list.symmetricDifference(item) }

    mutating func merge(_ other: Sides) {
      list.formUnion(other.list)
      item.formUnion(other.item)
    }
  }

  /// A member of an operation's answers.
  package struct Key: Sendable, Hashable, Codable {
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

  /// Takes another loop's log over; its numbers move behind those that are there.
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
    // A shard that leaves the walk to another one has no say where that one walked.
    unwalked = [unwalked, other.unwalked].compactMap(\.self).filter { $0 != Self.leftToTheFirst || walked == 0 }.first
  }
}
