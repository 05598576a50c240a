import MurphyContract
import MurphyModel

/// Traffic of one relation: some that cannot show a fault, some of a right server that could have, and some of a faulty one.
struct TrialCase: Sendable, CustomStringConvertible {
  typealias Traffic = @Sendable (inout CollectionWorld) -> Void

  let rule: RelationRule
  var operation = "listItems"
  let blind: [Traffic]
  let right: Traffic
  let wrong: Traffic
  /// Whether the first blind traffic adds nothing beside the right one: other values make the right traffic's tell more.
  var addsUp = true

  var description: String { rule.rawValue }

  init(
    _ rule: RelationRule, of operation: String = "listItems", addsUp: Bool = true, blind: [Traffic],
    right: @escaping Traffic, wrong: @escaping Traffic
  ) {
    self.rule = rule
    self.operation = operation
    self.addsUp = addsUp
    self.blind = blind
    self.right = right
    self.wrong = wrong
  }

  /// A world in which nobody else writes and nothing lags.
  static var world: CollectionWorld {
    var world = CollectionWorld(seed: 1, count: 4, rate: 0, exclusive: true)
    world.kind = CollectionWorld.Kind()
    return world
  }

  static let all: [TrialCase] = ofPages + ofSeveral + ofItems + ofProbes
}

extension CollectionWorld {
  func item(_ id: Int, status: String = "open", category: Int = 1, score: Int = 1) -> String {
    "{\"id\":\(id),\"status\":\"\(status)\",\"category_id\":\(category),\"score\":\(score),\"name\":\"a\"}"
  }

  /// A page that comes a second after the one before.
  mutating func page(_ query: String, _ items: [String], total: Int? = nil, more: String = "", walk: Int = 1) {
    let sent = now + 1
    now = sent + 0.1
    let members = ["\"data\":[\(items.joined(separator: ","))]"] + (total.map { ["\"total\":\($0)"] } ?? [])
    receive("{\(members.joined(separator: ","))\(more)}", "listItems", "/items?\(query)", sent, walk)
  }

  mutating func notes(of id: Int, _ owners: [Int?]) {
    let sent = now + 1
    now = sent + 0.1
    let rows = owners.enumerated().map { place, owner in
      "{\"id\":\(id * 100 + place)\(owner.map { ",\"item_id\":\($0)" } ?? "")}"
    }
    receive("[\(rows.joined(separator: ","))]", "listNotes", "/items/\(id)/notes", sent, 1)
  }

  mutating func get(_ id: Int, shows: Int? = nil, sent: Double, answered: Double) {
    now = answered
    receive(item(shows ?? id), "getItem", "/items/\(id)", sent, 1)
  }

  /// A write between the page before and the one behind; of no known operation where it has no name.
  mutating func write(_ operation: String, id: Int64 = 1) {
    let index = Self.contract.index(of: operation) ?? -1
    log.writes.append(
      RelationLog.Write(
        operation: Int32(index), sent: Self.nanoseconds(now + 0.2), end: Self.nanoseconds(now + 0.4), id: id))
  }

  /// The item before and after a list of it.
  mutating func beside(_ shown: [String], in rows: [[String]]) {
    func field(_ text: String) -> UInt64 { text.isEmpty ? 0 : RelationHash.of(text) | 1 }
    guard let operation = Self.contract.index(of: "listItems") else { return }
    for (place, row) in ([shown] + rows + [shown]).enumerated() {
      now += 1
      log.readings.append(
        RelationLog.Reading(
          operation: Int32(operation), request: -1, sent: Self.nanoseconds(now), answered: Self.nanoseconds(now + 0.1),
          age: 0, view: 1, id: 1, isRow: place > 0 && place <= rows.count,
          fields: (["1"] + row + Array(repeating: "", count: 7 - row.count)).map(field)))
    }
  }

  mutating func probe(_ rule: RelationRule, _ message: String?) {
    guard let operation = Self.contract.index(of: "listItems") else { return }
    log.probes.append(RelationLog.Probe(operation: Int32(operation), rule: rule, message: message))
  }
}
