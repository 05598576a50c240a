import Foundation
import MurphyContract
import MurphyJudge
import MurphyModel
import MurphyScenario
import MurphySchema
import Simulation

/// A collection and its server of one of many conforming kinds, or with a fault; clients and writers; and what
/// murphy's own reader keeps of its responses. Seconds.
struct CollectionWorld {
  enum Fault: String, CaseIterable {
    case oneTooMany, echoWrong, filterDropped, secondFilterDropped, orderIgnored, sortIgnored, totalOfAll, totalWavers
    case pagesOverlap, pagesSkip, droppedRow, unstableTies, listShowsOld, otherItem
  }

  struct Row {
    var id: Int
    var name: String
    var score: Int
    var created: String
    var status: String
    var category: Int?
    var text: String
  }

  struct Ask {
    var limit = 5
    var offset = 0
    var sort: String?
    var order: String?
    var status: String?
    var category: Int?
    var name: String?

    var target: String {
      var parts = ["limit=\(limit)", "offset=\(offset)"]
      if let sort { parts.append("sort=\(sort)") }
      if let order { parts.append("order=\(order)") }
      if let status { parts.append("status=\(status)") }
      if let category { parts.append("category_id=\(category)") }
      if let name { parts.append("name=\(name)") }
      return "/items?" + parts.joined(separator: "&")
    }
  }

  struct Kind {
    var collation = 0
    var nullsFirst = false
    var cache = 0.0
    var lag = 0.0
    var isBrief = false
    var countsViews = false
    var hasAlias = false
    var hasTotal = true
    var isUnion = false
  }

  static let words = """
    apple Apple äpfel Zebra zebra bread-7 item10 item9 éclair oak Oak elm birch pine fir cedar ash yew
    """.split(separator: " ").map(String.init)

  var random: RandomSource
  var kind = Kind()
  let fault: Fault?
  let share: Double
  let rate: Double
  let isExclusive: Bool
  var items: [Int: Row] = [:]
  var next: Int
  var now = 0.0
  var due = Double.infinity
  var history: [(Double, [Int: Row])] = []
  var cached: [String: (Double, [Int: Row])] = [:]
  var hidden: Set<Int> = []
  var views = 0
  var log = RelationLog()
  let reader: RelationReader
  let parser = TapeParser()
  var exchanges = 0

  /// - Parameters:
  ///   - share: of the responses that show the fault, where not all do.
  ///   - rate: writes a second.
  ///   - exclusive: whether all writers are known.
  init(
    seed: UInt64, fault: Fault? = nil, share: Double = 1, count: Int? = nil, rate: Double? = nil, exclusive: Bool? = nil
  ) {
    random = RandomSource(seed: seed)
    self.fault = fault
    self.share = share
    var draw = random
    let count = count ?? 8 + draw.index(below: 33)
    if fault == nil {
      kind.cache = [0, 0, 0, 0.5][draw.index(below: 4)]
      kind.lag = [0, 0, 0, 0.1][draw.index(below: 4)]
      kind.hasTotal = draw.unit() < 0.9
      kind.isUnion = draw.unit() < 0.1
    }
    kind.collation = draw.index(below: 3)
    kind.nullsFirst = draw.unit() < 0.5
    kind.isBrief = draw.unit() < 0.2
    kind.countsViews = draw.unit() < 0.2
    kind.hasAlias = draw.unit() < 0.2
    self.rate = rate ?? [0, 0, 2, 20][draw.index(below: 4)]
    isExclusive = exclusive ?? (draw.unit() < 0.6)
    next = count
    reader = RelationReader(ContractRelations(Self.contract))
    random = draw
    for id in 1...count {
      let new = row(id)
      items[id] = new
    }
    history = [(-.infinity, items)]
    if fault == .droppedRow { for id in items.keys.sorted() where random.unit() < share { hidden.insert(id) } }
    if self.rate > 0 { due = random.exponential(mean: 1 / self.rate) }
  }

  mutating func pick<Element>(_ all: [Element]) -> Element { all[random.index(below: all.count)] }

  mutating func row(_ id: Int) -> Row {
    Row(
      id: id, name: pick(Self.words) + pick(["", "", String(random.index(below: 99) + 1)]),
      score: random.index(below: 13),
      created: String(format: "2024-01-%02dT10:00:00Z", random.index(below: 28) + 1), status: pick(["open", "closed"]),
      category: pick([nil, 1, 2, 3]), text: String(repeating: "x", count: random.index(below: 30) + 1))
  }

  /// One thing that clients do: a walk, a filtered list, two filters beside each alone, an item beside lists of it.
  mutating func step(_ number: Int) {
    var ask = Ask(limit: 3 + random.index(below: 6))
    let choice = random.unit()
    if random.unit() < 0.5 {
      ask.sort = pick(["score", "name", "created_at", "id"])
      ask.order = pick(["asc", "desc"])
    }
    if choice < 0.35 {
      if random.unit() < 0.4 { ask.status = pick(["open", "closed"]) }
      for page in 0..<30 {
        var turn = ask
        turn.offset = page * ask.limit
        let count = list(turn, walk: number)
        if page > 0, random.unit() < 0.25 {
          turn.offset -= ask.limit
          list(turn, walk: number)
        }
        if count < ask.limit { break }
      }
    } else if choice < 0.6 {
      for _ in 0..<random.index(below: 3) {
        switch random.index(below: 3) {
        case 0: ask.status = "open"
        case 1: ask.category = 2
        default: ask.name = "e"
        }
      }
      list(ask, walk: -number - 1)
    } else if choice < 0.8 {
      var (one, two, status) = (ask, ask, ask)
      one.category = pick([1, 2])
      (two.category, two.status, status.status) = (one.category, "open", "open")
      for turn in [one, two, one, status, two, status] { list(turn, walk: -number - 1) }
    } else {
      let id = random.index(below: max(next, 1)) + 1
      get(id)
      list(ask, walk: -number - 1)
      get(id)
      list(ask, walk: -number - 1)
      get(id)
    }
  }
}
